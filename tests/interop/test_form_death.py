"""Servers that are killed while their question waits: the cell, the card and the next call say so."""

from __future__ import annotations

import signal
from collections.abc import Callable

import psutil
import pytest
from jupyter_process import wait_until

from .page import Page

pytestmark = pytest.mark.interop

#: Peer, a word of its command line, tool, and what to answer when it asks again.
MORTAL = [
    ("everything-bare", "server-everything", "trigger-elicitation-request", "❌"),
    ("ts2-bare", "ts2.mjs", "two_rounds", '{"who":{"action":"decline"}}'),
    ("mcp1-bare", "mcp1_server.py", "ask_guest", '"action": "decline"'),
    ("mcp2-bare", "mcp2_server.py", "ask_any", '"action": "decline"'),
]


@pytest.mark.parametrize(("server", "program", "tool", "declined"), MORTAL, ids=[each[0] for each in MORTAL])
def test_a_killed_server_takes_its_question_with_it_and_the_next_call_starts_it_again(
    page: Page, server: str, program: str, tool: str, declined: str
) -> None:
    before = set(_running(page, program))
    cell = page.call(server, tool)
    card = page.question(cell)
    [process] = set(_running(page, program)) - before
    process.send_signal(signal.SIGKILL)

    said = page.said(cell)
    assert f'LocalError: The server "{server}" was killed by signal 9, during {tool}.' in said
    assert "The next call starts it again." in said
    assert "Traceback" not in said
    ended = page.jupyter.card(card["id"])
    assert ended["state"] == "withdrawn"
    assert ended["outcome"]["action"] == "cancel"
    wait_until(lambda: "taken back" in cell.text, "record of the withdrawn question")
    assert not any("widget-view" in key for each in cell.outputs for key in each.get("data") or {})
    status, shape = page.send(card, "decline")
    assert status == 410, shape

    cell = page.call(server, tool)
    again = page.question(cell)
    assert again["id"] != card["id"]
    page.press(again, "decline")
    assert declined in page.said(cell)


@pytest.mark.parametrize(("peer", "tool"), [("mcp1", "ask_guest"), ("sdk-form-example", "register_user")])
def test_an_http_server_that_holds_the_question_open_takes_it_along(
    page: Page, serving: Callable[[str], str], peer: str, tool: str
) -> None:
    url = serving(peer)
    page.configure(f"mortal-{peer}", {"url": url})
    cell = page.call(f"mortal-{peer}", tool)
    card = page.question(cell)
    _serves(url).send_signal(signal.SIGKILL)
    said = page.said(cell)
    assert f'LocalError: The server "mortal-{peer}" broke off' in said
    assert f"during {tool}." in said
    assert page.jupyter.card(card["id"])["state"] == "withdrawn"


def test_where_nothing_is_open_while_a_person_thinks_the_answer_finds_the_server_gone(
    page: Page, serving: Callable[[str], str]
) -> None:
    url = serving("mcp2")
    page.configure("mortal-mcp2", {"url": url, "era": "2026-07-28"})
    cell = page.call("mortal-mcp2", "ask_any")
    card = page.question(cell)
    _serves(url).send_signal(signal.SIGKILL)
    page.accept(card, {"Name": "Grace"})
    said = page.said(cell)
    assert 'LocalError: The server "mortal-mcp2" ' in said
    assert "The next call connects anew." in said
    assert "the answer did not arrive" in said
    assert page.jupyter.card(card["id"])["outcome"]["delivery"] == "lost"


def _serves(url: str) -> psutil.Process:
    """The process that listens there."""
    port = int(url.rpartition(":")[2].partition("/")[0])
    [pid] = {
        each.pid
        for each in psutil.net_connections("tcp")
        if each.status == psutil.CONN_LISTEN and each.laddr.port == port
    }
    return psutil.Process(pid)


def _running(page: Page, program: str) -> list[psutil.Process]:
    """The servers of that program that the Jupyter server started itself; a wiretap looks like its own."""
    children = psutil.Process(page.jupyter.process.pid).children()
    return [each for each in children if any(program in word for word in each.cmdline())]
