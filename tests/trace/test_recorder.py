"""What a trace keeps of frames, what it says of them, and what it leaves out."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any

import pytest

from jupyter_mcp_elicit.trace import Direction, Entry, Recorder
from jupyter_mcp_elicit.trace.recorder import MOST_CHARACTERS, MOST_FRAMES

SECRET = "hunter2-XYZZY"
ASKED = {"jsonrpc": "2.0", "id": 7, "method": "elicitation/create", "params": {"message": "Who?"}}
ACCEPTED = {"jsonrpc": "2.0", "id": 7, "result": {"action": "accept", "content": {"name": SECRET}}}
RESULT = {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": SECRET}]}}
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "book", "arguments": {}}}


def recorded(*frames: tuple[Direction, dict[str, Any]], contents: bool = False) -> list[Entry]:
    recorder = Recorder(contents=contents, now=lambda: datetime(2026, 12, 1, 9, 30, tzinfo=timezone.utc))
    for direction, frame in frames:
        recorder.see(direction, frame, 1)
    return recorder.entries


def test_an_answer_is_named_after_its_request_even_when_both_sides_use_the_same_ids() -> None:
    frames = recorded(
        ("send", {**CALL, "id": 7}), ("recv", ASKED), ("send", ACCEPTED), ("recv", {**RESULT, "id": 7})
    )
    assert [(each.kind, each.name) for each in frames] == [
        ("request", "tools/call"),
        ("request", "elicitation/create"),
        ("result", "elicitation/create"),
        ("result", "tools/call"),
    ]
    assert "accept" in frames[2].meaning
    assert frames[0].at == "2026-12-01T09:30:00.000+00:00"


@pytest.mark.parametrize(
    ("direction", "frame"),
    [
        ("send", ACCEPTED),
        ("recv", RESULT),
        ("recv", {"id": 1, "result": {"structuredContent": {"a": SECRET}}}),
        ("recv", {"id": 1, "result": {"resultType": "input_required", "requestState": SECRET}}),
        ("send", {"id": 2, "method": "tools/call", "params": {"requestState": SECRET}}),
        ("send", {"id": 2, "method": "x", "params": {"inputResponses": {"": {"content": [SECRET]}}}}),
        ("recv", {"id": 3, "method": "elicitation/create", "params": {"url": f"https://a.example/?c={SECRET}"}}),
        ("recv", {"id": 3, "method": "elicitation/create", "params": {"url": f"https://u:{SECRET}@a.example/"}}),
        ("recv", {"id": 1, "result": {"inputRequests": {"k": {"params": {"url": f"https://a.example/{SECRET}"}}}}}),
        ("recv", {"id": 1, "error": {"code": -32042, "data": {"elicitations": [{"url": f"https://a.example/{SECRET}"}]}}}),
        ("recv", {"id": 1, "result": {"messages": [SECRET]}}),
        ("recv", {"id": 1, "error": {"code": -32000, "message": "No", "data": {"given": SECRET}}}),
        ("recv", {"method": "notifications/message", "params": {"level": "info", "data": SECRET}}),
        ("recv", {"method": "notifications/progress", "params": {"progress": 1, "message": SECRET}}),
        ("recv", {"method": "notifications/cancelled", "params": {"requestId": 1, "reason": SECRET}}),
        ("recv", {"method": "notifications/tasks/status", "params": {"statusMessage": SECRET}}),
        ("recv", {"id": 1, "result": {"contents": [SECRET]}}),
    ],
)  # fmt: skip
def test_what_was_answered_and_what_came_back_is_left_out(
    direction: Direction, frame: dict[str, Any]
) -> None:
    [kept] = recorded((direction, {"jsonrpc": "2.0", **frame}))
    assert SECRET not in json.dumps(kept.as_json())
    assert "hidden" in json.dumps(kept.frame)


def test_contents_stay_where_they_are_wanted_but_the_rest_of_addresses_never_does() -> None:
    url = {"id": 3, "method": "elicitation/create", "params": {"url": f"https://a.example/?k={SECRET}"}}
    answer, address = recorded(("send", ACCEPTED), ("recv", url), contents=True)
    assert answer.frame == ACCEPTED
    assert SECRET not in json.dumps(address.frame)
    assert "https://a.example/" in address.frame["params"]["url"]


def test_the_frame_that_was_sent_is_not_changed_by_being_kept() -> None:
    before = json.dumps(ACCEPTED)
    recorded(("send", ACCEPTED))
    assert json.dumps(ACCEPTED) == before


def test_the_clause_is_that_of_the_revision_that_was_agreed_on() -> None:
    agreed = {"id": 0, "result": {"protocolVersion": "2025-06-18"}}
    frames = recorded(("send", {"id": 0, "method": "initialize"}), ("recv", agreed), ("recv", ASKED))
    assert frames[2].clause == "https://modelcontextprotocol.io/specification/2025-06-18/client/elicitation"
    assert "2025-06-18" in frames[1].meaning


def test_a_completion_from_us_is_marked_as_an_addition_and_one_from_the_server_is_not() -> None:
    complete = {"method": "notifications/elicitation/complete", "params": {"elicitationId": "e"}}
    ours, theirs = recorded(("send", complete), ("recv", complete))
    assert (ours.ours, ours.clause) == (True, "")
    assert not theirs.ours
    assert "2025-11-25/client/elicitation" in theirs.clause


def test_rounds_of_the_stateless_era_are_told_as_such() -> None:
    asks = {"id": 1, "result": {"resultType": "input_required", "inputRequests": {}}}
    again = {**CALL, "id": 2, "params": {"name": "book", "inputResponses": {}}}
    _, first, second = recorded(("send", CALL), ("recv", asks), ("send", again))
    assert "the server asks" in first.meaning
    assert "again with the answers" in second.meaning


@pytest.mark.parametrize(
    "frame",
    [
        {"exception": "ValueError('no JSON')"},
        {"id": 1, "result": "text"},
        {"id": None, "error": "text"},
        {"id": [1], "method": "x", "params": []},
        {"method": "tools/call", "id": 1, "params": {"inputResponses": 3, "_meta": 4}},
        {"id": 3, "method": "elicitation/create", "params": {"url": "http://[", "mode": "url"}},
        {},
    ],
)
def test_whatever_a_server_sends_can_be_kept(frame: dict[str, Any]) -> None:
    [kept] = recorded(("recv", frame))
    assert kept.meaning
    json.dumps(kept.as_json())


def test_a_frame_that_is_nested_too_deeply_is_kept_as_its_outline() -> None:
    deep: Any = "deep"
    for _ in range(100_000):
        deep = [deep]
    [kept] = recorded(("recv", {"jsonrpc": "2.0", "id": 1, "result": {"content": deep}}))
    assert kept.frame["result"] == {"content": "(left out)"}
    json.dumps(kept.as_json())


def test_memory_is_bounded_in_frames_and_in_characters_and_the_count_goes_on() -> None:
    recorder = Recorder()
    for _ in range(MOST_FRAMES + 50):
        recorder.see("send", CALL, 1)
    assert len(recorder.entries) == MOST_FRAMES
    assert recorder.seen == MOST_FRAMES + 50
    assert recorder.entries[-1].number == recorder.seen
    for _ in range(100):
        recorder.see(
            "recv", {"id": 3, "method": "elicitation/create", "params": {"message": "x" * 19_000}}, 2
        )
    assert sum(len(json.dumps(each.frame)) for each in recorder.entries) <= MOST_CHARACTERS
    recorder.see("recv", {"id": 3, "method": "elicitation/create", "params": {"message": "x" * 10**6}}, 2)
    assert len(json.dumps(recorder.entries[-1].frame)) < 1000
    assert recorder.entries[-1].session == 2
