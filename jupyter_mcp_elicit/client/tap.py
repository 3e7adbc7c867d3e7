"""Sees every JSON-RPC frame in both directions, and may rewrite one before the SDK or the server does."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import Any, Literal, TypeAlias

import anyio
from mcp.client._transport import ReadStream, TransportStreams, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCMessage

log = logging.getLogger(__name__)

Direction: TypeAlias = Literal["send", "recv"]
Frame: TypeAlias = JSONRPCMessage | Exception
OnFrame: TypeAlias = Callable[[Direction, Frame], None]
Transport: TypeAlias = AbstractAsyncContextManager[TransportStreams]


def as_json(frame: Frame) -> dict[str, Any]:
    """The frame as it goes over the wire; ``{"exception": text}`` for what was no frame."""
    if isinstance(frame, Exception):
        return {"exception": repr(frame)}
    dumped: dict[str, Any] = frame.model_dump(by_alias=True, mode="json", exclude_unset=True)
    return dumped


@asynccontextmanager
async def tap(
    transport: Transport,
    on_frame: OnFrame | None = None,
    *,
    rewrite: OnFrame | None = None,
    on_end: Callable[[], None] | None = None,
) -> AsyncGenerator[TransportStreams, None]:
    """``transport`` with eyes. ``on_frame`` sees what is on the wire: before ``rewrite`` changes a
    received frame in place, and after it changed a sent one. ``on_end``: the peer sends no more.
    """

    def look(direction: Direction, item: SessionMessage | Exception) -> None:
        frame = item if isinstance(item, Exception) else item.message
        order = (rewrite, on_frame) if direction == "send" else (on_frame, rewrite)
        for each in order:
            if each is not None:
                try:
                    each(direction, frame)
                except Exception:
                    log.exception("Looking at an MCP frame failed")

    async with transport as (read, write):
        yield _Reader(read, look, on_end), _Writer(write, look)


_Look: TypeAlias = Callable[[Direction, SessionMessage | Exception], None]


class _Reader:
    def __init__(
        self, inner: ReadStream[SessionMessage | Exception], look: _Look, on_end: Callable[[], None] | None
    ) -> None:
        self._inner = inner
        self._look = look
        self._on_end = on_end

    @property
    def last_context(self) -> Any:
        # The SDK runs handlers in it: over HTTP it links a question to the call that caused it.
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        try:
            item = await self._inner.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            if self._on_end is not None:
                self._on_end()
            raise
        self._look("recv", item)
        return item

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> _Reader:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> _Reader:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._inner.__aexit__(kind, error, trace)


class _Writer:
    def __init__(self, inner: WriteStream[SessionMessage], look: _Look) -> None:
        self._inner = inner
        self._look = look

    async def send(self, item: SessionMessage, /) -> None:
        self._look("send", item)
        await self._inner.send(item)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> _Writer:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._inner.__aexit__(kind, error, trace)
