"""A call that needs addresses opened first: ask for each, then call again, never in a loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from ..core.elicitation import Accept, Answer, Elicitation, UrlElicitation
from ..core.errors import RemoteError
from ..core.lifecycle import FLOW_ACTIONS, Flow

if TYPE_CHECKING:
    from .connection import Connection

#: How often one call is sent again.
ROUNDS = 5

Ask = Callable[[Elicitation], Awaitable[Answer]]
Over = Callable[[str], Awaitable[Flow]]


class Visits:
    """The addresses of one call. ``ask`` asks the person, ``over`` waits for an opened page."""

    def __init__(self, connection: Connection, ask: Ask, over: Over, notice: Callable[[str], None]) -> None:
        self._connection = connection
        self._ask = ask
        self._over = over
        self._notice = notice
        self._known: set[str] = set()
        self._rounds = 0

    async def make(self, error: RemoteError, tool: str, arguments: dict[str, Any]) -> None:
        """Have the addresses of a ``-32042`` error opened; returns when the call may be sent again.

        Raises ``error`` itself when it names nothing to open, and ``RemoteError`` with its
        code when the person opened nothing, gave up, or the server asks without end.
        """
        asked, issues = self._connection.required(error, tool, arguments)
        for issue in issues:
            self._notice(issue)
        if not asked:
            raise error
        self._rounds += 1
        if self._rounds > ROUNDS:
            raise RemoteError(
                f"The server asked {ROUNDS} times for an address to be opened.", code=error.code
            )
        new = [each for each in asked if each.report.href not in self._known]
        if not new:
            await self._remind(asked[0], error)
            return
        self._known.update(each.report.href for each in new)
        flows = await asyncio.gather(*(self._visit(each) for each in new))
        if not any(flow is not None and FLOW_ACTIONS[flow] == "accept" for flow in flows):
            raise RemoteError(
                "The addresses that the call needs were not opened to the end.", code=error.code
            )

    async def _visit(self, asked: UrlElicitation) -> Flow | None:
        answer = await self._ask(asked)
        self._connection.answered(asked, answer)
        return await self._over(asked.id) if isinstance(answer, Accept) else None

    async def _remind(self, asked: UrlElicitation, error: RemoteError) -> None:
        """The same address once more is no new consent: the server still waits for the first."""
        # Not at the top: this is loaded with the Jupyter server, and must not bring the MCP SDK along.
        from .required import reminder

        if not isinstance(await self._ask(reminder(asked)), Accept):
            raise RemoteError(
                f'"{self._connection.name}" is still waiting for {asked.report.domain}.', code=error.code
            )
