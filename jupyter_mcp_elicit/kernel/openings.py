"""The addresses that a connection of this kernel's own asks to open, and the pages opened for them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, cast

from ..core.elicitation import Answer, UrlElicitation
from ..core.lifecycle import Turn
from ..core.question import Question
from .background import Emit
from .desk import KernelDesk

if TYPE_CHECKING:
    from ..client.connection import Connection

log = logging.getLogger(__name__)


class Openings:
    """Of one connection. Lives on the background loop, as the connection does."""

    def __init__(self, desk: KernelDesk, connection: Callable[[], Connection]) -> None:
        self._desk = desk
        self._connection = connection
        self._of: dict[str, object] = {}
        self._telling: set[asyncio.Future[None]] = set()

    async def ask(
        self,
        asked: UrlElicitation,
        call: object,
        asks: str,
        emit: Emit,
        deadline: float | None | Literal["default"],
    ) -> Answer:
        """Ask whether to open it, for ``call``. The server is told how that ends, as soon as it has."""
        self._of[asked.id] = call

        def ended(question: Question, action: str) -> None:
            self._of.pop(question.id, None)
            self._tell(asked, action)

        return await self._desk.put(asked, asks, emit, deadline=deadline, on_end=ended)

    def complete(self, question_id: str) -> None:
        """The server says that the page is done."""
        self._desk.turn(question_id, Turn.COMPLETE)

    def cut(self, question_id: str) -> None:
        """The session that asked is over."""
        self._desk.turn(question_id, Turn.CUT)

    def end(self, call: object, event: Turn) -> None:
        """The call is over: so are the pages that are open for it."""
        for question_id in [each for each, of in self._of.items() if of is call]:
            self._desk.turn(question_id, event)

    def _tell(self, asked: UrlElicitation, action: str) -> None:
        async def tell() -> None:
            # After the answer itself, which the connection is about to send.
            await asyncio.sleep(0)
            await self._connection().tell_complete(asked, cast("Any", action))

        task = asyncio.ensure_future(tell())
        self._telling.add(task)
        task.add_done_callback(self._told)

    def _told(self, task: asyncio.Future[None]) -> None:
        self._telling.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.info("A server could not be told how its page ended", exc_info=task.exception())
