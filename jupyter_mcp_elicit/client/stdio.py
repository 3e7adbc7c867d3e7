"""The stdio transport with a bound: the SDK's own buffers a line without limit, in quadratic time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from types import TracebackType

import anyio
from mcp.client._transport import TransportStreams
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage

from .child import GRACE, Child
from .frames import read_frame

MAX_FRAME = 4 * 1024 * 1024


def too_large(limit: int) -> str:
    """Why a connection was ended, as the end of a sentence about the server."""
    return f"sent a message of more than {limit // 1024} KiB and was disconnected"


class StdioRecord:
    """What is known of one stdio connection, during it and after its end."""

    def __init__(self) -> None:
        self.child: Child | None = None
        self.skipped = 0  # lines that were no JSON-RPC
        self.failure = ""  # why we ended it: the end of a sentence about the server


@asynccontextmanager
async def bounded_stdio(
    argv: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    limit: int = MAX_FRAME,
    on_stderr: Callable[[str], None] | None = None,
    record: StdioRecord | None = None,
) -> AsyncGenerator[TransportStreams, None]:
    """Run ``argv`` and exchange one JSON-RPC message a line with it: ``(read, write)`` for the SDK.

    ``limit`` is bytes a line. The child inherits a handful of variables (PATH, HOME ...) and
    ``env``, nothing else of ours. Lines that are no JSON-RPC are skipped and counted.
    """
    record = record if record is not None else StdioRecord()
    child = await Child.start(
        argv, env=get_default_environment() | dict(env or {}), cwd=cwd, limit=limit, on_stderr=on_stderr
    )
    record.child = child
    reader = _Reader(child.stdout, limit, record)
    writer = _Writer(child.stdin)
    try:
        yield reader, writer
    finally:
        writer.close()
        # The process must end even when the caller is cancelled; every wait inside is bounded.
        with anyio.CancelScope(shield=True):
            # Who says too much has had its time.
            await child.end(grace=0.0 if record.failure else GRACE)


class _Stream:
    """What both directions share: usable as a context manager, closed once."""

    def __init__(self) -> None:
        self.closed = False

    def close(self) -> None:
        self.closed = True

    async def aclose(self) -> None:
        self.close()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Reader(_Stream):
    def __init__(self, stdout: asyncio.StreamReader, limit: int, record: StdioRecord) -> None:
        super().__init__()
        self._stdout = stdout
        self._limit = limit
        self._record = record

    async def receive(self) -> SessionMessage | Exception:
        while not self.closed:
            # Lines that are here already would be read without a pause, and nothing else would run.
            await asyncio.sleep(0)
            try:
                line = await self._stdout.readuntil(b"\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                break
            except asyncio.LimitOverrunError:
                self._record.failure = too_large(self._limit)
                break
            if not line.strip():
                continue
            message = read_frame(line)
            if message is not None:
                return SessionMessage(message)
            self._record.skipped += 1
        self.close()
        raise anyio.EndOfStream

    def __aiter__(self) -> _Reader:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> _Reader:
        return self


class _Writer(_Stream):
    def __init__(self, stdin: asyncio.StreamWriter) -> None:
        super().__init__()
        self._stdin = stdin
        # Two tasks that wait in drain() at once are an AssertionError on Python 3.10.
        self._draining = asyncio.Lock()

    async def send(self, item: SessionMessage, /) -> None:
        if self.closed:
            raise anyio.ClosedResourceError
        line = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        try:
            self._stdin.write(line.encode() + b"\n")
            async with self._draining:
                await self._stdin.drain()
        except (OSError, RuntimeError) as error:
            raise anyio.BrokenResourceError from error

    async def __aenter__(self) -> _Writer:
        return self
