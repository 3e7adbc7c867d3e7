"""What a task asks stands under the cell that called it, for as long as the server keeps the task."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Room, form, raw

pytestmark = pytest.mark.timeout(60)

SLOW = {"params": form(), "pollInterval": 50, "ttl": 60_000}


async def test_the_card_of_a_tasks_question_names_its_call_and_ends_with_the_task(open_room: Any) -> None:
    room: Room = await open_room({"raw": {**raw("legacy", "tasks"), "era": "legacy"}})
    stream = await room.call("raw", "slow", SLOW)
    card = await room.asked(stream)
    assert (card["cause"]["tool"], card["cause"]["certainty"]) == ("slow", "caused")
    # Ours would be ten minutes.
    assert 50 < card["secondsLeft"] <= 60
    assert (await room.answer(card, "accept", draft=[["name", "Ada"]]))[0] == 200
    assert await room.result(stream) == [{"action": "accept", "content": {"name": "Ada"}}]


async def test_a_shorter_deadline_of_ours_holds(open_room: Any) -> None:
    room: Room = await open_room({"raw": {**raw("legacy", "tasks"), "era": "legacy"}}, deadline=20.0)
    card = await room.asked(await room.call("raw", "slow", SLOW))
    assert card["secondsLeft"] <= 20


async def test_the_cell_is_told_what_the_status_of_its_task_says(open_room: Any) -> None:
    room: Room = await open_room({"raw": {**raw("legacy", "tasks"), "era": "legacy"}})
    stream = await room.call("raw", "slow", {**SLOW, "statusMessage": "Boiling"})
    line = await room.next(stream, "progress")
    assert line == {"type": "progress", "progress": None, "total": None, "message": "Boiling"}
