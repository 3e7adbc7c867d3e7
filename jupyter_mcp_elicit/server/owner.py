"""One owner: its broker, and its connections to MCP servers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from ..broker import Broker
from ..core import wire
from ..core.elicitation import Accept, Answer, Elicitation
from ..core.errors import URL_ELICITATION_REQUIRED, LocalError, RemoteError
from ..core.lifecycle import Flow, Turn
from ..trace import Recorder
from .asking import Asking
from .call import Call, Kind
from .connections import Connections
from .detour import Detour
from .entrance import Entrance
from .rules import Rules

if TYPE_CHECKING:
    from ..client.calls import Hooks
    from ..client.config import ServerSpec
    from ..client.connection import Connection
    from ..client.trust import TrustStore


class Owner:
    """A kernel, or a named agent of a user. Its questions never leave it."""

    def __init__(
        self, owner_id: str, rules: Rules, trust: TrustStore, entrance: Entrance, log: logging.Logger
    ) -> None:
        self.id = owner_id
        self.broker = Broker(rules.limits, origin=wire.origin(owner_id))
        self._trust = trust
        self._asking = Asking(self.broker, rules, log)
        self._connections = Connections(self._asking, rules, trust, entrance, log)
        self._tools: dict[str, tuple[ServerSpec, list[dict[str, Any]]]] = {}

    async def list_tools(self, spec: ServerSpec, call: Call) -> list[dict[str, Any]]:
        """The server's tools as JSON; starts the server when it is not running."""
        with self._asking.presenting(call):
            connection = await self._connections.to(spec, call)
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
        with self._asking.presenting(call):
            connection = await self._connections.to(spec, call)
            send = connection.list_prompts if name == "prompts" else connection.list_resources
            return {name: await send()}

    async def ask(
        self,
        elicitation: Elicitation,
        call: Call,
        *,
        deadline: float | None | Literal["default"],
        opened: Callable[[Answer], None],
    ) -> tuple[Answer, Flow | None]:
        """A question that the kernel or an agent asks itself: the answer, and how an opened page ended.

        ``opened`` gets the answer at once where a page was opened. Who stops waiting for that cuts it off.
        """
        with self._asking.presenting(call):
            given = await self._asking.by_code(elicitation, call, deadline)
            if not (elicitation.mode == "url" and isinstance(given, Accept)):
                return given, None
            self.broker.arrived(call)
            opened(given)
            try:
                return given, await self.broker.flow_over(elicitation.id)
            finally:
                self.broker.turn_pages(lambda question: question.id == elicitation.id, Turn.CUT)

    async def close(self) -> None:
        """Cancel what is open and end every connection with its process; nothing starts any more."""
        self._asking.close()
        await self._connections.close()

    def connection_state(self, name: str) -> str:
        """A word or a sentence for the person: "not started" when there is no connection."""
        return self._connections.state(name)

    def trace(self, name: str) -> Recorder | None:
        """The frames of the connection to a server, ``None`` when it has never been opened."""
        return self._connections.trace(name)

    async def _sent_until_done(
        self, spec: ServerSpec, kind: Kind, name: str, arguments: dict[str, Any], call: Call
    ) -> wire.Json:
        with self._asking.presenting(call):
            if call.asks != "page":
                return await self._visited(spec, kind, name, arguments, call)
            detour = Detour(spec, self._trust, lambda asked: self._asking.by_jupyter(asked, call))
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
        # Not with Jupyter's start.
        from ..client.visits import Visits

        connection = await self._connections.to(spec, call)
        visits = Visits(
            connection,
            lambda asked: self._asking.by_server(connection, asked, call),
            self.broker.flow_over,
            call.notice,
        )
        while True:
            try:
                return await self._send(connection, kind, name, arguments, call)
            except RemoteError as error:
                if error.code != URL_ELICITATION_REQUIRED:
                    raise
                await visits.make(error, name, arguments)

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
