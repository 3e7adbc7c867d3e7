"""The bytes that a server gets: numbers, letters, defaults and states as they were, over every transport."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import Room
from .scribe import ERAS, ROUNDS, WAYS, Scribe, answers, scribe

pytestmark = pytest.mark.timeout(60)

PAGE = {"Sec-Fetch-Site": "same-origin"}
#: Quotes, escapes, a line separator, a letter beyond the first plane, blanks at both ends.
LETTERS = ' "é" \\ \u2028 \U0001f600 1.50 </script> '
STATE = LETTERS + "\u0000\u007f"

FIELDS = {
    "big": '{"type": "integer", "default": 12345678901112131}',
    "whole": '{"type": "number", "default": 1.0}',
    "much": '{"type": "number", "default": 1e3}',
    "little": '{"type": "number", "default": -0.1}',
    "words": json.dumps({"type": "string", "default": LETTERS}),
    "empty": '{"type": "string", "default": ""}',
    "no": '{"type": "boolean", "default": false}',
    "some": '{"type": "array", "items": {"type": "string", "enum": ["b", "a"]}, "default": []}',
    "left": '{"type": "string"}',
    "typed big": '{"type": "integer"}',
    "typed share": '{"type": "number"}',
    "typed much": '{"type": "number"}',
    "typed words": '{"type": "string"}',
    "chosen": '{"type": "string", "enum": ["", "é"]}',
}
_LISTED = ", ".join(f"{json.dumps(name)}: {spec}" for name, spec in FIELDS.items())
FORM = f'{{"message": "Bytes?", "requestedSchema": {{"type": "object", "properties": {{{_LISTED}}}}}}}'
TYPED = {
    "typed big": "-12345678901112131",
    "typed share": "0.10",
    "typed much": "1e3",
    "typed words": f"{LETTERS}\n",
    "chosen": "1",
}
#: As it must be written: names in this order, and values with every digit; 1e3 is 1000.0 in the SDK's JSON.
CONTENT = {
    "big": "12345678901112131",
    "whole": "1.0",
    "much": "1000.0",
    "little": "-0.1",
    "words": LETTERS,
    "empty": "",
    "no": False,
    "some": [],
    "typed big": "-12345678901112131",
    "typed share": "0.1",
    "typed much": "1000.0",
    "typed words": f"{LETTERS}\n",
    "chosen": "é",
}


@pytest.fixture(scope="module", params=WAYS)
def server(request: pytest.FixtureRequest) -> Iterator[Scribe]:
    with scribe(request.param) as opened:
        yield opened


async def told(room: Room, ask: str, answer: Any) -> list[str]:
    """The texts that the server got for this question; ``answer`` makes the page's answer from the card."""
    stream = await room.call("scribe", "ask", {"ask": [ask], "state": STATE})
    card = await room.asked(stream)
    status, shape = await room.request("POST", f"elicitations/{card['id']}/answer", answer(card), **PAGE)
    assert status == 200, shape
    return list(await room.result(stream))


def exactly(text: str) -> Any:
    """JSON with the digits of its numbers as they are written."""
    return json.loads(text, parse_int=str, parse_float=str)


@pytest.mark.parametrize("era", ERAS)
async def test_what_was_typed_and_what_was_left_alone_arrive_digit_by_digit_and_letter_by_letter(
    era: str, server: Scribe, open_room: Any
) -> None:
    def fill(card: dict[str, Any]) -> dict[str, Any]:
        return {"action": "accept", "draft": [[name, TYPED.get(name, left)] for name, left in card["draft"]]}

    room: Room = await open_room({"scribe": server.entry(era)})
    [text] = await told(room, FORM, fill)
    frame = exactly(text)
    got = frame["params"]["inputResponses"]["k0"] if era == ROUNDS else frame["result"]
    assert got == {"action": "accept", "content": CONTENT}
    assert list(got["content"]) == list(CONTENT)
    if era == ROUNDS:
        assert frame["params"]["requestState"] == STATE


URL = '{"mode": "url", "message": "Open", "url": "https://bank.example/login", "elicitationId": "e"}'


@pytest.mark.parametrize("era", ERAS)
async def test_an_answer_without_content_has_no_trace_of_one(
    era: str, server: Scribe, open_room: Any
) -> None:
    room: Room = await open_room({"scribe": server.entry(era)})
    cases = [(FORM, "decline"), (FORM, "cancel")]
    if era != "2025-06-18":
        cases += [(URL, action) for action in ("accept", "decline", "cancel")]
    for ask, action in cases:
        texts = await told(room, ask, lambda _, action=action: {"action": action})
        assert answers(texts, era) == [{"action": action}]
        assert '"content"' not in texts[0]
        assert "null" not in texts[0].replace('\\"', "")
