"""An MCP connection that lives in this kernel: a URL, a command, or a server object."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..client.visits import Visits
from ..core import wire
from ..core.elicitation import Answer, Elicitation, FormElicitation
from ..core.errors import URL_ELICITATION_REQUIRED, LocalError, RemoteError
from ..core.lifecycle import Turn
from ..core.wire import Json
from ..trace import Direction, Entry, Recorder
from .background import Background, Emit, QueueStream
from .desk import Desk, Events, KernelDesk, ServerDesk
from .link import Refused, error_of
from .openings import Openings, PromptOpenings
from .page_openings import PageOpenings
from .reader import Reader

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..client.calls import Hooks
    from ..client.connection import Connection
    from .start import Start


@dataclass(eq=False)
class _Call:
    emit: Emit
    asks: str

    def notice(self, text: str) -> None:
        self.emit({"type": "notice", "text": text})


class KernelBackend:
    """Runs the connection on the background loop, so that a blocking cell does not stop it.

    ``connect`` makes the connection from the function that puts its questions and the hooks of
    ``Connection``. ``start`` says whether a configured server may start. ``deadline``: seconds that
    its questions wait. ``trace_contents``: the trace keeps what was answered.
    """

    def __init__(
        self,
        desk: Desk,
        connect: Callable[[Any, dict[str, Any]], Connection],
        *,
        start: Start | None = None,
        deadline: float | None = None,
        trace_contents: bool = False,
    ) -> None:
        self.desk = desk
        self._trace = Recorder(contents=trace_contents)
        self._start = start
        self._deadline = deadline
        self._openings: Openings | None = None
        if isinstance(desk, KernelDesk):
            self._openings = PromptOpenings(desk, lambda: self._connection)
        elif isinstance(desk, ServerDesk):
            self._openings = PageOpenings(desk, lambda: self._connection)
        hooks: dict[str, Any] = {
            "on_frame": self._saw,
            "on_refused": self._refused,
        }
        if self._openings is not None:
            hooks |= {"on_complete": self._openings.complete, "on_cut": self._openings.cut}
        self._connection = connect(self._asked, hooks)
        self._last = _Call(lambda _: None, "nobody")

    def list_tools(self, asks: str) -> Events:
        async def work(emit: Emit) -> Json:
            self._last = call = _Call(emit, asks)
            await self._open(call)
            return {"type": "result", "result": {"tools": await self._connection.list_tools()}}

        return QueueStream(work)

    def call_tool(self, tool: str, arguments: Json, asks: str) -> Events:
        return self.run("tool", tool, arguments, asks)

    def run(self, kind: str, name: str, arguments: Json, asks: str) -> Events:
        async def work(emit: Emit) -> Json:
            self._last = call = _Call(emit, asks)
            await self._open(call)
            return {"type": "result", "result": await self._sent_until_done(kind, name, arguments, call)}

        return QueueStream(work)

    def trace(self) -> list[Entry]:
        return self._trace.entries

    def close(self) -> None:
        Background.run(self._connection.close())

    def let_go(self) -> None:
        """Close without waiting for the end of it."""
        asyncio.run_coroutine_threadsafe(self._connection.close(), Background.loop())

    async def _open(self, call: _Call) -> None:
        if self._start is not None:
            await self._start.allow(call.asks, call.emit)
        await self._connection.open()
        if self._start is not None:
            self._start.record()

    async def _sent_until_done(self, kind: str, name: str, arguments: Json, call: _Call) -> Json:
        openings = self._openings
        if openings is None:
            return await self._send(kind, name, arguments, call)
        visits = Visits(self._connection, lambda asked: self._asked(asked, call), openings.over, call.notice)
        over = Turn.END
        try:
            while True:
                try:
                    result = await self._send(kind, name, arguments, call)
                except RemoteError as error:
                    if error.code != URL_ELICITATION_REQUIRED:
                        raise
                    await visits.make(error, name, arguments)
                else:
                    over = Turn.END if result.get("isError") else Turn.COMPLETE
                    return result
        except asyncio.CancelledError:
            await openings.end(call, Turn.ABANDON)
            raise
        finally:
            # Where its revision cannot, nothing else will ever tell how a page ended.
            await openings.end(call, None if self._connection.era.completes else over)

    async def _send(self, kind: str, name: str, arguments: Json, call: _Call) -> Json:
        emit = call.emit
        hooks: Hooks = {
            "on_progress": lambda done, total, message: emit(
                {"type": "progress", "progress": done, "total": total, "message": message}
            ),
            "on_log": lambda level, logger, data: emit(
                {"type": "log", "level": level, "logger": logger, "data": data}
            ),
            "on_notice": call.notice,
            "token": call,
        }
        if kind == "tool":
            return await self._connection.call_tool(name, arguments, **hooks)
        if kind == "prompt":
            return await self._connection.get_prompt(name, arguments, **hooks)
        if kind == "resource":
            return await self._connection.read_resource(name, **hooks)
        if name == "prompts":
            return {name: await self._connection.list_prompts()}
        return {name: await self._connection.list_resources()}

    def _saw(self, direction: Direction, frame: Any) -> None:
        from ..client.tap import as_json

        self._trace.see(direction, as_json(frame), self._connection.generation)

    def _refused(self, why: str, token: object | None) -> None:
        # The server alone would know otherwise, and may hide it.
        call = token if isinstance(token, _Call) else self._last
        call.notice(f'A question of "{self._connection.name}" was refused. {why}')

    async def _asked(self, elicitation: Elicitation, token: object | None) -> Answer:
        call = token if isinstance(token, _Call) else self._last
        if isinstance(elicitation, FormElicitation):
            return await self._form(elicitation, call)
        if self._openings is None:
            raise RemoteError("This client shows questions in form mode only.")
        return await self._openings.ask(elicitation, call, call.asks, call.emit, self._time_for(elicitation))

    async def _form(self, elicitation: FormElicitation, call: _Call) -> Answer:
        question: Json = {
            "message": elicitation.message,
            "requestedSchema": elicitation.schema.source,
            "asker": wire.asker(elicitation.asker),
            "cause": wire.cause(elicitation.cause),
            "asks": call.asks,
        }
        deadline = self._time_for(elicitation)
        if deadline != "default":
            question["deadline"] = deadline
        try:
            async with Reader(lambda: self.desk.ask(question)) as reader:
                while (event := await reader.next()) is not None:
                    if event["type"] == "answer":
                        return wire.read_answer(event["answer"])
                    if event["type"] == "error":
                        raise error_of(event["error"])
                    if event["type"] in ("elicit", "update"):
                        call.emit({**event, "requestedSchema": elicitation.schema.source})
        except Refused as error:
            if "code" in error.shape:
                # The server asked for what cannot be shown, and hears so.
                raise RemoteError(error.message, code=int(error.shape["code"])) from None
            raise
        raise LocalError("The question ended without an answer.")

    def _time_for(self, elicitation: Elicitation) -> float | Literal["default"]:
        within = [each for each in (elicitation.within, self._deadline) if each is not None]
        return min(within) if within else "default"
