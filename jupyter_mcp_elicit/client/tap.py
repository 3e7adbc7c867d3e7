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
Rewrite: TypeAlias = Callable[[Direction, JSONRPCMessage], "JSONRPCMessage | None"]
Item: TypeAlias = SessionMessage | Exception
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
    rewrite: Rewrite | None = None,
    on_end: Callable[[], None] | None = None,
) -> AsyncGenerator[TransportStreams, None]:
    """``transport`` with eyes. ``on_frame`` sees what is on the wire: a received frame before
    ``rewrite`` replaces it, a sent one after. A received frame that it makes ``None`` goes no
    further. ``on_end``: the peer sends no more.
    """
    seen = _Seen(on_frame, rewrite)
    async with transport as (read, write):
        yield _Reader(read, seen, on_end), _Writer(write, seen)


class _Seen:
    def __init__(self, on_frame: OnFrame | None, rewrite: Rewrite | None) -> None:
        self._on_frame = on_frame
        self._rewrite = rewrite

    def received(self, item: Item) -> Item | None:
        self._show("recv", item)
        return self._rewritten("recv", item) if isinstance(item, SessionMessage) else item

    def sent(self, item: SessionMessage) -> SessionMessage:
        changed = self._rewritten("send", item) or item
        self._show("send", changed)
        return changed

    def _rewritten(self, direction: Direction, item: SessionMessage) -> SessionMessage | None:
        if self._rewrite is None:
            return item
        try:
            message = self._rewrite(direction, item.message)
        except Exception:
            log.exception("Rewriting an MCP frame failed")
            return item
        if message is None:
            return None
        return item if message is item.message else SessionMessage(message, item.metadata)

    def _show(self, direction: Direction, item: Item) -> None:
        if self._on_frame is None:
            return
        try:
            self._on_frame(direction, item.message if isinstance(item, SessionMessage) else item)
        except Exception:
            log.exception("Looking at an MCP frame failed")


class _Reader:
    def __init__(self, inner: ReadStream[Item], seen: _Seen, on_end: Callable[[], None] | None) -> None:
        self._inner = inner
        self._seen = seen
        self._on_end = on_end

    @property
    def last_context(self) -> Any:
        # The SDK runs handlers in it: over HTTP it links a question to the call that caused it.
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> Item:
        while True:
            try:
                item = await self._inner.receive()
            except (anyio.EndOfStream, anyio.ClosedResourceError):
                if self._on_end is not None:
                    self._on_end()
                raise
            if (received := self._seen.received(item)) is not None:
                return received

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> _Reader:
        return self

    async def __anext__(self) -> Item:
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
    def __init__(self, inner: WriteStream[SessionMessage], seen: _Seen) -> None:
        self._inner = inner
        self._seen = seen

    async def send(self, item: SessionMessage, /) -> None:
        await self._inner.send(self._seen.sent(item))

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> _Writer:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._inner.__aexit__(kind, error, trace)
