"""What a call's questions go through: trust in the entry, turns, deadlines, and the site's rules."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest
from door import Stream
from jupyter_process import JupyterProcess, wait_until
from kernel_client import KernelClient

from jupyter_mcp_elicit.server.handlers import stream as stream_handler

from .conftest import Room, configure, form, raw

pytestmark = pytest.mark.timeout(60)

CHANGED = raw("legacy", "changed")
#: A keyword that the specification does not know.
OUTSIDE = form(name={"type": "string", "writeOnly": True})

#: Over stdio nothing links a question to one of several calls at once: tests of two calls need two servers.
TWO = {"raw": raw(), "other": raw()}


async def push(room: Room, server: str = "raw", **more: Any) -> tuple[Stream, dict[str, Any]]:
    """A call that waits for its question, and the question's card."""
    stream = await room.call(server, "push", {"params": form()}, **more)
    return stream, await room.asked(stream)


async def start(room: Room, **more: Any) -> dict[str, Any]:
    """The last line of a call that asks nothing."""
    return await room.end(await room.call("raw", "cancelled", **more))


async def test_a_changed_entry_starts_after_a_person_agreed_to_it_once(
    open_room: Any, jp_config_dir: Path, jp_data_dir: Path
) -> None:
    room: Room = await open_room()
    assert (await start(room))["type"] == "result"
    configure(jp_config_dir, {"raw": {**CHANGED, "env": {"SECRET": "planted-value"}}})
    stream = await room.call("raw", "cancelled")
    card = await room.asked(stream)
    assert card["asker"] == {"name": "Jupyter", "kind": "jupyter", "transport": "", "callsItself": ""}
    assert card["cause"] == {"tool": "raw", "arguments": "", "certainty": "caused"} | {
        "round": 0,
        "number": 0,
        "of": 0,
    }
    assert 'The entry "raw" has changed since it last started:' in card["message"]
    assert "legacy changed" in card["message"]
    assert "env: SECRET added" in card["message"]
    assert card["fields"] == []
    assert (await room.answer(card, "accept", draft=[]))[0] == 200
    assert (await room.end(stream))["type"] == "result"
    # It was for Jupyter itself, and it arrived.
    assert (await room.card(card))["outcome"]["delivery"] == "done"
    for agent in ("api", "another"):
        again = await room.call("raw", "cancelled", agent=agent)
        assert (await room.end(again))["type"] == "result"
        assert [line["type"] for line in again.lines] == ["result"]
    remembered = (jp_data_dir / "mcp-elicit" / "started.json").read_text("utf-8")
    assert "raw" in json.loads(remembered)["servers"]
    assert "planted-value" not in card["message"] + remembered


def test_the_question_about_a_changed_entry_appears_under_the_cell(house: JupyterProcess) -> None:
    others = {"raw": raw(), "modern": raw("modern")}
    call = "print(await server.call_tool('cancelled'))"
    try:
        house.configure({**others, "changing": raw("legacy", "one")})
        with closing(KernelClient(house)) as kernel:
            kernel.run("from jupyter_mcp_elicit import connect\nserver = await connect('changing')")
            house.configure({**others, "changing": raw("legacy", "two")})
            for action, said in (("decline", "nobody agreed to the change"), ("accept", "[]")):
                cell = kernel.start(call)
                [card] = house.wait_for_cards()
                assert card["asker"]["kind"] == "jupyter"
                wait_until(lambda: cell.question_ids == [card["id"]], "form under the cell")  # noqa: B023
                assert house.answer(card["id"], action, draft=[])[0] == 200
                assert said in cell.wait().text
                assert "Traceback" not in cell.text
            assert kernel.run(call).text.strip() == "[]"
    finally:
        house.configure(others)


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_without_a_yes_a_changed_entry_is_not_started_and_is_asked_about_again(
    action: str, open_room: Any, jp_config_dir: Path, tmp_path: Path
) -> None:
    room: Room = await open_room()
    await start(room)
    trace = tmp_path / "ran"
    ran = {"command": sys.executable, "args": ["-c", f"open({str(trace)!r}, 'w')"]}
    configure(jp_config_dir, {"raw": ran})
    for _ in range(2):
        stream = await room.call("raw", "cancelled")
        assert (await room.answer(await room.asked(stream), action))[0] == 200
        last = await room.end(stream)
        assert last["error"]["message"] == (
            '"raw" was not started: its entry changed and nobody agreed to the change.'
        )
        assert last["error"]["hint"] == "Check mcp.json, then call again."
    assert not trace.exists()
    # As it was is as it was agreed to.
    configure(jp_config_dir, {"raw": raw()})
    assert (await start(room))["type"] == "result"


