"""Telling a server how the page ended that it had opened."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from ..core.elicitation import UrlElicitation

if TYPE_CHECKING:
    from ..client.connection import Connection

log = logging.getLogger(__name__)


class Farewell:
    """Said over the connection that asked, where its revision knows such a message."""

    def __init__(self, connection: Callable[[], Connection]) -> None:
        self._connection = connection
        self._saying: set[asyncio.Future[None]] = set()

    def say(self, asked: UrlElicitation, action: str) -> None:
        """``action`` is the final one, as the notification has it. Returns at once, and never raises."""

        async def tell() -> None:
            # After the answer itself, which the connection is about to send.
            await asyncio.sleep(0)
            await self._connection().tell_complete(asked, cast("Any", action))

        task = asyncio.ensure_future(tell())
        self._saying.add(task)
        task.add_done_callback(self._said)

    def _said(self, task: asyncio.Future[None]) -> None:
        self._saying.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.info("A server could not be told how its page ended", exc_info=task.exception())
