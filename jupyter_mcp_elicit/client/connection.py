"""One MCP connection: opened when needed, reopened after its server died, many calls at once."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from mcp import Client
from mcp_types import (
    Implementation,
    LoggingLevel,
    LoggingMessageNotificationParams,
)

from ..core.elicitation import Answer, Asker, Cause, Mode, UrlElicitation
from ..core.errors import RemoteError
from ..core.withdrawal import Withdrawal
from . import convert, eras, requests, required
from .calls import Call, Calls, Hooks, OnLog
from .desk import CallDesk
from .endpoint import OwnServer
from .flood import Flood
from .generation import Generation, Options
from .here import transport_to
from .login import Login
from .questions import Ask, Manner, OnRefused, Questions
from .rounds import Final
from .sessions import Reach, Sessions
from .spec import ServerSpec
from .stdio import MAX_FRAME
from .tap import OnFrame, Transport

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Ask", "Connection"]


class Connection:
    """A connection to one server for one owner. Lives on one event loop.

    ``ask(question, token)`` gives the person's answer; ``token`` is what the question's call was
    given, ``None`` when no single call of ours can have caused it. Cancelled: the question is withdrawn.
    ``on_complete`` gets the id of an accepted URL question once the server says that its flow has
    ended, ``on_cut`` the ids of all that were answered once the session has; ``on_refused(reason, token)``
    hears of each pushed question that nobody was asked. ``own_origins()`` gives
    the addresses that the notebook itself is open under.
    ``open_timeout`` in seconds; ``max_frame`` in bytes. ``login``: how to sign in where that is wanted.
    """

    def __init__(
        self,
        spec: ServerSpec | OwnServer,
        ask: Ask,
        *,
        schema_policy: convert.SchemaPolicy = "lenient",
        sensitive_fields: convert.SecretPolicy = "warn",
        unsolicited: Literal["show", "refuse"] = "show",
        own_origins: Callable[[], tuple[str, ...]] = tuple,
        open_timeout: float = 30.0,
        max_pending: int = 16,
        max_per_minute: int = 20,
        max_frame: int = MAX_FRAME,
        log_level: LoggingLevel | None = "info",
        on_frame: OnFrame | None = None,
        on_log: OnLog | None = None,
        on_complete: Callable[[str], None] | None = None,
        on_cut: Callable[[str], None] = lambda _: None,
        on_refused: OnRefused = lambda _, __: None,
        on_stderr: Callable[[str], None] | None = None,
        environ: Mapping[str, str] | None = None,
        login: Login | None = None,
    ) -> None:
        self.spec = spec
        self._ask = ask
        self._manner = Manner(
            modes=eras.declared(spec.era, spec.capabilities),
            schema_policy=schema_policy,
            unsolicited=unsolicited,
            own_origins=own_origins,
            secrets=sensitive_fields,
        )
        options = Options(
            open_timeout=open_timeout,
            log_level=log_level,
            on_frame=on_frame,
            on_log=self._logged,
            on_complete=on_complete,
            opened=self._read_identity,
        )
        self._on_log = on_log
        self._on_cut = on_cut
        self._on_refused = on_refused
        self._flood = Flood(max_pending, max_per_minute)
        self._calls = Calls()
        reach = Reach(
            environ=os.environ if environ is None else environ,
            max_frame=max_frame,
            on_stderr=on_stderr,
            login=login,
        )
        self._sessions = Sessions(spec, reach, options, self._calls, self._questions)
        self._identity: Implementation | None = None
        self._version = ""

    @classmethod
    def from_transport(
        cls,
        name: str,
        make: Callable[[], Transport],
        ask: Ask,
        *,
        transport: str = "in this process",
        era: str = "auto",
        capabilities: tuple[Mode, ...] = ("form",),
        **options: Any,
    ) -> Connection:
        """A connection over a transport of the caller's own: ``make()`` gives a new one for each opening."""
        server = OwnServer(name=name, make=make, transport=transport, era=era, capabilities=capabilities)
        return cls(server, ask, **options)

    @classmethod
    def of_server(cls, name: str, server: object, ask: Ask, **options: Any) -> Connection:
        """A connection to a server object in this process. ``LocalError`` when it is none."""
        return cls.from_transport(name, transport_to(server), ask, **options)

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def generation(self) -> int:
        """How often it was opened. What belongs to one generation is never sent in another."""
        return self._sessions.count

    @property
    def state(self) -> str:
        """``closed``, ``connecting``, ``ready`` or ``failed: why``."""
        return self._sessions.state

    @property
    def protocol_version(self) -> str:
        """The negotiated revision, ``""`` before the first opening."""
        return self._version

    @property
    def era(self) -> eras.Era:
        """What the negotiated revision can do."""
        return eras.era_of(self._version)

    @property
    def server_info(self) -> dict[str, Any]:
        """What the server says about itself, as JSON; ``{}`` when nothing. Never proof of anything."""
        return {} if self._identity is None else convert.to_json(self._identity)

    @property
    def calls_itself(self) -> str:
        """The name that the server gives itself, ``""`` when none."""
        return "" if self._identity is None else self._identity.title or self._identity.name

    @property
    def asker(self) -> Asker:
        """Who asks, as our configuration names it."""
        return Asker(self.spec.name, "server", self.spec.transport, self.calls_itself)

    @property
    def refused(self) -> int:
        """How many questions were refused because there were too many."""
        return self._flood.refused

    @property
    def stderr(self) -> str:
        """The last 64 kB that a stdio server wrote to stderr, in this or the last session."""
        now = self._sessions.now
        return "" if now is None else now.endpoint.stderr

    @property
    def skipped(self) -> int:
        """How many lines of a stdio server's output were no JSON-RPC, in this or the last session."""
        now = self._sessions.now
        return 0 if now is None else now.endpoint.skipped

    async def open(self) -> None:
        """Connect, unless connected. Any number may call it at once. ``LocalError`` says why it failed."""
        await self._sessions.open()

    async def close(self) -> None:
        """End the session and its process: open questions are withdrawn, running calls fail."""
        await self._sessions.close()

    async def list_tools(self) -> list[dict[str, Any]]:
        """The tools as JSON objects, all pages. Raises as :meth:`call_tool` does."""
        return await self._listed("tools")

    async def list_prompts(self) -> list[dict[str, Any]]:
        """The same of its prompts."""
        return await self._listed("prompts")

    async def list_resources(self) -> list[dict[str, Any]]:
        """The same of its resources."""
        return await self._listed("resources")

    async def call_tool(
        self, name: str, arguments: Mapping[str, Any] | None = None, **hooks: Unpack[Hooks]
    ) -> dict[str, Any]:
        """The tool's result as the JSON object of the specification, always with ``isError``.

        No time limit. Cancelling the task cancels the call on the wire and keeps the connection.
        ``RemoteError``: the server answered with an error. ``LocalError``: it cannot be reached, or died.
        """
        result = {"isError": False, **await self._run(requests.tool(name, arguments or {}), hooks)}
        return eras.with_hint(result, self.name)

    async def get_prompt(
        self, name: str, arguments: Mapping[str, str] | None = None, **hooks: Unpack[Hooks]
    ) -> dict[str, Any]:
        """The prompt's messages, as the result object of the specification. As :meth:`call_tool` else."""
        return await self._run(requests.prompt(name, arguments or {}), hooks)

    async def read_resource(self, uri: str, **hooks: Unpack[Hooks]) -> dict[str, Any]:
        """The resource's contents, as the result object of the specification. As :meth:`call_tool` else."""
        return await self._run(requests.resource(uri), hooks)

    def required(
        self, error: RemoteError, tool: str, arguments: Mapping[str, Any]
    ) -> tuple[list[UrlElicitation], list[str]]:
        """The addresses that a ``-32042`` error lists, and a sentence for each entry that is none."""
        if "url" not in self._manner.modes:
            return [], ["The server wants an address opened, and it was not offered that."]
        cause = Cause(tool, convert.argument_text(arguments), "caused")
        return required.read(error.data, self.asker, cause, self._manner.own_origins())

    def answered(self, asked: UrlElicitation, answer: Answer) -> None:
        """What the person said to one of :meth:`required`: from now on its completion is heard."""
        now = self._sessions.now
        if now is not None:
            now.questions.remember(asked, answer)

    async def tell_complete(
        self, asked: UrlElicitation, action: Literal["accept", "decline", "cancel"]
    ) -> bool:
        """Tell the server that the flow of ``asked`` has ended; whether that was sent.

        Only to the session that asked, with the server's id, where the revision knows the
        notification and the configuration allows it: no revision foresees it from a client.
        """
        now = self._sessions.now
        if not (self.spec.client_completion and self.era.completes and asked.elicitation_id):
            return False
        if now is None or not await now.questions.may_complete(asked) or not now.link.is_ready:
            return False
        await now.client.session.send_notification(convert.completion(asked.elicitation_id, action))
        return True

    async def _listed(self, what: requests.Listed) -> list[dict[str, Any]]:
        async def send(now: Generation) -> list[dict[str, Any]]:
            # A server may ask here too.
            with self._calls.running(Call(f"{what}/list", "{}")):
                return await requests.list_all(now.client, what)

        return await self._sessions.run(send, f"{what}/list")

    async def _run(self, errand: requests.Errand, hooks: Hooks) -> dict[str, Any]:
        call = Call(errand.name, errand.arguments, **hooks)

        async def send(now: Generation) -> Final:
            self._flood.allow_one()
            with self._calls.running(call):
                try:
                    return await requests.run(now.client, call, errand, CallDesk(now.questions, call))
                except BaseException as error:
                    # Nobody waits for what it asked. Not every server takes that back.
                    interrupted = isinstance(error, asyncio.CancelledError)
                    now.questions.end_of(call, Withdrawal.CALLER if interrupted else Withdrawal.CALL)
                    raise

        return convert.to_json(await self._sessions.run(send, errand.name))

    def _questions(self) -> Questions:
        return Questions(
            self._ask,
            self._calls,
            self._flood,
            lambda: self.asker,
            self._manner,
            self._on_cut,
            self._on_refused,
        )

    def _read_identity(self, client: Client) -> None:
        self._identity = client.server_info
        self._version = client.protocol_version

    async def _logged(self, params: LoggingMessageNotificationParams) -> None:
        self._calls.tell_log(params.level, params.logger, params.data)
        if self._on_log is not None:
            self._on_log(params.level, params.logger, params.data)
