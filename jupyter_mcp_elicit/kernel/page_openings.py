"""Addresses of a connection of this kernel's own that pages of its Jupyter server ask about."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..core import wire
from ..core.elicitation import Accept, Answer, UrlElicitation
from ..core.errors import LocalError, RemoteError
from ..core.lifecycle import FLOW_ACTIONS, Flow, Turn
from ..core.wire import Json
from .background import Emit
from .desk import ServerDesk
from .farewell import Farewell
from .link import Refused, error_of
from .openings import Deadline
from .reader import Reader

if TYPE_CHECKING:
    from ..client.connection import Connection

log = logging.getLogger(__name__)

#: Seconds within which the Jupyter server tells the end of a page that we told it of.
LAST = 5.0
#: How many ends are remembered, for whoever asks a moment late.
REMEMBERED = 64


class _Opening:
    """One question: ``card_id`` is its id at the Jupyter server, ``""`` while it has none."""

    def __init__(self, call: object) -> None:
        loop = asyncio.get_running_loop()
        self.call = call
        self.card_id = ""
        self.answer: asyncio.Future[Answer] = loop.create_future()
        self.over: asyncio.Future[Flow] = loop.create_future()
        self.following: asyncio.Future[None] | None = None
        self.is_completed = False

    def stop(self) -> None:
        """Nobody waits any more; the Jupyter server notices, and cuts the page off."""
        if self.following is not None:
            self.following.cancel()


class PageOpenings:
    """Only a person at such a page can agree; the kernel waits, and tells the page what the server says."""

    def __init__(self, desk: ServerDesk, connection: Callable[[], Connection]) -> None:
        self._desk = desk
        self._farewell = Farewell(connection)
        self._open: dict[str, _Opening] = {}
        self._ended: dict[str, Flow] = {}
        self._telling: set[asyncio.Future[None]] = set()

    async def ask(
        self, asked: UrlElicitation, call: object, asks: str, emit: Emit, deadline: Deadline
    ) -> Answer:
        question: Json = {
            "mode": "url",
            "message": asked.message,
            "url": asked.url,
            "asker": wire.asker(asked.asker),
            "cause": wire.cause(asked.cause),
            "asks": asks,
        }
        if deadline != "default":
            question["deadline"] = deadline
        opening = self._open[asked.id] = _Opening(call)
        opening.following = asyncio.ensure_future(self._follow(asked, question, emit, opening))
        try:
            return await opening.answer
        except asyncio.CancelledError:
            opening.stop()
            raise

    async def over(self, question_id: str) -> Flow:
        opening = self._open.get(question_id)
        # It may have ended in the moment since the answer.
        return self._ended[question_id] if opening is None else await asyncio.shield(opening.over)

    def complete(self, question_id: str) -> None:
        opening = self._open.get(question_id)
        if opening is not None:
            task = asyncio.ensure_future(self._completed(opening))
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    def cut(self, question_id: str) -> None:
        opening = self._open.get(question_id)
        if opening is not None:
            opening.stop()

    async def end(self, call: object, event: Turn | None) -> None:
        for opening in [each for each in self._open.values() if each.call is call]:
            if event is Turn.COMPLETE and not opening.is_completed:
                await self._completed(opening)
            if opening.is_completed and opening.following is not None:
                # So that the cell still hears of it.
                await asyncio.wait({opening.following}, timeout=LAST)
            elif event is not None:
                opening.stop()

    async def _completed(self, opening: _Opening) -> None:
        opening.is_completed = True
        try:
            await asyncio.to_thread(self._desk.complete, opening.card_id)
        except LocalError as error:
            # The person was first, or the server is gone: then its stream says so.
            log.info("A page was not marked as completed: %s", error)

    async def _follow(self, asked: UrlElicitation, question: Json, emit: Emit, opening: _Opening) -> None:
        action, flow = "cancel", Flow.CUT
        try:
            async with Reader(lambda: self._desk.ask(question)) as reader:
                while (event := await reader.next()) is not None:
                    if event["type"] in ("elicit", "update"):
                        opening.card_id = event["card"]["id"]
                        emit(event)
                    elif event["type"] == "answer":
                        given = wire.read_answer(event["answer"])
                        action = given.action
                        opening.answer.set_result(given)
                    elif event["type"] == "flow":
                        flow = Flow(event["flow"])
                    elif event["type"] == "error":
                        raise error_of(event["error"])
        except asyncio.CancelledError:
            pass
        except (LocalError, RemoteError) as error:
            self._failed(opening, error)
        finally:
            self._open.pop(asked.id, None)
            self._ended[asked.id] = flow
            if len(self._ended) > REMEMBERED:
                del self._ended[next(iter(self._ended))]
            accepted = opening.answer.done() and action == Accept.action
            opening.over.set_result(flow)
            self._farewell.say(asked, FLOW_ACTIONS[flow] if accepted else action)
            if not opening.answer.done():
                opening.answer.set_exception(LocalError("The question ended without an answer."))

    def _failed(self, opening: _Opening, error: LocalError | RemoteError) -> None:
        if opening.answer.done():
            log.info("A page is no longer followed: %s", error)
        elif isinstance(error, Refused) and "code" in error.shape:
            # The server asked for what cannot be shown, and hears so.
            opening.answer.set_exception(RemoteError(error.message, code=int(error.shape["code"])))
        else:
            opening.answer.set_exception(error)
