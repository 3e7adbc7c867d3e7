"""``POST calls`` for prompts, resources and lists of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import Room, raw

pytestmark = pytest.mark.timeout(60)


@pytest.mark.parametrize(
    ("about", "arguments"),
    [({"prompt": "greet"}, {"how": "warmly"}), ({"resource": "raw://menu"}, {})],
)
async def test_a_prompt_and_a_resource_are_asked_for_like_a_tool(
    about: dict[str, str], arguments: dict[str, str], open_room: Any
) -> None:
    room: Room = await open_room({"raw": raw("modern")})
    stream = await room.stream("calls", {"server": "raw", **about, "arguments": arguments})
    card = await room.asked(stream)
    assert card["cause"]["tool"] == next(iter(about.values()))
    assert (await room.answer(card, "accept", draft=[["name", "Ada"]]))[0] == 200
    line = await room.end(stream)
    result = line["result"]
    text = result["contents"][0]["text"] if "resource" in about else result["messages"][0]["content"]["text"]
    assert json.loads(text)["inputResponses"] == {"k": {"action": "accept", "content": {"name": "Ada"}}}
    assert json.loads(text)["requestState"] == "s é"
    assert (await room.card(card))["outcome"]["delivery"] == "done"


async def test_lists_come_by_their_names(open_room: Any) -> None:
    room: Room = await open_room()
    for what, names in (("prompts", ["greet"]), ("resources", ["menu"]), ("tools", [])):
        stream = await room.stream("calls", {"server": "raw", "list": what})
        assert [each["name"] for each in (await room.end(stream))["result"][what]] == names


@pytest.mark.parametrize(
    "about",
    [
        {},
        {"tool": "a", "prompt": "b"},
        {"prompt": 7},
        {"list": "secrets"},
        {"prompt": "greet", "arguments": {"n": 1}},
        {"resource": "raw://menu", "arguments": []},
    ],
)
async def test_a_call_of_nothing_or_of_two_things_is_refused(about: dict[str, Any], open_room: Any) -> None:
    room: Room = await open_room()
    assert (await room.request("POST", "calls", {"server": "raw", **about}))[0] == 400
