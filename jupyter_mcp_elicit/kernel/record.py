"""What a cell's output says about a question, in words: who asked, what became of it, never the content."""

from __future__ import annotations

import html
from datetime import datetime, timezone
from typing import Any

from ..core.text import shown
from .markup import LITERAL

Card = dict[str, Any]

_ENDS = {
    "accepted": "accepted",
    "declined": "declined",
    "dismissed": "cancelled",
    "expired": "cancelled: the time was up",
    "withdrawn": "taken back",
    "not shown": "cancelled: it could not be shown",
}

_WITHDRAWALS = {
    "": "the one who asked stopped waiting",
    "asker": "the server stopped waiting",
    "caller": "the call was interrupted",
    "call": "the call failed",
    "connection": "the connection to the server ended",
    "owner": "the kernel or Jupyter was stopped",
}

_CHANNELS = {
    "": "",
    "page": "",
    "terminal": " at the prompt",
    "kernel": " by code in this kernel",
    "policy": " by script",
    "api": " through the API",
}

_STYLE = "font-family:var(--jp-ui-font-family,sans-serif);font-size:var(--jp-ui-font-size1,13px);opacity:.8"

_FLOWS = {
    "opened": "opened, not finished yet",
    "completed": "opened and completed",
    "finished": "opened and marked as done",
    "abandoned": "opened, then given up",
    "lapsed": "opened; the time was up",
    "cut": "opened; the connection ended",
    "ended": "opened; the call ended",
}


def is_open(card: Card) -> bool:
    """Whether it may still be answered."""
    return card["state"] in ("queued", "pending", "shown")


def is_flowing(card: Card) -> bool:
    """Whether a page is open that the person has not come back from."""
    return card.get("flow") == "opened"


def sentence(card: Card) -> str:
    """One line, safe in every front end."""
    who = _who(card)
    if card["mode"] == "url":
        who = f"{who} to open {shown(card['url']['domain'], 200)}"
    if is_open(card):
        return f"{who} · waiting for your answer"
    done = card.get("outcome") or {}
    # Nobody brought about what could not be shown, a script included.
    channel = "" if card["state"] == "not shown" else done.get("channel") or ""
    end = _FLOWS.get(card.get("flow") or "", _ENDS[card["state"]]) + _CHANNELS[channel]
    if card["state"] == "withdrawn":
        end += f": {_WITHDRAWALS[done.get('withdrawnBy') or '']}"
    trouble = f" ({shown(str(done['trouble']), 500)})" if done.get("trouble") else ""
    lost = " · the answer did not arrive" if done.get("delivery") == "lost" and _answered(card) else ""
    return f"{who} · {end}{_time(done.get('at'))}{trouble}{lost}"


def bundle(card: Card) -> dict[str, Any]:
    """The record as display data: ``text/html`` and ``text/plain``."""
    line = sentence(card)
    return {"text/plain": line, "text/html": f'<div {LITERAL} style="{_STYLE}">{html.escape(line)}</div>'}


def _who(card: Card) -> str:
    asker, cause = card["asker"], card["cause"]
    name = shown(asker["name"], 80)
    if asker["kind"] == "notebook":
        return f"{name} asked" if name != "This notebook" else "This notebook asked"
    tool = shown(cause["tool"], 80) if cause["tool"] and asker["kind"] == "server" else ""
    return f"{name} asked" + (f" during {tool}" if tool else "") + _place(cause)


def _place(cause: Card) -> str:
    """Which of a call's questions it is, where there are several."""
    of, round_ = cause.get("of", 0), cause.get("round", 0)
    parts = [f"question {cause['number']} of {of}"] if of > 1 else []
    parts += [f"round {round_}"] if round_ > 1 else []
    return f" ({', '.join(parts)})" if parts else ""


def _answered(card: Card) -> bool:
    return card["state"] in ("accepted", "declined", "dismissed")


def _time(at: str | None) -> str:
    if not at:
        return ""
    moment = datetime.strptime(at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
    return f" · {moment.astimezone().strftime('%H:%M')}"
