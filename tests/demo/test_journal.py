"""The server's own record: what came back, as it came."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import mcp_types as types
import pytest

from .conftest import text

Visiting = Callable[..., Any]

ERAS = ("2025-06-18", "2025-11-25", "2026-07-28")
DECLINE = types.ElicitResult(action="decline")


@pytest.mark.parametrize("era", ERAS)
def test_accept_without_content_is_refused_and_journalled_as_it_came(visiting: Visiting, era: str) -> None:
    async def scenario() -> None:
        async with visiting([types.ElicitResult(action="accept")], era=era) as guest:
            result = await guest.call("cancel_booking", code="T1")
            assert result.is_error
            assert "without any content" in text(result)
            assert guest.journal() == [
                {"tool": "cancel_booking", "question": "sure", "era": era, "action": "accept"}
            ]

    anyio.run(scenario)


@pytest.mark.parametrize("era", ERAS)
def test_keys_that_should_not_be_there_are_journalled_too(visiting: Visiting, era: str) -> None:
    async def scenario() -> None:
        async with visiting([DECLINE], era=era, stray={"content": None, "because": "testing"}) as guest:
            await guest.call("cancel_booking", code="T1")
            assert guest.journal() == [
                {
                    "tool": "cancel_booking",
                    "question": "sure",
                    "era": era,
                    "action": "decline",
                    "content": None,
                    "because": "testing",
                }
            ]

    anyio.run(scenario)


@pytest.mark.parametrize("era", ["2025-06-18", "2025-11-25"])
def test_what_is_no_elicitation_result_is_told_and_journalled(visiting: Visiting, era: str) -> None:
    async def scenario() -> None:
        async with visiting([DECLINE], era=era, stray={"content": {"name": {"first": "Grace"}}}) as guest:
            result = await guest.call("book_table", party=4)
            assert result.is_error
            assert "not an elicitation result" in text(result)
            assert "first" in guest.journal()[0]["error"]["message"]

    anyio.run(scenario)


def test_an_error_for_an_answer_is_journalled_and_told(visiting: Visiting) -> None:
    async def scenario() -> None:
        refusal = types.ErrorData(code=-32602, message="No such field", data={"field": "x"})
        async with visiting([refusal]) as guest:
            result = await guest.call("book_table", party=4)
            assert result.is_error
            assert "No such field (-32602)" in text(result)
            assert guest.journal()[0]["error"] == {
                "code": -32602,
                "message": "No such field",
                "data": {"field": "x"},
            }

    anyio.run(scenario)


@pytest.mark.parametrize("way", ["memory", "http"])
def test_a_call_given_up_while_the_question_is_open_withdraws_it_and_books_nothing(
    visiting: Visiting, way: str
) -> None:
    async def scenario() -> None:
        open_, withdrawn = anyio.Event(), anyio.Event()

        async def never(params: Any) -> None:
            open_.set()
            try:
                await anyio.sleep_forever()
            finally:
                withdrawn.set()

        async with visiting([never], way=way) as guest, anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: guest.call("book_table", party=4))
            await open_.wait()
            tasks.cancel_scope.cancel()
            with anyio.CancelScope(shield=True):
                await withdrawn.wait()
                assert [line.get("withdrawn") for line in guest.journal()] == [True]

    anyio.run(scenario)
