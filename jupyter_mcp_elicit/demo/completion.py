"""``notifications/elicitation/complete``, both ways: to the client, and from a client that sends it too."""

from __future__ import annotations

import asyncio
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.session import ServerSession

from .journal import Journal
from .slip import Slip
from .till import Till

COMPLETE = "notifications/elicitation/complete"


class Completions:
    """What is still to be told, and what was heard."""

    def __init__(self, till: Till, journal: Journal) -> None:
        self._till = till
        self._journal = journal
        self._telling: set[asyncio.Task[None]] = set()

    def tell_later(self, session: ServerSession, slip: Slip, elicitation_id: str) -> None:
        """Tell the client as soon as the slip is completed, for as long as the session lives."""

        async def tell() -> None:
            await slip.done()
            await session.send_elicit_complete(elicitation_id)

        task = asyncio.create_task(tell())
        self._telling.add(task)
        task.add_done_callback(self._told)

    def _told(self, task: asyncio.Task[None]) -> None:
        self._telling.discard(task)
        # A client that has left needs no word.
        if not task.cancelled():
            task.exception()

    async def hear(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """A middleware: the SDK drops this notification, which no revision foresees from a client."""
        if ctx.method != COMPLETE or ctx.request_id is not None:
            return await call_next(ctx)
        params = dict(ctx.params or {})
        tool, slip = self._till.by_id(params.get("elicitationId")) or ("", None)
        self._journal.write(tool, "", ctx.protocol_version, {"completion": params})
        if slip is not None:
            slip.end(str(params.get("action")))
        return None
