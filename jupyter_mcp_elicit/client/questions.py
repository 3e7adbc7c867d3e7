"""Questions of one MCP session on their way to a person and back: nothing of ours leaks to the server."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from mcp.client import ClientRequestContext
from mcp_types import (
    CONNECTION_CLOSED,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    ElicitResult,
    ErrorData,
)

from ..core.elicitation import Accept, Answer, Asker, Cancel, Cause, Elicitation, Mode, UrlElicitation
from ..core.errors import METHOD_NOT_FOUND, LocalError, RemoteError
from ..core.lifecycle import State
from ..core.withdrawal import Withdrawal
from . import convert
from .calls import Call, Calls
from .flood import Flood

log = logging.getLogger(__name__)

#: ``ask(question, token)``: the answer of whoever is asked; ``token`` is the call's, or ``None``.
Ask: TypeAlias = Callable[[Elicitation, object], Awaitable[Answer]]
#: ``(reason, token)``: why a question was refused unasked, and the token of the call that it came during.
OnRefused: TypeAlias = Callable[[str, object], None]
Params: TypeAlias = ElicitRequestFormParams | ElicitRequestURLParams

# How many URL flows of a session may be under way.
REMEMBERED = 256

RELATED_TASK = "io.modelcontextprotocol/related-task"
# Seconds that a question stands whose task is over at this moment.
LEAST = 0.1

UNSOLICITED = "No request of this client is in flight, and it refuses elicitations that it did not cause."


class Gone(LocalError):
    """The session ended while a question was open: its answer can no longer be delivered."""


@dataclass(frozen=True, kw_only=True)
class Manner:
    """How to treat questions: the ``modes`` that were declared, and what the user configured."""

    modes: tuple[Mode, ...]
    schema_policy: convert.SchemaPolicy = "lenient"
    unsolicited: Literal["show", "refuse"] = "show"
    own_origins: Callable[[], tuple[str, ...]] = tuple
    secrets: convert.SecretPolicy = "warn"


@dataclass(eq=False)
class _Open:
    """An open question. ``over`` is set when nobody waits for it any more, to the reason."""

    call: Call | None
    over: asyncio.Future[Withdrawal] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def end(self, why: Withdrawal) -> None:
        if not self.over.done():
            self.over.set_result(why)


class Questions:
    """The questions of one generation of a connection."""

    def __init__(
        self,
        ask: Ask,
        calls: Calls,
        flood: Flood,
        asker: Callable[[], Asker],
        manner: Manner,
        on_cut: Callable[[str], None] = lambda _: None,
        on_refused: OnRefused = lambda _, __: None,
    ) -> None:
        """``on_cut`` gets the id of each answered URL question once the session is over."""
        self._on_refused = on_refused
        self._ask = ask
        self._calls = calls
        self._flood = flood
        self._asker = asker
        self._manner = manner
        self._open: set[_Open] = set()
        self._waiting: list[asyncio.Future[None]] = []
        self._urls: OrderedDict[str, str] = OrderedDict()
        self._answered_urls: OrderedDict[str, None] = OrderedDict()
        self._answering: dict[str, asyncio.Future[None]] = {}
        self._on_cut = on_cut
        self._ended = False

    def end(self) -> None:
        """The session is over: what is open is withdrawn, and no answer of it is sent."""
        self._ended = True
        for each in self._open:
            each.end(Withdrawal.CONNECTION)
        self._make_room()
        while self._answered_urls:
            self._on_cut(self._answered_urls.popitem()[0])

    def end_of(self, call: Call, why: Withdrawal) -> None:
        """The call is over for us: its questions are withdrawn, and the server hears ``cancel``."""
        for each in self._open:
            if each.call is call:
                each.end(why)

    def completed(self, elicitation_id: str) -> str:
        """Our id of the accepted URL question that the server says has ended; ``""`` when there is none."""
        return self._urls.pop(elicitation_id, "")

    async def may_complete(self, asked: UrlElicitation) -> bool:
        """Whether ``asked`` is an answered URL question of this session; waits for the answer to go."""
        if asked.id in self._answering:
            await asyncio.shield(self._answering[asked.id])
        return asked.id in self._answered_urls

    async def pushed(self, context: ClientRequestContext, params: Params) -> ElicitResult | ErrorData:
        """The SDK's callback: a request of the server's own. Raises nothing but cancellation."""
        token: object = None
        try:
            if not self._manner.modes:
                raise RemoteError("Method not found", code=METHOD_NOT_FOUND, data="elicitation/create")
            cause, call = self._calls.cause(_task_of(context))
            token = None if call is None else call.token
            if cause.certainty == "none" and self._manner.unsolicited == "refuse":
                raise RemoteError(UNSOLICITED)
            asked = self._read(params, cause)
            if call is not None and call.ends is not None:
                left = call.ends - asyncio.get_running_loop().time()
                asked = replace(asked, within=max(left, LEAST))
            return await self._answered(asked, call, pushed=True)
        except RemoteError as error:
            self._on_refused(error.message, token)
            return convert.error_data(error)
        except Gone as error:
            return ErrorData(code=CONNECTION_CLOSED, message=error.message)
        except Exception:
            log.exception("A question of an MCP server could not be shown")
            return ElicitResult(action="cancel")

    def embedded(self, params: Params, cause: Cause) -> Elicitation:
        """A question inside a call's result, not yet asked. ``RemoteError`` when it must not be asked."""
        if not self._manner.modes:
            raise RemoteError("The server asks, and no elicitation was declared.", code=METHOD_NOT_FOUND)
        return self._read(params, cause)

    async def answer(self, asked: Elicitation, call: Call) -> ElicitResult:
        """What the person says to a question that :meth:`embedded` gave."""
        # Refusing would end the call, so here a full house means waiting.
        while self._flood.is_full and not self._ended:
            room: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(room)
            await room
        try:
            return await self._answered(asked, call, pushed=False)
        except (RemoteError, Gone):
            raise
        except Exception:
            log.exception("A question of an MCP server could not be shown")
            return ElicitResult(action="cancel")

    def _read(self, params: Params, cause: Cause) -> Elicitation:
        if params.mode not in self._manner.modes:
            raise RemoteError(f"This client did not declare the elicitation mode {params.mode!r}.")
        manner = self._manner
        origins = manner.own_origins()
        return convert.question(params, self._asker(), cause, manner.schema_policy, origins, manner.secrets)

    async def _answered(self, asked: Elicitation, call: Call | None, *, pushed: bool) -> ElicitResult:
        if self._ended:
            raise Gone("The connection has ended.")
        self._flood.enter(asyncio.get_running_loop().time())
        answering: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if isinstance(asked, UrlElicitation):
            self._answering[asked.id] = answering
        try:
            answer = await self._person(asked, call, pushed=pushed)
            if isinstance(asked, UrlElicitation):
                self.remember(asked, answer)
            return convert.result(asked.mode, answer)
        finally:
            # Whoever waits for this goes on in the loop's next turn: the SDK sends the answer in this one.
            self._answering.pop(asked.id, None)
            answering.set_result(None)
            self._flood.leave()
            self._make_room()

    def remember(self, asked: UrlElicitation, answer: Answer) -> None:
        """What was said to a URL question of this session, so that its completion is known again."""
        if self._ended:
            self._on_cut(asked.id)
            return
        # Before the answer is on its way: the server may be quicker than we.
        self._answered_urls[asked.id] = None
        if isinstance(answer, Accept) and asked.elicitation_id:
            self._urls[asked.elicitation_id] = asked.id
        for each in (self._urls, self._answered_urls):
            while len(each) > REMEMBERED:
                each.popitem(last=False)

    def _make_room(self) -> None:
        for room in self._waiting:
            if not room.done():
                room.set_result(None)
        self._waiting.clear()

    async def _person(self, asked: Elicitation, call: Call | None, *, pushed: bool) -> Answer:
        opened = _Open(call)
        # Whoever cancels this and does not say why: the server, or of a question in a result, its call.
        why = Withdrawal.ASKER if pushed else Withdrawal.CALLER
        self._open.add(opened)
        asking = asyncio.ensure_future(self._ask(asked, None if call is None else call.token))
        either: set[asyncio.Future[Any]] = {asking, opened.over}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError as error:
            why = Withdrawal.of(error) or why
            raise
        finally:
            self._open.discard(opened)
            if not asking.done():
                asking.cancel(opened.over.result() if opened.over.done() else why)
                asking.add_done_callback(_forget)
        if opened.over.done():
            if opened.over.result() is Withdrawal.CONNECTION:
                raise Gone("The connection ended while the question was open.")
            return Cancel(State.WITHDRAWN.value)
        if asking.cancelled():
            return Cancel(State.NOT_SHOWN.value)
        return asking.result()


def _task_of(context: ClientRequestContext) -> str:
    related = dict(context.meta or {}).get(RELATED_TASK)
    task = related.get("taskId") if isinstance(related, dict) else None
    return task if isinstance(task, str) else ""


def _forget(task: asyncio.Future[Answer]) -> None:
    # Whoever was asked learnt it from the cancellation; what they make of it goes nowhere.
    if not task.cancelled() and task.exception() is not None:
        log.error("Withdrawing a question failed", exc_info=task.exception())
