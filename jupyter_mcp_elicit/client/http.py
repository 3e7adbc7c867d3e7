"""The streamable HTTP transport: the person's time is no read timeout, and no answer is too large to hold."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager

import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.streamable_http import streamable_http_client

from ..core.errors import LocalError
from .stdio import MAX_FRAME, FrameTooLarge

CONNECT_SECONDS = 30.0


class HttpRecord:
    """What is known of one HTTP connection, during it and after its end."""

    def __init__(self) -> None:
        self.failure: LocalError | None = None
        self.session_lost = False  # the server no longer knows our session: nothing of the request was done


@asynccontextmanager
async def bounded_http(
    url: str,
    headers: Mapping[str, str] | None = None,
    *,
    limit: int = MAX_FRAME,
    record: HttpRecord | None = None,
) -> AsyncGenerator[TransportStreams, None]:
    """Connect to ``url``: ``(read, write)`` for the SDK. ``limit`` is bytes a message."""
    record = record if record is not None else HttpRecord()

    async def look(response: httpx2.Response) -> None:
        if response.status_code == 404 and "mcp-session-id" in response.request.headers:
            record.session_lost = True
        # The SDK reads a JSON body whole; an event stream it bounds by the event.
        if not response.headers.get("content-type", "").lower().startswith("text/event-stream"):
            response.stream = _Bounded(response.stream, limit, record)

    async with (
        httpx2.AsyncClient(
            # Nobody's answer is slow: between two bytes there may be a person.
            timeout=httpx2.Timeout(CONNECT_SECONDS, read=None),
            # A small compressed body could otherwise grow past every limit.
            headers={**dict(headers or {}), "Accept-Encoding": "identity"},
            event_hooks={"response": [look]},
        ) as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=limit) as streams,
    ):
        yield streams


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, inner: object, limit: int, record: HttpRecord) -> None:
        assert isinstance(inner, httpx2.AsyncByteStream)
        self._inner = inner
        self._limit = limit
        self._record = record

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for chunk in self._inner:
            seen += len(chunk)
            if seen > self._limit:
                self._record.failure = FrameTooLarge(self._limit)
                raise httpx2.ReadError(str(self._record.failure))
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
