"""A sequence diagram of frames, as SVG without any script."""

from __future__ import annotations

import html
from collections.abc import Sequence
from datetime import datetime

from ..core.text import shown
from ..trace import Entry, part

#: More rows than this are no picture any more; the table has them all.
MOST_ROWS = 60
#: Seconds after which a pause between two frames is drawn.
PAUSE = 1.0

_PERSON, _US, _SERVER = 70, 270, 660
_WIDTH, _TOP, _ROW = 730, 32, 38
_INK = "var(--jp-content-font-color1, currentColor)"
_QUIET = "var(--jp-content-font-color2, #616161)"
_FAINT = "var(--jp-border-color1, #9e9e9e)"
_ASK = "var(--jp-warn-color1, #b26a00)"
_SAY = "var(--jp-brand-color1, #1976d2)"
_FONT = "var(--jp-ui-font-family, sans-serif)"


def svg(frames: Sequence[Entry], server: str) -> str:
    """The newest :data:`MOST_ROWS` frames between the person, this client and ``server``."""
    drawn = list(frames)[-MOST_ROWS:]
    parts: list[str] = []
    y, before = _TOP, None
    for each in drawn:
        now = datetime.fromisoformat(each.at)
        pause = 0.0 if before is None else (now - before).total_seconds()
        if pause >= PAUSE:
            y += 24
            parts.append(_text((_PERSON + _US) / 2, y, f"… {pause:.1f} s …", fill=_QUIET, anchor="middle"))
        before = now
        y += _ROW
        parts.append(_arrow(each, y))
    height = y + 20
    lines = "".join(
        f'<line x1="{x}" y1="34" x2="{x}" y2="{height}" stroke="{_FAINT}" stroke-dasharray="3 3"/>'
        for x in (_PERSON, _US, _SERVER)
    )
    heads = "".join(
        _text(x, 22, name, anchor="middle", bold=True)
        for x, name in ((_PERSON, "you"), (_US, "jupyter_mcp_elicit"), (_SERVER, shown(server, 24)))
    )
    left_out = len(frames) - len(drawn)
    note = f" The first {left_out} of {len(frames)} frames are left out." if left_out else ""
    label = html.escape(f"Sequence diagram of {len(drawn)} frames; the table below says the same.{note}")
    return (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 {_WIDTH} {height}" '
        f'style="width:100%;max-width:{_WIDTH}px;height:auto" font-family="{_FONT}" font-size="12">'
        f"{lines}{heads}{''.join(parts)}</svg>"
    )


def _arrow(each: Entry, y: float) -> str:
    asks, answers = _asks(each), _answers(each)
    colour = _ASK if asks or answers else _SAY if each.direction == "send" else _INK
    start, end = (_US, _SERVER) if each.direction == "send" else (_SERVER, _US)
    dash = ' stroke-dasharray="6 3"' if each.kind in ("result", "error") else ""
    drawn = _line(start, end, y, colour, dash)
    drawn += _text((_US + _SERVER) / 2, y - 6, _label(each), anchor="middle")
    between = (_US + _PERSON) / 2
    if asks:
        drawn += _line(_US, _PERSON, y, colour) + _text(between, y - 6, "asks", anchor="middle")
    if answers:
        drawn += _line(_PERSON, _US, y, colour, dash) + _text(between, y - 6, answers, anchor="middle")
    return drawn


def _asks(each: Entry) -> bool:
    """Whether the person is asked now: by a request, or inside a result (2026-07-28)."""
    return (each.kind == "request" and each.name == "elicitation/create") or bool(
        part(each.frame, "result").get("inputRequests")
    )


def _answers(each: Entry) -> str:
    """The actions that go to the server with this frame, ``""`` when none does."""
    return shown(", ".join(one["action"] for one in each.answers), 30)


def _label(each: Entry) -> str:
    from .trace import title

    detail = ""
    if each.kind == "request" and each.name == "tools/call":
        detail = f" {part(each.frame, 'params').get('name', '')}"
    if each.kind == "error":
        detail = f" {part(each.frame, 'error').get('code', '')}"
    if part(each.frame, "result").get("resultType") == "input_required":
        detail = " (input_required)"
    return shown(f"{title(each)}{detail}", 58)


def _line(start: float, end: float, y: float, colour: str, dash: str = "") -> str:
    back = -7 if end > start else 7
    head = f"{end},{y} {end + back},{y - 4} {end + back},{y + 4}"
    return (
        f'<line x1="{start}" y1="{y}" x2="{end}" y2="{y}" stroke="{colour}" stroke-width="1.4"{dash}/>'
        f'<polygon points="{head}" fill="{colour}"/>'
    )


def _text(
    x: float, y: float, words: str, *, anchor: str = "start", bold: bool = False, fill: str = _INK
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{fill}"{weight}>{html.escape(words)}</text>'
    )
