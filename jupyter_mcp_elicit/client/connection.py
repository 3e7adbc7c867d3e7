"""One MCP connection: opened when needed, reopened after its server died, many calls at once."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import pydantic
from mcp import Client, MCPError
from mcp_types import (
    Implementation,
    LoggingLevel,
    LoggingMessageNotificationParams,
)

from ..core.elicitation import Answer, Asker, Cause, Mode, UrlElicitation
from ..core.errors import LocalError, RemoteError
from . import convert, eras, failures, requests, required
from .calls import Call, Calls, Hooks, OnLog
from .desk import CallDesk
from .endpoint import OwnServer, endpoint
from .flood import Flood
from .generation import Generation, Options
from .here import transport_to
from .http import CURRENT_ATTEMPT, Attempt
from .questions import Ask, Gone, Manner, OnRefused, Questions
from .rounds import Final
from .spec import ServerSpec
from .stdio import MAX_FRAME
from .tap import OnFrame, Transport

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Ask", "Connection"]

# How long a dying server may take to be gone, so that its exit code is known.
LAST_WORDS = 8.0

_T = TypeVar("_T")


class _Forgotten(Exception):
    """The server no longer knows our session. ``told`` is what to say when that is the end of it."""

    def __init__(self, told: LocalError) -> None:
        super().__init__(str(told))
        self.told = told


class Connection:
    """A connection to one server for one owner. Lives on one event loop.

    ``ask(question, token)`` gives the person's answer; ``token`` is what the question's call was
    given, ``None`` when no single call of ours can have caused it. Cancelled: the question is withdrawn.
    ``on_complete`` gets the id of an accepted URL question once the server says that its flow has
    ended, ``on_cut`` the ids of all that were answered once the session has; ``on_refused(reason, token)``
    hears of each pushed question that nobody was asked. ``own_origins()`` gives
    the addresses that the notebook itself is open under.
    ``open_timeout`` in seconds; ``max_frame`` in bytes.
    """

    def __init__(
        self,
        spec: ServerSpec | OwnServer,
        ask: Ask,
        *,
        schema_policy: convert.SchemaPolicy = "lenient",
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
    ) -> None:
        self.spec = spec
        self._ask = ask
        self._manner = Manner(
            modes=eras.declared(spec.era, spec.capabilities),
            schema_policy=schema_policy,
            unsolicited=unsolicited,
            own_origins=own_origins,
        )
        self._options = Options(
            open_timeout=open_timeout,
            log_level=log_level,
            on_frame=on_frame,
            on_log=self._logged,
            on_complete=on_complete,
            opened=self._read_identity,
        )
        self._max_frame = max_frame
        self._on_log = on_log
        self._on_cut = on_cut
        self._on_refused = on_refused
        self._on_stderr = on_stderr
        self._environ = os.environ if environ is None else environ
        self._flood = Flood(max_pending, max_per_minute)
        self._calls = Calls()
        self._now: Generation | None = None
        self._generation = 0
        self._closings = 0
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
        return self._generation

    @property
    def state(self) -> str:
        """``closed``, ``connecting``, ``ready`` or ``failed: why``."""
        now = self._now
        if now is None:
            return "closed"
        if now.link.is_ready:
            return "ready"
        if not now.link.over.is_set() and not now.link.was_ready:
            return "connecting"
        return f"failed: {now.why()[0]}"

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
        return "" if self._now is None else self._now.endpoint.stderr

    @property
    def skipped(self) -> int:
        """How many lines of a stdio server's output were no JSON-RPC, in this or the last session."""
        return 0 if self._now is None else self._now.endpoint.skipped

    async def open(self) -> None:
        """Connect, unless connected. Any number may call it at once. ``LocalError`` says why it failed."""
        await self._opened()

    async def close(self) -> None:
        """End the session and its process: open questions are withdrawn, running calls fail."""
        self._closings += 1
        now, self._now = self._now, None
        if now is not None:
            now.questions.end()
            await now.link.close()

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
        if self._now is not None:
            self._now.questions.remember(asked, answer)

    async def tell_complete(
        self, asked: UrlElicitation, action: Literal["accept", "decline", "cancel"]
    ) -> bool:
        """Tell the server that the flow of ``asked`` has ended; whether that was sent.

        Only to the session that asked, with the server's id, where the revision knows the
        notification and the configuration allows it: no revision foresees it from a client.
        """
        now = self._now
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

        return await self._with_session(send, f"{what}/list")

    async def _run(self, errand: requests.Errand, hooks: Hooks) -> dict[str, Any]:
        call = Call(errand.name, errand.arguments, **hooks)

        async def send(now: Generation) -> Final:
            self._flood.allow_one()
            with self._calls.running(call):
                try:
                    return await requests.run(now.client, call, errand, CallDesk(now.questions, call))
                except BaseException:
                    # Interrupted or failed: nobody waits for what it asked. Not every server takes that back.
                    now.questions.end_of(call)
                    raise

        return convert.to_json(await self._with_session(send, errand.name))

    async def _with_session(self, send: Callable[[Generation], Awaitable[_T]], doing: str) -> _T:
        try:
            return await self._once(send, doing)
        except _Forgotten:
            # The server threw the request away unread, so sending it once more does nothing twice.
            pass
        try:
            return await self._once(send, doing)
        except _Forgotten as again:
            raise again.told from again

    async def _once(self, send: Callable[[Generation], Awaitable[_T]], doing: str) -> _T:
        now = await self._opened()
        attempt = Attempt()
        before = CURRENT_ATTEMPT.set(attempt)
        try:
            return await send(now)
        except Exception as error:
            if isinstance(error, MCPError) and attempt.was_forgotten(error.message):
                now.give_up("no longer knows this session")
                raise _Forgotten(await self._lost(error, now, doing)) from error
            raise await self._translated(error, now, doing) from error
        finally:
            CURRENT_ATTEMPT.reset(before)

    async def _opened(self) -> Generation:
        closings = self._closings
        while True:
            now = self._now
            if now is None or now.link.over.is_set():
                now = self._start()
            await now.link.opened()
            if self._closings != closings:
                raise LocalError(f'The connection to "{self.name}" was closed.')
            if now.link.is_ready:
                return now
            await now.link.over.wait()
            if not now.link.was_ready:
                how, more = now.why()
                raise LocalError(failures.with_more(f'The server "{self.name}" {how}.', more))

    def _start(self) -> Generation:
        if self.spec.disabled:
            raise LocalError(f'The server "{self.name}" is disabled.', hint='Remove "disabled" in mcp.json.')
        reached = endpoint(self.spec, self._environ, limit=self._max_frame, on_stderr=self._on_stderr)
        questions = Questions(
            self._ask,
            self._calls,
            self._flood,
            lambda: self.asker,
            self._manner,
            self._on_cut,
            self._on_refused,
        )
        self._generation += 1
        self._now = Generation(self.spec, reached, questions, self._options)
        return self._now

    def _read_identity(self, client: Client) -> None:
        self._identity = client.server_info
        self._version = client.protocol_version

    async def _logged(self, params: LoggingMessageNotificationParams) -> None:
        self._calls.tell_log(params.level, params.logger, params.data)
        if self._on_log is not None:
            self._on_log(params.level, params.logger, params.data)

    async def _translated(self, error: Exception, now: Generation, doing: str) -> Exception:
        """``error`` as theirs or ours; waits a moment for a dying server's exit code."""
        if isinstance(error, RemoteError):
            return error
        if isinstance(error, Gone) or failures.is_loss(error) or not now.link.is_ready:
            return await self._lost(error, now, doing)
        if isinstance(error, MCPError):
            return convert.remote_error(
                error,
                instead=now.endpoint.refusal(error.message),
                hint=eras.hint_for(error.message, self.name),
            )
        if isinstance(error, pydantic.ValidationError):
            reason, now.manners.malformed = now.manners.malformed, ""
            return RemoteError(reason or f"The answer to {doing} is no valid MCP: {failures.where(error)}.")
        if isinstance(error, LocalError):
            return error
        return LocalError(f"{doing} failed: {failures.why(error)}.")

    async def _lost(self, error: Exception, now: Generation, doing: str) -> LocalError:
        broke = f"broke off ({failures.why(error)})"
        # Over HTTP one call can be lost while others still run: those keep their session.
        if not self._calls and now.link.is_ready:
            now.give_up(broke)
        if not now.link.is_ready:
            await now.link.ends(LAST_WORDS)
        if self._now is None:
            return LocalError(f'The connection to "{self.name}" was closed during {doing}.')
        how, more = (broke, "") if now.link.is_ready else now.why()
        again = (
            "starts it again" if isinstance(self.spec, ServerSpec) and self.spec.command else "connects anew"
        )
        told = f'The server "{self.name}" {how}, during {doing}. The next call {again}.'
        return LocalError(failures.with_more(told, more))