@pytest.mark.parametrize(
    ("asks", "hint"),
    [
        ("nobody", "Check mcp.json, then call again."),
        ("script", "Check mcp.json, then call again once without a script, and agree to it."),
    ],
)
async def test_where_no_person_is_asked_a_changed_entry_is_not_started(
    asks: str, hint: str, open_room: Any, jp_config_dir: Path
) -> None:
    room: Room = await open_room()
    await start(room)
    configure(jp_config_dir, {"raw": CHANGED})
    error = (await start(room, asks=asks))["error"]
    assert "nobody agreed" in error["message"]
    assert error["hint"] == hint


async def test_a_kernels_code_cannot_agree_to_a_changed_entry(open_room: Any, jp_config_dir: Path) -> None:
    room: Room = await open_room()
    await start(room)
    configure(jp_config_dir, {"raw": CHANGED})
    kernel = room.door.kernel(await room.app.kernel_manager.start_kernel())
    stream = await room.stream("servers/raw/tools", {}, kernel)
    card = await room.asked(stream)
    for answer in (
        {"action": "accept", "draft": []},
        {"action": "accept", "content": {}, "scripted": True},
        {"action": "decline"},
    ):
        reply = await room.as_kernel(kernel, "POST", f"elicitations/{card['id']}/answer", answer)
        assert reply.status == 403
        assert "Only a person can answer this" in reply.json["message"]
    assert (await room.answer(card, "accept", draft=[]))[0] == 200
    assert (await room.end(stream))["result"] == {"tools": []}


async def test_what_started_at_the_second_try_is_remembered_too(
    open_room: Any, jp_config_dir: Path, tmp_path: Path
) -> None:
    late = {"command": str(tmp_path / "late"), "args": ["legacy"]}
    room: Room = await open_room({"raw": late})
    assert "There is no command" in (await start(room))["error"]["message"]
    script = f'#!/bin/sh\nexec {sys.executable} {raw()["args"][0]} "$@"\n'
    (tmp_path / "late").write_text(script)
    (tmp_path / "late").chmod(0o755)
    assert (await start(room))["type"] == "result"
    configure(jp_config_dir, {"raw": CHANGED})
    stream = await room.call("raw", "cancelled")
    assert (await room.asked(stream))["asker"]["kind"] == "jupyter"


async def test_an_entry_that_changes_while_its_server_runs_replaces_it(
    open_room: Any, jp_config_dir: Path
) -> None:
    room: Room = await open_room()
    await start(room)
    # Not what is started, only how it is treated: nobody is asked.
    configure(jp_config_dir, {"raw": raw(deadline=0.01)})
    stream = await room.call("raw", "push", {"params": form()})
    assert await room.result(stream) == [{"action": "cancel"}]
    assert stream.lines[-2]["card"]["state"] == "expired"


async def test_side_by_side_a_second_question_stands_beside_the_first(open_room: Any) -> None:
    room: Room = await open_room(TWO)
    first, shown = await push(room)
    second, beside = await push(room, "other")
    assert (shown["state"], beside["state"]) == ("pending", "pending")
    assert (await room.answer(beside, "decline"))[0] == 200
    assert await room.result(second) == [{"action": "decline"}]
    assert (await room.answer(shown, "decline"))[0] == 200
    assert await room.result(first) == [{"action": "decline"}]


async def test_queue_lets_a_second_question_wait_its_turn(open_room: Any) -> None:
    room: Room = await open_room(TWO, when_busy="queue")
    first, shown = await push(room)
    second, waiting = await push(room, "other")
    assert (waiting["state"], waiting["secondsLeft"]) == ("queued", None)
    status, shape = await room.answer(waiting, "accept", draft=[["name", "Ada"]])
    assert status == 422
    assert shape["problems"] == [["", "Another question has to be answered before this one."]]
    await room.answer(shown, "decline")
    assert (await room.next(second, "update"))["card"]["state"] == "pending"
    assert (await room.card(waiting))["secondsLeft"] > 590
    await room.answer(waiting, "accept", draft=[["name", "Ada"]])
    assert await room.result(first) == [{"action": "decline"}]
    assert await room.result(second) == [{"action": "accept", "content": {"name": "Ada"}}]


async def test_queue_lets_the_one_that_waits_be_cancelled_and_interrupted(open_room: Any) -> None:
    room: Room = await open_room({**TWO, "third": raw()}, when_busy="queue")
    (first, shown), (second, waiting), (third, last) = [await push(room, name) for name in (*TWO, "third")]
    assert [each["state"] for each in (shown, waiting, last)] == ["pending", "queued", "queued"]
    assert (await room.answer(waiting, "cancel"))[0] == 200
    assert await room.result(second) == [{"action": "cancel"}]
    first.close()
    assert (await room.next(third, "update"))["card"]["state"] == "pending"
    over = await room.card(shown)
    assert (over["state"], over["outcome"]["withdrawnBy"]) == ("withdrawn", "caller")


