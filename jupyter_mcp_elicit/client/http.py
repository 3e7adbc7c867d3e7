"""The streamable HTTP transport: a person's time is no read timeout, and no answer is too large to hold."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.auth.utils import extract_field_from_www_auth
from mcp.client.streamable_http import streamable_http_client

from .stdio import MAX_FRAME, too_large

CONNECT_SECONDS = 30.0
# What is no call waits for no person: the server only has to take it.
TAKE_SECONDS = 30.0
GOODBYE_SECONDS = 5.0

# At DEBUG the SDK writes whole messages, answers and all, into the log.
logging.getLogger("mcp.client.streamable_http").setLevel(logging.INFO)


class Attempt:
    """What happened, as HTTP, to the requests of one call."""

    def __init__(self) -> None:
        self._status = 0
        self.sign_in = ""  # why nobody signed in, when it needed that: the end of a sentence

    def refused(self, request: httpx2.Request, status: int) -> None:
        """A request of it came back with ``status``, 400 or above."""
        if "mcp-session-id" in request.headers:
            self._status = status

    def was_forgotten(self, message: str) -> bool:
        """Whether the server no longer knows our session, so that nothing of the request was done."""
        # 404 is the protocol's word for it; the examples of the TypeScript SDK answer 400.
        return self._status == 404 or (self._status == 400 and "session" in message.lower())


# The SDK sends each request in its caller's context, so this finds the call that a response is for.
CURRENT_ATTEMPT: ContextVar[Attempt | None] = ContextVar("jupyter_mcp_elicit_attempt", default=None)


class HttpRecord:
    """What is known of one HTTP connection, during it and after its end."""

    def __init__(self) -> None:
        self.failure = ""  # why we ended it: the end of a sentence about the server
        self.status = 0  # of the newest request that was refused as HTTP


@asynccontextmanager
async def bounded_http(
    url: str,
    headers: Mapping[str, str] | None = None,
    *,
    limit: int = MAX_FRAME,
    record: HttpRecord | None = None,
    auth: httpx2.Auth | None = None,
) -> AsyncGenerator[TransportStreams, None]:
    """Connect to ``url``: ``(read, write)`` for the SDK. ``limit`` is bytes a message.

    ``auth`` sends what the server refuses with 401 or 403 once more, or raises.
    """
    watch = _Watch(limit, record if record is not None else HttpRecord(), signs_in=auth is not None)
    async with (
        httpx2.AsyncClient(
            timeout=httpx2.Timeout(CONNECT_SECONDS, read=None),
            auth=auth,
            # A small compressed body could grow past every limit.
            headers={**dict(headers or {}), "Accept-Encoding": "identity"},
            event_hooks={"request": [watch.sending], "response": [watch.received]},
        ) as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=limit) as streams,
    ):
        yield streams


class _Watch:
    def __init__(self, limit: int, record: HttpRecord, *, signs_in: bool) -> None:
        self._limit = limit
        self._record = record
        self._signs_in = signs_in

    async def sending(self, request: httpx2.Request) -> None:
        # The SDK waits for the reply to an answer, and to a goodbye, before it does anything else.
        seconds = {"POST": None if is_call(request) else TAKE_SECONDS, "DELETE": GOODBYE_SECONDS}.get(
            request.method
        )
        if seconds is not None:
            limits = {"connect": seconds, "write": seconds, "pool": seconds, "read": seconds}
            request.extensions = {**request.extensions, "timeout": limits}

    async def received(self, response: httpx2.Response) -> None:
        request, status = response.request, response.status_code
        if status >= 400 and request.method == "POST":
            self._record.status = status
            if self._signs_in and is_refusal(response):
                # Not the last word yet.
                pass
            elif not is_call(request):
                # The SDK would not notice, and the server would wait for ever.
                self._end(f"did not take a message (HTTP {status})", request)
            elif (attempt := CURRENT_ATTEMPT.get()) is not None:
                attempt.refused(request, status)
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding != "identity":
            self._end(
                f"compressed a message ({encoding!r}), which was not asked for, and was disconnected", request
            )
        if not response.headers.get("content-type", "").lower().startswith("text/event-stream"):
            # The SDK bounds an event stream by the event, but reads any other body whole.
            response.stream = _Bounded(response.stream, self, request)

    def count(self, seen: int, request: httpx2.Request) -> None:
        """``seen`` bytes of a body so far; raises when that is too many."""
        if seen > self._limit:
            self._end(too_large(self._limit), request)

    def _end(self, why: str, request: httpx2.Request) -> None:
        self._record.failure = why
        raise httpx2.ReadError(why, request=request)


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, inner: Any, watch: _Watch, request: httpx2.Request) -> None:
        self._inner: AsyncIterable[bytes] = inner
        self._close = inner.aclose
        self._watch = watch
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for chunk in self._inner:
            seen += len(chunk)
            self._watch.count(seen, self._request)
            yield chunk

    async def aclose(self) -> None:
        await self._close()


def is_call(request: httpx2.Request) -> bool:
    """Whether its body waits for a result: only then may a person be in between."""
    try:
        message = json.loads(request.content)
    except (ValueError, httpx2.RequestNotRead):
        return False
    return isinstance(message, dict) and "method" in message and "id" in message


def is_refusal(response: httpx2.Response) -> bool:
    """Whether another token would help."""
    if response.status_code == 403:
        return extract_field_from_www_auth(response, "error") == "insufficient_scope"
    return response.status_code == 401
