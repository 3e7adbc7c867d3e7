"""``server.trace()``: what a notebook shows of the frames."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest

from jupyter_mcp_elicit import Accept, connect
from jupyter_mcp_elicit.kernel.trace import Trace
from jupyter_mcp_elicit.trace import Recorder

DEMO = [sys.executable, "-m", "jupyter_mcp_elicit.demo"]
NASTY = '<script>alert(1)</script>"\u202e$x^2$'


@pytest.mark.parametrize("era", ["2025-06-18", "2025-11-25", "2026-07-28"])
async def test_a_call_with_a_question_can_be_read_from_its_trace(era: str) -> None:
    bistro = await connect(DEMO, name="bistro", era=era, answers=[Accept({"size": "large"})])
    result = await bistro.call_tool("order_coffee", {"milk": "oat"})
    trace = bistro.trace()
    bistro.close()
    assert not result.is_error
    calls = trace.about("tools/call")
    assert len(calls) == (4 if era == "2026-07-28" else 2)
    assert bool(trace.about("elicitation/create")) == (era != "2026-07-28")
    diagram = trace._repr_html_()
    assert diagram.count(">asks<") == diagram.count(">accept<") == 1
    text = repr(trace)
    assert "--> tools/call" in text
    assert "<-- result of tools/call" in text
    assert "large" not in repr([each.frame for each in trace if each.direction == "send"])


async def test_contents_are_in_the_trace_of_a_connection_that_keeps_them() -> None:
    answers = [Accept({"size": "large"})]
    bistro = await connect(DEMO, name="bistro", era="legacy", answers=answers, trace_contents=True)
    await bistro.call_tool("order_coffee", {"milk": "oat"})
    answer = bistro.trace().about("elicitation/create").frames[1]
    bistro.close()
    assert answer.frame["result"]["content"] == {"size": "large"}


def test_what_a_server_sends_is_text_in_every_form_of_the_trace() -> None:
    recorder = Recorder()
    params: dict[str, Any] = {"name": NASTY, "message": NASTY}
    recorder.see("recv", {"jsonrpc": "2.0", "id": NASTY, "method": NASTY, "params": params}, 1)
    recorder.see("send", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, 1)
    trace = Trace(recorder.entries, NASTY)
    shown = trace._repr_html_()
    assert "<script" not in shown
    assert "\u202e" not in shown + repr(trace)
    assert not re.search(r"\son\w+=", shown)


def test_a_diagram_of_many_frames_shows_the_newest_and_says_so() -> None:
    recorder = Recorder()
    for number in range(100):
        recorder.see("send", {"jsonrpc": "2.0", "id": number, "method": "tools/list"}, 1)
    shown = Trace(recorder.entries, "bistro")._repr_html_()
    assert "The first 40 of 100 frames are left out." in shown
    assert shown.count("<polygon") == 60
    assert shown.count("<tr>") == 101


def test_nothing_sent_yet_is_said_in_words() -> None:
    assert "No frame" in repr(Trace([], "bistro"))
    assert "No frame" in Trace([], "bistro")._repr_html_()