async def test_refuse_answers_a_second_question_with_an_error_and_shows_nothing(open_room: Any) -> None:
    room: Room = await open_room({**TWO, "modern": raw("modern")}, when_busy="refuse")
    first, card = await push(room)
    second = await room.call("other", "push", {"params": form()})
    [error] = await room.result(second)
    assert error["code"] == -32600
    assert [line["type"] for line in second.lines] == ["notice", "result"]
    # Inside a result there is no error to answer with: the call fails here, for the same reason.
    asking = {"rounds": 1, "requests": {"q": {"method": "elicitation/create", "params": form()}}}
    third = await room.call("modern", "rounds", asking)
    last = await room.end(third)
    assert (last["error"]["kind"], last["error"]["code"]) == ("remote", -32600)
    await room.answer(card, "decline")
    assert await room.result(first) == [{"action": "decline"}]


async def test_more_questions_than_allowed_are_refused_for_a_connection_and_for_an_owner(
    open_room: Any,
) -> None:
    room: Room = await open_room(TWO, max_pending_per_connection=2, max_pending=3)
    flood = await room.call("raw", "flood", {"params": form(), "times": 3})
    first = [await room.asked(flood) for _ in range(2)]
    second = await room.call("other", "flood", {"params": form(), "times": 2})
    last = await room.asked(second)
    _, shape = await room.request("GET", "elicitations")
    assert len(shape["elicitations"]) == 3
    for card in (*first, last):
        assert (await room.answer(card, "decline"))[0] == 200
    for stream, allowed in ((flood, 2), (second, 1)):
        answers = await room.result(stream)
        assert [each.get("code") for each in answers if "code" in each] == [-32600]
        assert sum(each.get("action") == "decline" for each in answers) == allowed


async def test_a_deadline_ends_in_cancel_and_says_expired(open_room: Any) -> None:
    room: Room = await open_room(deadline=0.05)
    stream, card = await push(room)
    assert 0 < card["secondsLeft"] <= 0.05
    assert await room.result(stream) == [{"action": "cancel"}]
    card = await room.card(card)
    assert card["state"] == "expired"
    assert (card["outcome"]["action"], card["outcome"]["reason"]) == ("cancel", "expired")
    status, shape = await room.answer(card, "accept", draft=[["name", "Ada"]])
    assert status == 410
    assert "has run out of time" in shape["message"]


@pytest.mark.parametrize(("traits", "left"), [({"deadline": None}, None), ({"deadline": 1000.0}, 1000)])
async def test_the_trait_deadline_holds_where_the_entry_names_none(
    traits: dict[str, Any], left: float | None, open_room: Any
) -> None:
    room: Room = await open_room({"raw": raw(), "hasty": raw(deadline=5)}, **traits)
    _, card = await push(room)
    assert card["secondsLeft"] is None if left is None else left - 30 < card["secondsLeft"] <= left
    _, card = await push(room, "hasty")
    assert card["secondsLeft"] <= 5


async def test_strict_refuses_what_lenient_shows_with_a_note(open_room: Any) -> None:
    room: Room = await open_room()
    card = await room.asked(await room.call("raw", "push", {"params": OUTSIDE}))
    assert "writeOnly" in " ".join(card["notes"])


async def test_strict_refuses_a_schema_outside_the_specification(open_room: Any) -> None:
    room: Room = await open_room(schema_policy="strict")
    stream = await room.call("raw", "push", {"params": OUTSIDE})
    [error] = await room.result(stream)
    assert error["code"] == -32602
    assert "writeOnly" in error["message"]
    assert [line["type"] for line in stream.lines] == ["notice", "result"]
    status, shape = await room.request("POST", "elicitations", OUTSIDE)
    assert (status, shape["code"]) == (400, -32602)


async def test_a_question_that_no_call_caused_is_shown_and_marked_so(open_room: Any) -> None:
    room: Room = await open_room()
    stream = await room.call("raw", "later", {"params": form("Late?")})
    assert await room.result(stream) == "soon"

    async def late() -> Any:
        _, shape = await room.request("GET", "elicitations")
        return shape["elicitations"]

    [card] = await room.until(late, "late question")
    assert (card["message"], card["cause"]["certainty"]) == ("Late?", "none")
    # Whoever calls next sees it too, since it might be for them.
    next_call = await room.call("raw", "hang")
    assert (await room.asked(next_call))["id"] == card["id"]
    assert (await room.answer(card, "decline"))[0] == 200
    assert (await room.card(card))["outcome"]["delivery"] == "done"
    answers = await room.result(await room.call("raw", "answers"))
    assert answers == {"late": [{"action": "decline"}]}


