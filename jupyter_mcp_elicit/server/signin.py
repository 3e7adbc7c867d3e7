"""Asking a person to sign in: a card with the address, and the redirect that comes back from there."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from ..core.elicitation import Accept, Asker, Cause, Decline, UrlElicitation
from ..core.errors import LocalError, RemoteError
from ..core.lifecycle import Event, Flow, State, Turn
from ..core.text import quoted
from .call import Call

if TYPE_CHECKING:
    from ..client.account import Redirect
    from ..client.config import ServerSpec
    from .asking import Asking

AGAIN = "Call again to be asked once more."

_WHY: dict[Flow, str] = {
    Flow.ABANDONED: "you cancelled",
    Flow.LAPSED: "the time for it ran out",
    Flow.FINISHED: "the sign-in page never came back to this Jupyter server",
}
_UNANSWERED = {
    State.EXPIRED: "nobody answered in time",
    State.NOT_SHOWN: "nobody is there to do it",
}


class NoSuchSignIn(LocalError):
    """No sign-in waits for this redirect."""

    def __init__(self) -> None:
        super().__init__(
            "No sign-in waits for this page: it is over, or came back already.",
            hint="Run the cell again to start a new one.",
        )


class SignIns:
    """Those that wait for their redirect, by the state that only their authorization server was told."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[str, asyncio.Future[Redirect]]] = {}

    @contextlib.contextmanager
    def expected(self, state: str, server: str) -> Iterator[asyncio.Future[Redirect]]:
        """Inside the block the redirect with ``state`` may come, once."""
        arrived: asyncio.Future[Redirect] = asyncio.get_running_loop().create_future()
        self._open[state] = (server, arrived)
        try:
            yield arrived
        finally:
            self._open.pop(state, None)
            arrived.cancel()

    def arrive(self, back: Redirect) -> str:
        """The browser is back; the name of the server that it signed in to. Raises :class:`NoSuchSignIn`."""
        given = back.state.encode()
        # Every one is compared, and each in the same time.
        matching = [state for state in self._open if hmac.compare_digest(state.encode(), given)]
        if not matching:
            raise NoSuchSignIn
        server, arrived = self._open.pop(matching[0])
        arrived.set_result(back)
        return server


class SignIn:
    """For one connection. ``call`` is the newest that uses it."""

    def __init__(
        self, spec: ServerSpec, asking: Asking, signins: SignIns, own_origins: Callable[[], tuple[str, ...]]
    ) -> None:
        self._spec = spec
        self._asking = asking
        self._signins = signins
        self._own_origins = own_origins
        self.call: Call | None = None

    def told(self, token: object) -> None:
        """The sign-in that this call needs too is asked for elsewhere already."""
        if (call := self._call(token)) is not None:
            call.notice(
                f"{quoted(self._spec.name)} waits for a sign-in that is asked for already, "
                "under another cell or in the panel of questions."
            )

    async def ask(self, url: str, token: object) -> Redirect:
        """What the browser comes back with. ``LocalError``: why it does not."""
        name = self._spec.name
        call = self._call(token)
        state = (parse_qs(urlsplit(url).query).get("state") or [""])[-1]
        if call is None or not state:
            raise LocalError("nobody can be asked.", hint=AGAIN)
        try:
            question = UrlElicitation(
                message=f"The MCP server {quoted(name)} ({self._spec.transport}) wants you to sign in. "
                "Do that at the address below; it leads back to Jupyter by itself, and the call goes on.",
                url=url,
                asker=Asker("Jupyter", kind="jupyter"),
                own_origins=self._own_origins(),
                cause=Cause(name, certainty="caused"),
            )
        except RemoteError as error:
            raise LocalError(f"its sign-in is not offered. {error.message}") from None
        with self._signins.expected(state, name) as arrived:
            answering = asyncio.ensure_future(
                self._asking.by_jupyter(question, call, deadline=self._spec.deadline)
            )
            try:
                await _first(answering, arrived)
                if not arrived.done():
                    await self._opened(question, answering, arrived)
                return arrived.result()
            finally:
                await self._tidy(question, answering, done=arrived.done() and not arrived.cancelled())

    async def _opened(
        self, question: UrlElicitation, answering: asyncio.Future[Any], arrived: asyncio.Future[Redirect]
    ) -> None:
        """Wait for the page that the person agreed to open."""
        answer = answering.result()
        if isinstance(answer, Decline):
            raise LocalError("you declined.", hint=AGAIN)
        if not isinstance(answer, Accept):
            asked = self._asking.broker.get(question.id)
            why = _UNANSWERED.get(asked.state, "you cancelled") if asked is not None else "you cancelled"
            raise LocalError(f"{why}.", hint=AGAIN)
        over = asyncio.ensure_future(self._asking.broker.flow_over(question.id))
        try:
            await _first(over, arrived)
        finally:
            over.cancel()
        if not arrived.done():
            why = _WHY.get(over.result(), "the call that asked for it is over")
            raise LocalError(f"{why}.", hint=AGAIN)

    async def _tidy(self, question: UrlElicitation, answering: asyncio.Future[Any], *, done: bool) -> None:
        """The card says how it ended."""
        broker = self._asking.broker
        if not answering.done():
            if done:
                broker.end(question.id, Event.WITHDRAW, trouble="the sign-in is done already")
            answering.cancel()
            await asyncio.wait({answering})
        self._asking.turn(question.id, Turn.COMPLETE if done else Turn.END)

    def _call(self, token: object) -> Call | None:
        return token if isinstance(token, Call) else self.call


async def _first(*futures: asyncio.Future[Any]) -> None:
    await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
