"""2025-11-25: tools that only run as a task."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from jupyter_mcp_elicit.core.elicitation import Accept, Decline

from .conftest import Person, connected, on_a_loop, spec_of, text_of

pytestmark = pytest.mark.timeout(30)

FORM = {"message": "Name?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}


def slow(**more: Any) -> dict[str, Any]:
    return {"params": FORM, "pollInterval": 100, "ttl": 60_000, **more}


@on_a_loop
async def test_a_tool_that_needs_a_task_runs_as_one_and_asks_while_its_result_is_fetched() -> None:
    person = Person(Accept({"name": "Ada"}))
    async with connected(spec_of("raw", "legacy", "tasks", era="legacy"), person) as connection:
        started = asyncio.get_running_loop().time()
        # A second call at the same time: only the question's own word says which of them asks.
        other = asyncio.ensure_future(connection.call_tool("hang"))
        result = await connection.call_tool("slow", slow(), token="t")
        assert json.loads(text_of(result)) == [{"action": "accept", "content": {"name": "Ada"}}]
        # Two looks, and the server's own pause before each.
        assert asyncio.get_running_loop().time() - started >= 0.2
        other.cancel()
        await asyncio.wait({other})
        told = json.loads(text_of(await connection.call_tool("task")))
    assert told["events"] == ["get", "get", "result"]
    assert told["asked"] == {"ttl": 1_800_000}
    [asked] = person.asked
    assert (asked.cause.tool, asked.cause.certainty, person.tokens) == ("slow", "caused", ["t"])
    # The server keeps the task for a minute, and that is how long its question can wait.
    assert asked.within is not None
    assert 50 < asked.within <= 60


@on_a_loop
async def test_an_interrupted_call_cancels_its_task_and_keeps_the_connection() -> None:
    person = Person()
    async with connected(spec_of("raw", "legacy", "tasks", era="legacy"), person) as connection:
        call = asyncio.ensure_future(connection.call_tool("slow", slow()))
        await person.until(lambda: bool(person.asked))
        call.cancel()
        await asyncio.wait({call})
        assert call.cancelled()
        told = json.loads(text_of(await connection.call_tool("task")))
        assert told["events"][-1] == "cancel"
        await person.until(lambda: person.withdrawn == person.asked)


@on_a_loop
async def test_how_far_a_task_has_come_is_told_by_its_numbers_and_by_the_words_of_its_status() -> None:
    person = Person(Decline(), Decline())
    told: list[Any] = []
    # The second and third are no numbers; the fourth is somebody else's.
    numbers = [
        {"progress": 1, "total": 2, "message": "half"},
        {"progress": "2", "total": 2},
        {"progress": True},
        {"progress": 2, "progressToken": "another"},
    ]
    async with connected(spec_of("raw", "legacy", "tasks", era="legacy"), person) as connection:
        given = slow(statusMessage="Boiling", progress=numbers)
        await connection.call_tool("slow", given, on_progress=lambda *each: told.append(each))
        quiet: list[Any] = []
        given = slow(statusMessage=7, progress=[])
        await connection.call_tool("slow", given, on_progress=lambda *each: quiet.append(each))
    assert told == [(1.0, 2.0, "half"), (None, None, "Boiling")] * 2
    assert quiet == []


@on_a_loop
async def test_a_server_without_tasks_is_called_plainly() -> None:
    methods: list[str] = []

    def look(direction: str, frame: Any) -> None:
        if direction == "send":
            methods.append(getattr(frame, "method", ""))

    async with connected(spec_of("raw", "legacy", era="legacy"), on_frame=look) as connection:
        await connection.call_tool("answers")
    assert methods[-1] == "tools/call"
    assert "tools/list" not in methods