async def test_a_question_that_no_call_caused_can_be_refused(open_room: Any) -> None:
    room: Room = await open_room(unsolicited="refuse")
    await room.result(await room.call("raw", "later", {"params": form("Late?")}))

    async def refused() -> Any:
        return (await room.result(await room.call("raw", "answers"))).get("late")

    [error] = await room.until(refused, "refusal")
    assert error["code"] == -32602
    assert (await room.request("GET", "elicitations"))[1] == {"elicitations": []}


async def test_a_server_that_never_says_hello_is_given_up(open_room: Any) -> None:
    silent = {"command": sys.executable, "args": ["-c", "import time; time.sleep(60)"]}
    room: Room = await open_room({"raw": silent}, open_timeout=0.3)
    last = await start(room)
    assert last["error"]["kind"] == "local"
    assert "did not finish connecting within 0.3 seconds" in last["error"]["message"]


async def test_the_record_says_how_an_answer_came_and_whether_it_arrived(open_room: Any) -> None:
    room: Room = await open_room()
    for headers, channel in (({"Sec-Fetch-Site": "same-origin"}, "page"), ({}, "api")):
        stream, card = await push(room)
        body = {"action": "accept", "draft": [["name", "Ada"]]}
        status, shape = await room.request("POST", f"elicitations/{card['id']}/answer", body, **headers)
        assert (status, shape["card"]["outcome"]["channel"]) == (200, channel)
        assert shape["card"]["outcome"]["by"].startswith("Anonymous")
        await room.result(stream)
        assert [line["card"]["outcome"]["delivery"] for line in stream.lines if line["type"] == "update"] == [
            "owed",
            "sent",
            "done",
        ]


async def test_an_answer_whose_server_died_is_lost_and_says_so(open_room: Any, jp_config_dir: Path) -> None:
    room: Room = await open_room()
    await start(room)
    configure(jp_config_dir, {"raw": raw("legacy", "victim")})
    stream = await room.call("raw", "push", {"params": form(), "times": 2})
    trust = await room.asked(stream)
    await room.answer(trust, "accept", draft=[])
    cards = [await room.asked(stream) for _ in range(2)]
    await room.answer(cards[0], "decline")
    while (await room.card(cards[0]))["outcome"]["delivery"] != "sent":
        await room.next(stream, "update")
    [victim] = [each for each in psutil.Process().children() if each.cmdline()[-1] == "victim"]
    victim.kill()
    assert (await room.end(stream))["type"] == "error"
    assert (await room.card(cards[0]))["outcome"]["delivery"] == "lost"
    assert (await room.card(cards[1]))["state"] == "withdrawn"
    # What Jupyter itself asked has arrived, whatever became of the call.
    assert (await room.card(trust))["outcome"]["delivery"] == "done"


async def test_a_caller_that_goes_away_takes_its_question_along_and_no_other(
    open_room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # At once, not when the next sign of life cannot be sent.
    monkeypatch.setattr(stream_handler, "HEARTBEAT", 3600.0)
    room: Room = await open_room(TWO)
    (gone, withdrawn), (stays, open_card) = [await push(room, name) for name in TWO]
    gone.close()

    async def is_withdrawn() -> bool:
        return bool((await room.card(withdrawn))["state"] == "withdrawn")

    await room.until(is_withdrawn, "withdrawn question")
    assert (await room.answer(open_card, "decline"))[0] == 200
    assert await room.result(stays) == [{"action": "decline"}]
    # The server heard that nobody waits, and its connection goes on.
    assert len(await room.result(await room.call("raw", "cancelled"))) == 1


async def test_of_two_answers_at_once_one_wins_and_the_other_is_told(open_room: Any) -> None:
    room: Room = await open_room()
    for _ in range(20):
        stream = await room.stream("elicitations", form())
        card = await room.asked(stream)
        replies = await asyncio.gather(
            room.answer(card, "accept", draft=[["name", "Ada"]], answerId="one"),
            room.answer(card, "decline", answerId="two"),
        )
        assert sorted(status for status, _ in replies) == [200, 409]
        [winner] = [shape["card"]["outcome"]["action"] for status, shape in replies if status == 200]
        [told] = [shape["card"]["outcome"]["action"] for status, shape in replies if status == 409]
        assert winner == told == (await room.end(stream))["answer"]["action"]


async def test_text_that_cannot_be_sent_is_a_problem_of_its_field(open_room: Any) -> None:
    room: Room = await open_room()
    stream, card = await push(room)
    # Half of a character: JSON can say it, UTF-8 cannot.
    status, shape = await room.answer(card, "accept", draft=[["name", "\ud800"]])
    assert (status, [name for name, _ in shape["problems"]]) == (422, ["name"])
    assert (await room.answer(card, "accept", draft=[["name", "\U0001f600"]]))[0] == 200
    assert await room.result(stream) == [{"action": "accept", "content": {"name": "\U0001f600"}}]
