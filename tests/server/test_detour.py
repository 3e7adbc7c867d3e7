"""A tool that cannot ask in the newest era: the way back is offered, agreed to, and remembered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Room, configure, form, raw

pytestmark = pytest.mark.timeout(60)

TRAPS = (
    "Cannot send: this transport context has no back-channel for server-initiated requests.",
    "elicitation via server-initiated requests is unavailable on 2026-07-28 connections.",
    "Server-to-client requests are not available on protocol revision 2026-07-28: no.",
)


def trapped(trap: str = TRAPS[0], **more: Any) -> dict[str, Any]:
    return {"trap": trap, "params": form(), **more}


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("as_", ["error", "result"])
async def test_at_a_persons_word_it_is_called_again_in_the_handshake_era_and_that_is_remembered(
    trap: str, as_: str, open_room: Any, jp_config_dir: Path, jp_data_dir: Path
) -> None:
    room: Room = await open_room({"raw": raw("modern")})
    stream = await room.call("raw", "trapped", trapped(trap, **{"as": as_}))
    offer = await room.asked(stream)
    assert (offer["asker"]["kind"], offer["fields"], offer["cause"]["tool"]) == ("jupyter", [], "trapped")
    assert "may be done a second time" in offer["message"]
    assert (await room.answer(offer, "accept", draft=[]))[0] == 200
    card = await room.asked(stream)
    assert (card["message"], card["asker"]["name"]) == ("Name?", "raw")
    assert (await room.answer(card, "accept", draft=[["name", "Ada"]]))[0] == 200
    assert await room.result(stream) == [{"action": "accept", "content": {"name": "Ada"}}]
    assert (await room.card(offer))["outcome"]["delivery"] == "done"
    # Another owner's connection starts in that era, and nobody is asked again.
    stream = await room.call("raw", "trapped", trapped(trap), agent="another")
    assert (await room.asked(stream))["message"] == "Name?"
    stored = json.loads((jp_data_dir / "mcp-elicit" / "started.json").read_text("utf-8"))
    assert stored["servers"]["raw"]["era"] == "legacy"
    # An entry that changed is another server: it is tried anew.
    configure(jp_config_dir, {"raw": raw("modern", "changed")})
    stream = await room.call("raw", "trapped", trapped(trap), agent="third")
    agreed = await room.asked(stream)
    assert "has changed" in agreed["message"]
    await room.answer(agreed, "accept", draft=[])
    assert "call it again?" in (await room.asked(stream))["message"]


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_without_a_yes_it_is_called_once_and_its_failure_names_the_way_out(
    action: str, open_room: Any
) -> None:
    room: Room = await open_room({"raw": raw("modern")})
    for _ in range(2):
        stream = await room.call("raw", "trapped", trapped())
        assert (await room.answer(await room.asked(stream), action))[0] == 200
        result = (await room.end(stream))["result"]
        assert result["isError"] is True
        assert 'Set "era": "legacy"' in result["_meta"]["jupyter-mcp-elicit/hint"]
    # Called once each time, and never again by itself.
    assert await room.result(await room.call("raw", "seen")) == 2


@pytest.mark.parametrize("asks", ["script", "nobody"])
async def test_where_no_person_is_there_the_hint_alone_is_given(asks: str, open_room: Any) -> None:
    room: Room = await open_room({"raw": raw("modern")})
    stream = await room.call("raw", "trapped", trapped(), asks=asks)
    line = await room.end(stream)
    assert 'connect(…, era="legacy")' in line["result"]["_meta"]["jupyter-mcp-elicit/hint"]
    assert [each["type"] for each in stream.lines] == ["result"]


async def test_an_era_in_the_configuration_wins_over_what_is_remembered(
    open_room: Any, jp_config_dir: Path
) -> None:
    room: Room = await open_room({"raw": raw("modern")})
    stream = await room.call("raw", "trapped", trapped())
    await room.answer(await room.asked(stream), "accept", draft=[])
    await room.answer(await room.asked(stream), "decline")
    assert await room.result(stream) == [{"action": "decline"}]
    configure(jp_config_dir, {"raw": {**raw("modern"), "era": "2026-07-28"}})
    stream = await room.call("raw", "trapped", trapped())
    # Insisted on: no other era is offered.
    assert (await room.end(stream))["result"]["isError"] is True
    assert [each["type"] for each in stream.lines] == ["result"]
