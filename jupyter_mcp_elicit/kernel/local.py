"""An MCP connection that lives in this kernel: a URL, a command, or a server object."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core import wire
from ..core.elicitation import Answer, Elicitation, FormElicitation
from ..core.errors import LocalError, RemoteError
from ..core.wire import Json
from ..trace import Direction, Entry, Recorder
from .background import Background, Emit, QueueStream
from .desk import Desk, Events
from .link import Refused, error_of
from .reader import Reader

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..client.calls import Hooks
    from ..client.connection import Connection


@dataclass(eq=False)
class _Call:
    emit: Emit
    asks: str


class KernelBackend:
    """Runs the connection on the background loop, so that a blocking cell does not stop it.

    ``connect`` makes the connection from the function that puts its questions, and the one that
    sees its frames. ``trace_contents``: the trace keeps what was answered.
    """

    def __init__(
        self, desk: Desk, connect: Callable[[Any, Any], Connection], *, trace_contents: bool = False
    ) -> None:
        self.desk = desk
        self._trace = Recorder(contents=trace_contents)
        self._connection = connect(self._asked, self._saw)
        self._last = _Call(lambda _: None, "nobody")

    def list_tools(self, asks: str) -> Events:
        async def work(emit: Emit) -> Json:
            self._last = _Call(emit, asks)
            await self._connection.open()
            return {"type": "result", "result": {"tools": await self._connection.list_tools()}}

        return QueueStream(work)

    def call_tool(self, tool: str, arguments: Json, asks: str) -> Events:
        return self.run("tool", tool, arguments, asks)

    def run(self, kind: str, name: str, arguments: Json, asks: str) -> Events:
        async def work(emit: Emit) -> Json:
            self._last = call = _Call(emit, asks)
            await self._connection.open()
            hooks: Hooks = {
                "on_progress": lambda done, total, message: emit(
                    {"type": "progress", "progress": done, "total": total, "message": message}
                ),
                "on_log": lambda level, logger, data: emit(
                    {"type": "log", "level": level, "logger": logger, "data": data}
                ),
                "on_notice": lambda text: emit({"type": "notice", "text": text}),
                "token": call,
            }
            if kind == "tool":
                result = await self._connection.call_tool(name, arguments, **hooks)
            elif kind == "prompt":
                result = await self._connection.get_prompt(name, arguments, **hooks)
            elif kind == "resource":
                result = await self._connection.read_resource(name, **hooks)
            elif name == "prompts":
                result = {name: await self._connection.list_prompts()}
            else:
                result = {name: await self._connection.list_resources()}
            return {"type": "result", "result": result}

        return QueueStream(work)

    def trace(self) -> list[Entry]:
        return self._trace.entries

    def close(self) -> None:
        Background.run(self._connection.close())

    def let_go(self) -> None:
        """Close without waiting for the end of it."""
        asyncio.run_coroutine_threadsafe(self._connection.close(), Background.loop())

    def _saw(self, direction: Direction, frame: Any) -> None:
        from ..client.tap import as_json

        self._trace.see(direction, as_json(frame), self._connection.generation)

    async def _asked(self, elicitation: Elicitation, token: object | None) -> Answer:
        if not isinstance(elicitation, FormElicitation):
            raise RemoteError("This client shows questions in form mode only.")
        call = token if isinstance(token, _Call) else self._last
        question: Json = {
            "message": elicitation.message,
            "requestedSchema": elicitation.schema.source,
            "asker": wire.asker(elicitation.asker),
            "cause": wire.cause(elicitation.cause),
            "asks": call.asks,
        }
        if elicitation.within is not None:
            question["deadline"] = elicitation.within
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
