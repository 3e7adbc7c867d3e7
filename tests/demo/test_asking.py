"""Asking, pushed and in rounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError

from .conftest import accept

Visiting = Callable[..., Any]

ERAS = ("2025-06-18", "2025-11-25", "2026-07-28")
CANCEL = types.ElicitResult(action="cancel")
TABLE = {
    "name": "Grace",
    "email": "grace@example.org",
    "date": "2026-12-24",
    "time": "18:00",
    "seating": "bar",
}


@pytest.mark.parametrize("era", ERAS)
def test_an_answer_to_the_second_asking_counts(visiting: Visiting, era: str) -> None:
    async def scenario() -> None:
        async with visiting([CANCEL, accept(TABLE)], era=era) as guest:
            result = await guest.call("book_table", party=2)
            assert result.structured_content["status"] == "booked"

    anyio.run(scenario)


@pytest.mark.parametrize("era", ERAS)
def test_an_empty_elicitation_capability_means_form_mode(visiting: Visiting, era: str) -> None:
    async def scenario() -> None:
        async with visiting([accept(TABLE)], modes={}, era=era) as guest:
            assert (await guest.call("book_table", party=4)).structured_content["status"] == "booked"

    anyio.run(scenario)


def test_many_questions_at_once_are_each_answered_for_themselves(visiting: Visiting) -> None:
    async def scenario() -> None:
        async def echo(params: types.ElicitRequestFormParams) -> types.ElicitResult:
            return accept({**TABLE, "notes": params.message})

        async with visiting([echo] * 20) as guest:
            results: dict[int, types.CallToolResult] = {}

            async def book(party: int) -> None:
                results[party] = await guest.call("book_table", party=party)

            async with anyio.create_task_group() as tasks:
                for party in range(1, 13):
                    tasks.start_soon(book, party)
            assert all(f"for {party}:" in r.structured_content["notes"] for party, r in results.items())
            assert len({r.structured_content["code"] for r in results.values()}) == 12

    anyio.run(scenario)


async def first_round(guest: Any, **arguments: Any) -> types.InputRequiredResult:
    result = await guest.client.session.call_tool("book_table", arguments, allow_input_required=True)
    assert isinstance(result, types.InputRequiredResult)
    return result


def test_a_retry_without_the_answer_is_asked_again(visiting: Visiting) -> None:
    async def scenario() -> None:
        async with visiting([], era="2026-07-28") as guest:
            paused = await first_round(guest, party=4)
            again = await guest.client.session.call_tool(
                "book_table", {"party": 4}, request_state=paused.request_state, allow_input_required=True
            )
            assert again.input_requests == paused.input_requests

    anyio.run(scenario)


def test_an_answer_to_a_question_that_was_never_asked_is_ignored(visiting: Visiting) -> None:
    async def scenario() -> None:
        async with visiting([], era="2026-07-28") as guest:
            await guest.client.list_tools()
            asked = await guest.client.session.call_tool(
                "book_table",
                {"party": 4},
                input_responses={"table": accept(TABLE)},
                allow_input_required=True,
            )
            assert isinstance(asked, types.InputRequiredResult)
            assert guest.journal() == []

    anyio.run(scenario)


@pytest.mark.parametrize("spoil", ["tampered", "other arguments", "expired"])
def test_a_state_that_is_not_ours_fresh_and_for_this_call_is_refused(visiting: Visiting, spoil: str) -> None:
    async def scenario() -> None:
        patience = 1e-6 if spoil == "expired" else 600.0
        async with visiting([], era="2026-07-28", patience=patience) as guest:
            paused = await first_round(guest, party=4)
            state = paused.request_state
            assert state is not None
            assert "table" not in state
            if spoil == "tampered":
                state = state[:-4] + ("AAAA" if not state.endswith("AAAA") else "BBBB")
            with pytest.raises(MCPError) as caught:
                await guest.client.session.call_tool(
                    "book_table",
                    {"party": 5 if spoil == "other arguments" else 4},
                    input_responses={"table": accept(TABLE)},
                    request_state=state,
                    allow_input_required=True,
                )
            assert caught.value.code == -32602
            assert guest.journal() == []

    anyio.run(scenario)
