"""How one owner's person is asked: by a server, by Jupyter, or by the owner's own code."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, cast

from ..broker import Broker
from ..core.elicitation import Answer, Elicitation, UrlElicitation
from ..core.errors import LocalError
from ..core.lifecycle import Event, Turn
from ..core.question import Question
from ..core.withdrawal import Withdrawal
from ..policy import Nobody
from .call import Asks, Call
from .rules import Rules

if TYPE_CHECKING:
    from ..client.connection import Connection

Deadline = float | None | Literal["default"]


class Asking:
    """Of one owner, with its broker."""

    def __init__(self, broker: Broker, rules: Rules, log: logging.Logger) -> None:
        self.broker = broker
        self._rules = rules
        self._log = log
        self._last_asks: Asks = "page"
        self._closed = False
        self._telling: set[asyncio.Future[None]] = set()

    @contextlib.contextmanager
    def presenting(self, call: Call) -> Iterator[None]:
        """Inside the block ``call`` is told of its own questions, and of those that belong to no call."""
        self._last_asks = call.asks
        stop = self.broker.present_with(lambda question: call.present(self.broker, question))
        try:
            for question in self.broker.open_questions():
                call.present(self.broker, question)
            yield
        finally:
            # A call that ended before its server was called has no answer on its way.
            self.broker.arrived(call)
            stop()

    def check_open(self) -> None:
        """``LocalError`` once it is closed."""
        if self._closed:
            raise LocalError("The kernel or the Jupyter server is stopping: nothing is started any more.")

    def close(self) -> None:
        """The owner has gone: what is open is withdrawn, and nothing is asked any more."""
        self._closed = True
        self.broker.end_all(Event.WITHDRAW, withdrawal=Withdrawal.OWNER)
        self.broker.turn_pages(lambda _: True, Turn.CUT)

    async def by_code(self, elicitation: Elicitation, call: Call | None, deadline: Deadline) -> Answer:
        """A question that the kernel or an agent asks itself."""
        return await self._ask(elicitation, call, deadline)

    async def by_jupyter(
        self, elicitation: Elicitation, call: Call, *, deadline: float | None = None
    ) -> Answer:
        """A question of Jupyter's own, during ``call``. Only a person may answer it.

        ``deadline`` in seconds, ``None`` = as configured.
        """
        self.check_open()
        # A script answers what it was written for, and nobody waits beside it.
        policy = None if call.asks == "page" else Nobody()
        answer = await self.broker.ask(
            elicitation, route=call, policy=policy, deadline="default" if deadline is None else deadline
        )
        # It was for us: however the call goes on, it has arrived.
        self.broker.arrived(call)
        return answer

    async def by_server(
        self, connection: Connection, elicitation: Elicitation, call: object | None
    ) -> Answer:
        """A question of the server behind ``connection``."""
        own = connection.spec.deadline
        deadline: Deadline = "default" if own is None else own
        if elicitation.within is not None:
            ours = self._rules.limits.deadline if own is None else own
            deadline = elicitation.within if ours is None else min(ours, elicitation.within)
        route = call if isinstance(call, Call) else None
        if not isinstance(elicitation, UrlElicitation):
            return await self._ask(elicitation, route, deadline)
        return await self._ask(
            elicitation,
            route,
            deadline,
            on_end=lambda _, action: self._tell_end(connection, elicitation, action),
        )

    def turn(self, question_id: str, event: Turn) -> None:
        """What a connection says of an opened page. Of one that is over already that is nothing new."""
        question = self.broker.get(question_id)
        if question is not None and question.is_flowing:
            self.broker.turn(question_id, event)

    async def _ask(
        self,
        elicitation: Elicitation,
        call: Call | None,
        deadline: Deadline,
        on_end: Callable[[Question, str], None] | None = None,
    ) -> Answer:
        self.check_open()
        asks = self._last_asks if call is None else call.asks
        policy = Nobody() if asks == "nobody" else None
        return await self.broker.ask(elicitation, route=call, policy=policy, deadline=deadline, on_end=on_end)

    def _tell_end(self, connection: Connection, asked: UrlElicitation, action: str) -> None:
        async def tell() -> None:
            # After the answer itself, which the connection is about to send.
            await asyncio.sleep(0)
            await connection.tell_complete(asked, cast("Any", action))

        task = asyncio.ensure_future(tell())
        self._telling.add(task)
        task.add_done_callback(self._told)

    def _told(self, task: asyncio.Future[None]) -> None:
        self._telling.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._log.info("A server could not be told how its page ended", exc_info=task.exception())
