"""One MCP connection: opened when needed, reopened after its server died, many calls at once."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import metadata
from typing import Any, Literal

import anyio
import pydantic
from mcp import Client, MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    HEADER_MISMATCH,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    ElicitRequest,
    ElicitResult,
    Implementation,
    InputRequiredResult,
    InputResponses,
    JSONRPCRequest,
    LoggingLevel,
    LoggingMessageNotificationParams,
    PaginatedRequestParams,
)

from ..core.elicitation import Asker, Mode
from ..core.errors import LocalError, RemoteError
from . import convert, eras, failures
from .calls import Call, Calls, OnLog, OnProgress
from .endpoint import Endpoint, OwnServer, endpoint
from .flood import Flood
from .link import Link
from .questions import Ask, Gone, Questions
from .rounds import drive
from .spec import ServerSpec
from .stdio import MAX_FRAME
from .tap import Direction, Frame, OnFrame, Transport, tap

__all__ = ["Ask", "Connection"]

MAX_PAGES = 100
# How long a dying process may take to tell its exit code.
LAST_WORDS = 6.0

_RESULT: pydantic.TypeAdapter[CallToolResult | InputRequiredResult] = pydantic.TypeAdapter(
    CallToolResult | InputRequiredResult
)


class _Generation:
    """What lives from one opening to the next."""

    def __init__(self, number: int, endpoint: Endpoint, questions: Questions) -> None:
        self.number = number
        self.endpoint = endpoint
        self.questions = questions
        self.link: Link

    def why(self) -> tuple[str, str]:
        """Why it is over: the end of a sentence about the server, and more lines."""
        link = self.link
        if link.timed_out:
            return "did not finish connecting in time", self.endpoint.ending()[1]
        if link.peer_ended:
            return self.endpoint.ending()
        if link.failure is None:
            return "was closed", ""
        cause = failures.root(link.failure)
        if isinstance(cause, LocalError):
            return f"cannot be started. {cause}".rstrip("."), ""
        return f"cannot be reached: {failures.why(cause)}", self.endpoint.ending()[1]


class Connection:
    """A connection to one server for one owner. Lives on one event loop.

    ``ask(question, token)`` gives the person's answer; ``token`` is what the question's call was
    given, ``None`` when no single call of ours can have caused it. Cancelled: the question is withdrawn.
    ``open_timeout`` in seconds; ``max_frame`` in bytes.
    """

    def __init__(
        self,
        spec: ServerSpec | OwnServer,
        ask: Ask,
        *,
        schema_policy: convert.SchemaPolicy = "lenient",
        unsolicited: Literal["show", "refuse"] = "show",
        open_timeout: float = 30.0,
        max_pending: int = 16,
        max_per_minute: int = 20,
        max_frame: int = MAX_FRAME,
        log_level: LoggingLevel | None = "info",
        on_frame: OnFrame | None = None,
        on_log: OnLog | None = None,
        on_stderr: Callable[[str], None] | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.spec = spec
        self._ask = ask
        self._schema_policy = schema_policy
        self._unsolicited = unsolicited
        self._open_timeout = open_timeout
        self._max_frame = max_frame
        self._log_level = log_level
        self._on_frame = on_frame
        self._on_log = on_log
        self._on_stderr = on_stderr
        self._environ = os.environ if environ is None else environ
        self._flood = Flood(max_pending, max_per_minute)
        self._calls = Calls()
        self._now: _Generation | None = None
        self._count = 0
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
        """A connection over a transport of the caller's own: ``make()`` gives a new one each time."""
        server = OwnServer(name=name, make=make, transport=transport, era=era, capabilities=capabilities)
        return cls(server, ask, **options)

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def generation(self) -> int:
        """How often it was opened. What belongs to one generation is never sent in another."""
        return self._count

    @property
    def state(self) -> str:
        """``closed``, ``connecting``, ``ready`` or ``failed: why``."""
        now = self._now
        if now is None:
            return "closed"
        if now.link.is_ready:
            return "ready"
        if not now.link.over.is_set() and not now.link.peer_ended:
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

    async def open(self) -> None:
        """Connect, unless connected. Any number may call it at once. ``LocalError`` says why it failed."""
        await self._opened()

    async def close(self) -> None:
        """End the session and its process; open questions are withdrawn, running calls fail. May be reopened."""
        self._closings += 1
        now, self._now = self._now, None
        if now is not None:
            now.questions.end()
            await now.link.close()

    async def list_tools(self) -> list[dict[str, Any]]:
        """The tools as JSON objects, all pages."""
        now = await self._opened()
        try:
            return await _list_tools(now.link.client)
        except Exception as error:
            raise await self._translated(error, now, "tools/list") from error

    async def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        on_progress: OnProgress | None = None,
        on_log: OnLog | None = None,
        token: object = None,
    ) -> dict[str, Any]:
        """The tool's result as the JSON object of the specification (``isError`` included).

        ``on_progress(done, total, message)``, ``on_log(level, logger, data)``; ``token`` goes to ``ask``.
        No time limit. Cancelling the task cancels the call on the wire and keeps the connection.
        ``RemoteError``: the server answered with an error. ``LocalError``: it cannot be reached, or died.
        """
        call = Call(name, convert.argument_text(arguments or {}), token, on_progress, on_log)
        for last in (False, True):
            now = await self._opened()
            self._flood.allow_one()
            with self._calls.running(call):
                try:
                    result = await self._call(now, call, dict(arguments or {}))
                    break
                except Exception as error:
                    translated = await self._translated(error, now, name)
                    # The server threw the request away unread, so sending it once more does nothing twice.
                    if last or not now.endpoint.session_lost:
                        raise translated from error
        return self._with_hint(convert.to_json(result))

    async def _call(self, now: _Generation, call: Call, arguments: dict[str, Any]) -> CallToolResult:
        session = now.link.client.session

        async def tell(progress: float, total: float | None, message: str | None) -> None:
            if call.on_progress is not None:
                call.on_progress(progress, total, message)

        async def once(
            responses: InputResponses | None, state: str | None
        ) -> CallToolResult | InputRequiredResult:
            # Not session.call_tool: that runs the server's own output schema, with its patterns, in our process.
            params = CallToolRequestParams(
                name=call.tool, arguments=arguments, input_responses=responses, request_state=state
            )
            return await session.send_request(CallToolRequest(params=params), _RESULT, progress_callback=tell)

        async def send(
            responses: InputResponses | None, state: str | None
        ) -> CallToolResult | InputRequiredResult:
            try:
                return await once(responses, state)
            except MCPError as error:
                if error.code != HEADER_MISMATCH or self.era.pushes:
                    raise
                # The rule of 2026-07-28: the headers come from the tool's listing, so list and send once more.
                await _list_tools(now.link.client)
                return await once(responses, state)

        async def answer(request: ElicitRequest) -> ElicitResult:
            return await now.questions.embedded(request.params, call)

        return await drive(send, answer)

    async def _opened(self) -> _Generation:
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
                raise self._failed(now)

    def _start(self) -> _Generation:
        if self.spec.disabled:
            raise LocalError(f'The server "{self.name}" is disabled.', hint='Remove "disabled" in mcp.json.')
        reached = endpoint(self.spec, self._environ, limit=self._max_frame, on_stderr=self._on_stderr)
        questions = Questions(
            self._ask,
            self._calls,
            self._flood,
            asker=lambda: self.asker,
            modes=self.spec.capabilities,
            schema_policy=self._schema_policy,
            unsolicited=self._unsolicited,
        )
        self._count += 1
        now = self._now = _Generation(self._count, reached, questions)
        now.link = Link(
            lambda on_end: self._client(now, on_end),
            opened=self._read_identity,
            open_timeout=self._open_timeout,
        )
        now.link.when_over(questions.end)
        return now

    def _client(self, now: _Generation, on_end: Callable[[], None]) -> Client:
        mode, offer = eras.SETTINGS[self.spec.era]

        def rewrite(direction: Direction, frame: Frame) -> None:
            if direction == "send" and isinstance(frame, JSONRPCRequest):
                eras.narrow(frame, self.spec.capabilities, offer)

        return Client(
            tap(now.endpoint.connect(), self._on_frame, rewrite=rewrite, on_end=on_end),
            mode=mode,
            elicitation_callback=now.questions.pushed,
            logging_callback=self._logged,
            log_level=self._log_level,
            client_info=Implementation(name="jupyter-mcp-elicit", version=_version()),
            cache=None,
        )

    def _read_identity(self, client: Client) -> None:
        self._identity = client.server_info
        self._version = client.protocol_version

    async def _logged(self, params: LoggingMessageNotificationParams) -> None:
        self._calls.tell_log(params.level, params.logger, params.data)
        if self._on_log is not None:
            self._on_log(params.level, params.logger, params.data)

    async def _translated(self, error: Exception, now: _Generation, doing: str) -> Exception:
        """``error`` as ours or theirs; waits a moment for a dying server's exit code."""
        if isinstance(error, RemoteError):
            return error
        if isinstance(error, Gone) or _is_loss(error) or not now.link.is_ready:
            return await self._lost(now, doing)
        if isinstance(error, MCPError):
            return convert.remote_error(error, hint=eras.hint_for(error.message, self.name))
        if isinstance(error, pydantic.ValidationError):
            return RemoteError(f"What the server answered to {doing} is no valid MCP: {_first(error)}.")
        if isinstance(error, LocalError):
            return error
        return LocalError(f"{doing} failed: {failures.why(error)}.")

    async def _lost(self, now: _Generation, doing: str) -> LocalError:
        if len(self._calls) <= 1 or not now.link.is_ready:
            now.link.hang_up()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(now.link.over.wait(), LAST_WORDS)
        if self._now is not now and self._now is None:
            return LocalError(f'The connection to "{self.name}" was closed during {doing}.')
        how, more = now.why() if now.link.over.is_set() else ("lost the call", "")
        if how == "was closed":
            how = "stopped answering"
        return LocalError(
            _sentences(f'The server "{self.name}" {how} during {doing}', "The next call connects again", more)
        )

    def _failed(self, now: _Generation) -> LocalError:
        how, more = now.why()
        return LocalError(_sentences(f'The server "{self.name}" {how}', more))

    def _with_hint(self, result: dict[str, Any]) -> dict[str, Any]:
        if result.get("isError"):
            text = " ".join(str(each.get("text", "")) for each in result.get("content", []))
            if hint := eras.hint_for(text, self.name):
                result["_meta"] = {**result.get("_meta", {}), eras.HINT_KEY: hint}
        return result


async def _list_tools(client: Client) -> list[dict[str, Any]]:
    tools: list[dict[str, Any]] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await client.session.list_tools(params=PaginatedRequestParams(cursor=cursor))
        tools += [convert.to_json(each) for each in page.tools]
        cursor = page.next_cursor
        if cursor is None:
            break
    return tools


def _is_loss(error: Exception) -> bool:
    if isinstance(error, MCPError):
        # A server may use the same code for its own purposes; these texts are the SDK's.
        return error.code == CONNECTION_CLOSED and error.message.startswith(
            ("Connection closed", "SSE stream")
        )
    return isinstance(error, (anyio.ClosedResourceError, anyio.BrokenResourceError))


def _first(error: pydantic.ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    return f"{'.'.join(str(each) for each in first['loc'])}: {first['msg']}"


def _sentences(*parts: str) -> str:
    return " ".join(
        f"{part.rstrip('.')}." if "\n" not in part else f"\n{part}" for part in parts if part
    ).replace(" \n", "\n")


def _version() -> str:
    try:
        return metadata.version("jupyter_mcp_elicit")
    except metadata.PackageNotFoundError:
        return "0"
