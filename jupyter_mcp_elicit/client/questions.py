"""Questions of one MCP session on their way to a person and back. Total: nothing of ours leaks to the server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Literal, TypeAlias

from mcp.client import ClientRequestContext
from mcp_types import (
    CONNECTION_CLOSED,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    ElicitResult,
    ErrorData,
)

from ..core.elicitation import Answer, Asker, Cancel, Cause, Elicitation, Mode
from ..core.errors import METHOD_NOT_FOUND, LocalError, RemoteError
from ..core.lifecycle import State
from . import convert
from .calls import Call, Calls
from .flood import Flood

log = logging.getLogger(__name__)

#: ``ask(question, token)``: the answer of whoever is asked; ``token`` is the call's, or ``None``.
Ask: TypeAlias = Callable[[Elicitation, object], Awaitable[Answer]]
Params: TypeAlias = ElicitRequestFormParams | ElicitRequestURLParams

UNSOLICITED = (
    "No request of this client is in flight, and this client refuses elicitations that it did not cause."
)


class Gone(LocalError):
    """The session ended while a question was open: its answer can no longer be delivered."""


class Questions:
    """The questions of one generation of a connection."""

    def __init__(
        self,
        ask: Ask,
        calls: Calls,
        flood: Flood,
        *,
        asker: Callable[[], Asker],
        modes: tuple[Mode, ...],
        schema_policy: convert.SchemaPolicy,
        unsolicited: Literal["show", "refuse"],
    ) -> None:
        self._ask = ask
        self._calls = calls
        self._flood = flood
        self._asker = asker
        self._modes = modes
        self._schema_policy = schema_policy
        self._unsolicited = unsolicited
        self._gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._room = asyncio.Condition()

    def end(self) -> None:
        """The session is over: what is still open is withdrawn."""
        if not self._gone.done():
            self._gone.set_result(None)

    async def pushed(self, context: ClientRequestContext, params: Params) -> ElicitResult | ErrorData:
        """The SDK's callback: a request of the server's own. Raises nothing but cancellation."""
        try:
            if not self._modes:
                raise RemoteError("Method not found", code=METHOD_NOT_FOUND, data="elicitation/create")
            cause, call = self._calls.cause()
            if cause.certainty == "none" and self._unsolicited == "refuse":
                raise RemoteError(UNSOLICITED)
            return await self._answered(params, cause, call)
        except RemoteError as error:
            return convert.error_data(error)
        except Gone as error:
            return ErrorData(code=CONNECTION_CLOSED, message=str(error))
        except Exception:
            log.exception("A question of an MCP server could not be shown")
            return ElicitResult(action="cancel")

    async def embedded(self, params: Params, call: Call) -> ElicitResult:
        """A question inside a call's result. Raises ``RemoteError`` when it is refused: the call fails locally."""
        if not self._modes:
            raise RemoteError(
                "The server asked, and this client declared no elicitation.", code=METHOD_NOT_FOUND
            )
        async with self._room:
            # Refusing would end the call: here a full house means waiting.
            await self._room.wait_for(lambda: not self._flood.is_full)
        try:
            return await self._answered(params, Cause(call.tool, call.arguments, "caused"), call)
        except (RemoteError, Gone):
            raise
        except Exception:
            log.exception("A question of an MCP server could not be shown")
            return ElicitResult(action="cancel")

    async def _answered(self, params: Params, cause: Cause, call: Call | None) -> ElicitResult:
        if params.mode not in self._modes:
            raise RemoteError(f"This client did not declare the elicitation mode {params.mode!r}.")
        self._flood.enter(asyncio.get_running_loop().time())
        try:
            asked = convert.question(params, self._asker(), cause, self._schema_policy)
            answer = await self._person(asked, None if call is None else call.token)
            return convert.result(asked.mode, answer)
        finally:
            self._flood.leave()
            asyncio.ensure_future(self._made_room())

    async def _person(self, asked: Elicitation, token: object) -> Answer:
        asking = asyncio.ensure_future(self._ask(asked, token))
        either: set[asyncio.Future[Any]] = {asking, self._gone}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not asking.done():
                asking.cancel()
                asking.add_done_callback(_forget)
        if not asking.done():
            raise Gone("The connection ended while the question was open.")
        if asking.cancelled():
            return Cancel(State.NOT_SHOWN.value)
        return asking.result()

    async def _made_room(self) -> None:
        async with self._room:
            self._room.notify_all()


def _forget(task: asyncio.Future[Answer]) -> None:
    # Whoever was asked has been told by the cancellation; what they make of it goes nowhere.
    if not task.cancelled() and task.exception() is not None:
        log.error("Withdrawing a question failed", exc_info=task.exception())
