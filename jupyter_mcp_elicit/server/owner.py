"""One owner: its broker, and its connections to MCP servers."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, cast

from ..broker import Broker
from ..core import wire
from ..core.confirmation import confirmation
from ..core.elicitation import (
    Accept,
    Answer,
    Cause,
    Elicitation,
    UrlElicitation,
)
from ..core.errors import URL_ELICITATION_REQUIRED, LocalError, RemoteError
from ..core.lifecycle import Event, Turn
from ..core.question import Question
from ..policy import Nobody
from ..trace import Recorder
from .call import Asks, Call, Kind
from .detour import Detour
from .rules import Rules
from .visits import Visits

if TYPE_CHECKING:
    from ..client.calls import Hooks
    from ..client.config import ServerSpec
    from ..client.connection import Connection
    from ..client.trust import TrustStore


class Owner:
    """A kernel, or a named agent of a user. Its questions never leave it."""

    def __init__(self, owner_id: str, rules: Rules, trust: TrustStore, log: logging.Logger) -> None:
        self.id = owner_id
        self.broker = Broker(rules.limits, origin=wire.origin(owner_id))
        self._rules = rules
        self._trust = trust
        self._log = log
        self._connections: dict[str, Connection] = {}
        self._tools: dict[str, tuple[ServerSpec, list[dict[str, Any]]]] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._last_asks: Asks = "page"
        self._traces: dict[str, Recorder] = {}
        self._closed = False
        self._telling: set[asyncio.Future[None]] = set()

    async def list_tools(self, spec: ServerSpec, call: Call) -> list[dict[str, Any]]:
        """The server's tools as JSON; starts the server when it is not running."""
        with self._presenting(call):
            connection = await self._connection(spec, call)
            tools = await connection.list_tools()
            self._tools[spec.name] = (spec, tools)
            return tools

    def known_tools(self, spec: ServerSpec) -> list[dict[str, Any]] | None:
        """The server's tools as it last listed them, ``None`` when it has not since its entry changed."""
        listed_by, tools = self._tools.get(spec.name, (None, None))
        return tools if listed_by == spec else None

    async def call_tool(
        self, spec: ServerSpec, tool: str, arguments: dict[str, Any], call: Call
    ) -> wire.Json:
        """The tool's result as JSON. Cancelling the task cancels the call and withdraws its questions.

        Raises ``LocalError`` when the server cannot be reached or died, ``RemoteError``
        when it answered with an error.
        """
        return await self._sent_until_done(spec, "tool", tool, arguments, call)

    async def run(
        self, spec: ServerSpec, kind: Kind, name: str, arguments: dict[str, Any], call: Call
    ) -> wire.Json:
        """What a tool, a prompt or a resource (``name`` is its URI) gives, and any list of them.

        As :meth:`call_tool` else. ``{"prompts": […]}`` and the like for ``list``.
        """
        if kind != "list":
            return await self._sent_until_done(spec, kind, name, arguments, call)
        if name == "tools":
            return {name: await self.list_tools(spec, call)}
        with self._presenting(call):
            connection = await self._connection(spec, call)
            send = connection.list_prompts if name == "prompts" else connection.list_resources
            return {name: await send()}

    async def _sent_until_done(
        self, spec: ServerSpec, kind: Kind, name: str, arguments: dict[str, Any], call: Call
    ) -> wire.Json:
        with self._presenting(call):
            if call.asks != "page":
                return await self._visited(spec, kind, name, arguments, call)
            detour = Detour(spec, self._trust, lambda asked: self._ours(asked, call))
            try:
                result = await self._visited(spec, kind, name, arguments, call)
            except RemoteError as error:
                if not await detour.agreed(name, error):
                    raise
            else:
                if not await detour.agreed(name, result):
                    return result
            return await self._visited(spec, kind, name, arguments, call)

    async def _visited(
        self, spec: ServerSpec, kind: Kind, name: str, arguments: dict[str, Any], call: Call
    ) -> wire.Json:
        connection = await self._connection(spec, call)
        visits = Visits(
            connection, lambda asked: self._asked(spec, asked, call), self.broker.flow_over, call.notice
        )
        while True:
            try:
                return await self._send(connection, kind, name, arguments, call)
            except RemoteError as error:
                if error.code != URL_ELICITATION_REQUIRED:
                    raise
                await visits.make(error, name, arguments)

    async def _ours(self, asked: Elicitation, call: Call) -> Answer:
        self._check_open()
        # A script answers what it was written for, and nobody waits beside it.
        policy = None if call.asks == "page" else Nobody()
        answer = await self.broker.ask(asked, route=call, policy=policy)
        # It was for us: however the call goes on, it has arrived.
        self.broker.arrived(call)
        return answer

    async def _send(
        self, connection: Connection, kind: Kind, name: str, arguments: dict[str, Any], call: Call
    ) -> wire.Json:
        lost, over = True, Turn.END
        try:
            hooks: Hooks = {
                "on_progress": lambda done, total, message: call.emit(
                    {"type": "progress", "progress": done, "total": total, "message": message}
                ),
                "on_log": lambda level, logger, data: call.emit(
                    {"type": "log", "level": level, "logger": logger, "data": data}
                ),
                "on_notice": call.notice,
                "token": call,
            }
            if kind == "tool":
                result = await connection.call_tool(name, arguments, **hooks)
            elif kind == "prompt":
                result = await connection.get_prompt(name, arguments, **hooks)
            else:
                result = await connection.read_resource(name, **hooks)
            lost = False
            over = Turn.END if result.get("isError") else Turn.COMPLETE
            return result
        except LocalError:
            raise
        except Exception:
            lost = False
            raise
        finally:
            self.broker.arrived(call, lost=lost)
            if not connection.era.completes:
                # Nothing else will ever tell how a page ended.
                self.broker.turn_pages(lambda question: self.broker.route_of(question) is call, over)

    async def ask(
        self, elicitation: Elicitation, call: Call, *, deadline: float | None | Literal["default"]
    ) -> Answer:
        """A question that the kernel or an agent asks itself."""
        with self._presenting(call):
            return await self._broker_ask(elicitation, call, deadline)

    async def close(self) -> None:
        """Cancel what is open and end every connection with its process; nothing starts any more."""
        self._closed = True
        self.broker.end_all(Event.WITHDRAW, trouble="the owner has gone")
        self.broker.turn_pages(lambda _: True, Turn.CUT)
        connections = list(self._connections.values())
        self._connections.clear()
        for ended in await asyncio.gather(*(each.close() for each in connections), return_exceptions=True):
            if isinstance(ended, BaseException):
                self._log.error("Closing a connection of %s failed", self.id, exc_info=ended)

    def connection_state(self, name: str) -> str:
        """A word or a sentence for the person: "not started" when there is no connection."""
        connection = self._connections.get(name)
        return "not started" if connection is None else connection.state

    def trace(self, name: str) -> Recorder | None:
        """The frames of the connection to a server, ``None`` when it has never been opened."""
        return self._traces.get(name)

    @contextlib.contextmanager
    def _presenting(self, call: Call) -> Iterator[None]:
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

    def _check_open(self) -> None:
        if self._closed:
            raise LocalError("The kernel or the Jupyter server is stopping: nothing is started any more.")

    async def _connection(self, spec: ServerSpec, call: Call) -> Connection:
        # The MCP SDK takes half a second to load, and this loop is every notebook's.
        await asyncio.to_thread(importlib.import_module, "..client.connection", __package__)
        from ..client.connection import Connection
        from ..client.tap import as_json

        spec = self._trust.in_era(spec)
        async with self._locks.setdefault(spec.name, asyncio.Lock()):
            existing = self._connections.get(spec.name)
            if existing is not None and existing.spec == spec:
                await existing.open()
                self._trust.record(spec)
                return existing
            await self._trusted(spec, call)
            if existing is not None:
                self._connections.pop(spec.name, None)
                self.broker.turn_pages(
                    lambda question: question.elicitation.asker == existing.asker, Turn.CUT
                )
                await existing.close()
            self._check_open()
            trace = Recorder(contents=self._rules.trace_contents)
            connection = Connection(
                spec,
                lambda elicitation, of: self._asked(spec, elicitation, of),
                schema_policy=self._rules.schema_policy,
                unsolicited=self._rules.unsolicited,
                own_origins=self._rules.own_origins,
                on_complete=lambda each: self._turn(each, Turn.COMPLETE),
                on_cut=lambda each: self._turn(each, Turn.CUT),
                on_refused=lambda why, of: _told(of, f'A question of "{spec.name}" was refused. {why}'),
                open_timeout=self._rules.open_timeout,
                max_pending=self._rules.questions_per_connection,
                on_frame=lambda direction, frame: trace.see(direction, as_json(frame), connection.generation),
            )
            self._connections[spec.name] = connection
            self._traces[spec.name] = trace
            await connection.open()
            self._trust.record(spec)
            return connection

    async def _trusted(self, spec: ServerSpec, call: Call) -> None:
        if self._trust.state(spec) != "changed":
            return
        changes = "\n".join(self._trust.changes(spec))
        answer = await self._ours(
            confirmation(
                f'The entry "{spec.name}" has changed since it last started:\n{changes}\nStart it so?',
                Cause(tool=spec.name, certainty="caused"),
            ),
            call,
        )
        if not isinstance(answer, Accept):
            raise LocalError(
                f'"{spec.name}" was not started: its entry changed and nobody agreed to the change.',
                hint="Check mcp.json, then call again"
                + (" once without a script, and agree to it." if call.asks == "script" else "."),
            )
        self._trust.record(spec)

    async def _asked(self, spec: ServerSpec, elicitation: Elicitation, call: object | None) -> Answer:
        deadline: float | None | Literal["default"] = "default" if spec.deadline is None else spec.deadline
        if elicitation.within is not None:
            ours = self._rules.limits.deadline if deadline == "default" else deadline
            deadline = elicitation.within if ours is None else min(ours, elicitation.within)
        route = call if isinstance(call, Call) else None
        if not isinstance(elicitation, UrlElicitation):
            return await self._broker_ask(elicitation, route, deadline)
        connection = self._connections.get(spec.name)
        return await self._broker_ask(
            elicitation,
            route,
            deadline,
            on_end=lambda _, action: self._tell_end(connection, elicitation, action),
        )

    async def _broker_ask(
        self,
        elicitation: Elicitation,
        call: Call | None,
        deadline: float | None | Literal["default"],
        on_end: Callable[[Question, str], None] | None = None,
    ) -> Answer:
        self._check_open()
        asks = self._last_asks if call is None else call.asks
        policy = Nobody() if asks == "nobody" else None
        return await self.broker.ask(elicitation, route=call, policy=policy, deadline=deadline, on_end=on_end)

    def _turn(self, question_id: str, event: Turn) -> None:
        """What a connection says of an opened page. Of one that is over already that is nothing new."""
        question = self.broker.get(question_id)
        if question is not None and question.is_flowing:
            self.broker.turn(question_id, event)

    def _tell_end(self, connection: Connection | None, asked: UrlElicitation, action: str) -> None:
        if connection is None:
            return

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


def _told(call: object, text: str) -> None:
    """The server alone would know otherwise, and may hide it."""
    if isinstance(call, Call):
        call.notice(text)
