"""What may not be asked, through the running Jupyter server: refused with its code, over every transport."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import Room, form
from .scribe import ERAS, PUSHED, ROUNDS, WAYS, Scribe, answers, scribe

pytestmark = pytest.mark.timeout(60)

URL = {"mode": "url", "message": "Sign in", "url": "https://bank.example/login", "elicitationId": "e"}
UNKNOWN = {**form(), "mode": "telepathy"}
NESTED = form(a={"type": "object", "properties": {"b": {"type": "string"}}})
MODES: dict[str, tuple[str, ...]] = {"all": (), "form": ("form",), "url": ("url",)}

#: By server: what it may not ask, and the code of the refusal.
REFUSED: list[tuple[str, dict[str, Any], int]] = [
    ("form", URL, -32602),
    ("url", form(), -32602),
    ("all", UNKNOWN, -32602),
    ("all", NESTED, -32602),
    ("nothing", form(), -32601),
    ("nothing", URL, -32601),
]


@pytest.fixture(scope="module", params=WAYS)
def server(request: pytest.FixtureRequest) -> Iterator[Scribe]:
    with scribe(request.param) as opened:
        yield opened


@pytest.fixture(params=WAYS)
def fresh(request: pytest.FixtureRequest) -> Iterator[Scribe]:
    """One that nobody is connected to yet."""
    with scribe(request.param) as opened:
        yield opened


def entries(server: Scribe, era: str) -> dict[str, Any]:
    """A server of each kind."""
    kinds = {name: server.entry(era, *modes) for name, modes in MODES.items()}
    return {**kinds, "nothing": {**server.entry(era), "elicitation": []}}


async def ask(room: Room, name: str, *params: Any) -> Any:
    texts = [json.dumps(each) for each in params]
    return await room.call(name, "ask", {"ask": texts, "state": "s"})


async def end(room: Room, stream: Any, era: str) -> list[Any]:
    """What the server was answered; where nothing can be refused, the error that its call ended with."""
    last = await room.end(stream)
    if last["type"] == "error":
        assert era == ROUNDS, last
        return [last["error"]]
    return answers(json.loads(last["result"]["content"][0]["text"]), era)


@pytest.mark.parametrize("era", ERAS)
async def test_what_cannot_be_asked_is_refused_with_its_code_and_shown_to_nobody(
    era: str, server: Scribe, open_room: Any
) -> None:
    room: Room = await open_room(entries(server, era))
    cases = list(REFUSED)
    if era == "2025-06-18":
        # It knows no addresses, so a connection that may show only those declares nothing.
        cases = [case for case in REFUSED if case[0] != "url"]
        cases += [("all", URL, -32602), ("url", form(), -32601), ("url", URL, -32601)]
    for name, params, code in cases:
        stream = await ask(room, name, params)
        [refused] = await end(room, stream, era)
        assert (name, params.get("mode"), refused["code"]) == (name, params.get("mode"), code)
        assert refused["message"]
        assert not [line for line in stream.lines if line["type"] == "elicit"]
    # All of them are as good as before.
    stream = await ask(room, "all", form())
    assert (await room.answer(await room.asked(stream), "cancel"))[0] == 200
    assert await end(room, stream, era) == [{"action": "cancel"}]


@pytest.mark.parametrize("era", PUSHED)
@pytest.mark.parametrize("unsolicited", ["show", "refuse"])
async def test_a_question_that_no_call_caused_is_shown_or_refused_as_the_user_wants(
    era: str, unsolicited: str, fresh: Scribe, open_room: Any
) -> None:
    room: Room = await open_room({"scribe": fresh.entry(era)}, unsolicited=unsolicited)
    asking: Any = None
    if fresh.url:
        await room.end(await room.call("scribe", "late"))
        asking = asyncio.ensure_future(asyncio.to_thread(fresh.unasked, form()))
    else:
        assert await room.result(await room.call("scribe", "later", {"ask": [json.dumps(form())]})) == "soon"

    async def answered() -> Any:
        if asking is not None:
            return await asking
        return await room.until(lambda: _late(room), "answer of its question")

    if unsolicited == "show":
        cards = await room.until(lambda: _cards(room), "question")
        [card] = cards
        assert card["cause"]["certainty"] == "none"
        assert (await room.answer(card, "decline"))[0] == 200
        assert (await answered())["result"] == {"action": "decline"}
    else:
        error = (await answered())["error"]
        assert error["code"] == -32602
        assert "did not cause" in error["message"]
        assert await _cards(room) == []


async def _cards(room: Room) -> Any:
    return (await room.request("GET", "elicitations"))[1]["elicitations"]


async def _late(room: Room) -> Any:
    texts = await room.result(await room.call("scribe", "late"))
    return json.loads(texts[0]) if texts else None


@pytest.mark.parametrize("era", PUSHED)
async def test_of_two_pushed_questions_one_is_refused_where_one_at_a_time_is_wanted(
    era: str, server: Scribe, open_room: Any
) -> None:
    room: Room = await open_room({"scribe": server.entry(era)}, when_busy="refuse")
    stream = await ask(room, "scribe", form("one"), form("two"))
    assert (await room.answer(await room.asked(stream), "decline"))[0] == 200
    got = await end(room, stream, era)
    assert sorted(each.get("code", 0) for each in got) == [-32600, 0]
    assert [each for each in got if "code" not in each] == [{"action": "decline"}]


async def test_questions_of_one_round_stand_side_by_side_even_where_one_at_a_time_is_wanted(
    server: Scribe, open_room: Any
) -> None:
    room: Room = await open_room({"scribe": server.entry(ROUNDS)}, when_busy="refuse")
    stream = await ask(room, "scribe", form("one"), form("two"), URL)
    cards = [await room.asked(stream) for _ in range(3)]
    # Another call's question is one too many, and its call ends.
    [busy] = await end(room, await ask(room, "scribe", form("three"), form("four")), ROUNDS)
    assert busy["code"] == -32600
    for card in cards:
        assert (await room.answer(card, "decline"))[0] == 200
    assert await end(room, stream, ROUNDS) == [{"action": "decline"}] * 3
    # And once they are over, the next may be asked.
    stream = await ask(room, "scribe", form("five"))
    assert (await room.answer(await room.asked(stream), "decline"))[0] == 200
    assert await end(room, stream, ROUNDS) == [{"action": "decline"}]


@pytest.mark.parametrize("era", PUSHED)
async def test_a_question_that_the_server_takes_back_is_over_and_no_answer_of_it_is_sent(
    era: str, fresh: Scribe, open_room: Any
) -> None:
    room: Room = await open_room({"scribe": fresh.entry(era)})
    stream = await ask(room, "scribe", form())
    card = await room.asked(stream)
    assert await room.result(await room.call("scribe", "take_back")) == "done"
    assert await room.result(stream) == [""]

    async def over() -> Any:
        shape = await room.card(card)
        return shape if shape["outcome"] else None

    shape = await room.until(over, "end of the question")
    assert (shape["state"], shape["outcome"]["action"]) == ("withdrawn", "cancel")
    answer = {"draft": [["name", "Ada"]]}
    assert (await room.answer(card, "accept", **answer))[0] == 410
    assert await room.result(await room.call("scribe", "late")) == []
