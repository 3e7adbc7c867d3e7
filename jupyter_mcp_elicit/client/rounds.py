"""A call that asks inside its results (2026-07-28): answer a round, send the call again, until it is done."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from mcp_types import (
    CallToolResult,
    ElicitRequest,
    ElicitResult,
    GetPromptResult,
    InputRequest,
    InputRequiredResult,
    InputResponses,
    ReadResourceResult,
)

from ..core.elicitation import Elicitation
from ..core.errors import METHOD_NOT_FOUND, LocalError, RemoteError

MAX_ROUNDS = 10
MAX_STATE = 256 * 1024
# A server that asks nothing and only wants to be called again must not spin: each pause doubles the last.
STATE_ONLY_PAUSE = 0.25
LONGEST_PAUSE = 4.0

Final: TypeAlias = CallToolResult | GetPromptResult | ReadResourceResult
Send: TypeAlias = Callable[["InputResponses | None", "str | None"], Awaitable["Final | InputRequiredResult"]]


class Desk(Protocol):
    """Where the questions of one call go."""

    def read(self, request: ElicitRequest, round: int, number: int, of: int) -> Elicitation:
        """Question ``number`` ``of`` its round, not yet asked. ``RemoteError`` when it must not be asked."""

    async def answer(self, asked: Elicitation) -> ElicitResult:
        """The person's answer."""

    def called_again(self) -> None:
        """A round came that asks nothing."""


async def drive(send: Send, desk: Desk, *, max_rounds: int = MAX_ROUNDS) -> Final:
    """The final result. All questions of a round are asked at once, or none when one is refused.

    Raises ``RemoteError`` for a round that cannot be answered, and what ``send`` and ``desk`` raise.
    """
    result = await send(None, None)
    pause, asked = STATE_ONLY_PAUSE, 0
    for _ in range(max_rounds):
        if not isinstance(result, InputRequiredResult):
            return result
        if len(result.request_state or "") > MAX_STATE:
            raise RemoteError(f"The server's requestState is longer than {MAX_STATE // 1024} KiB.")
        responses: InputResponses | None = None
        if result.input_requests:
            asked += 1
            responses = await _answer_all(result.input_requests, desk, asked)
        else:
            desk.called_again()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        result = await send(responses, result.request_state)
    if isinstance(result, InputRequiredResult):
        raise RemoteError(f"The server still asks after {max_rounds} rounds, so the call was ended.")
    return result


async def _answer_all(requests: dict[str, InputRequest], desk: Desk, round: int) -> InputResponses:
    questions: dict[str, Elicitation] = {}
    for number, (key, request) in enumerate(requests.items(), 1):
        if not isinstance(request, ElicitRequest):
            # Never declared, so nothing of the round may be answered.
            raise RemoteError(
                f"The server asks for {request.method!r}, which was not offered.", code=METHOD_NOT_FOUND
            )
        questions[key] = desk.read(request, round, number, len(requests))
    tasks = {key: asyncio.ensure_future(desk.answer(asked)) for key, asked in questions.items()}
    try:
        await asyncio.wait(tasks.values(), return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks.values():
            if task.done():
                task.result()
        return {key: task.result() for key, task in tasks.items()}
    except asyncio.CancelledError:
        if any(task.cancelled() for task in tasks.values()):
            raise LocalError("A question of the call was taken away.") from None
        raise
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
