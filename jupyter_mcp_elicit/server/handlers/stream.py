"""A long answer, line by line: NDJSON, ended by the work or by the caller's going away."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, cast

from tornado.iostream import StreamClosedError

from ...core.errors import LocalError, RemoteError
from ...core.wire import Json
from ...core.withdrawal import Withdrawal
from .access import ElicitHandler

if TYPE_CHECKING:
    from tornado.http1connection import HTTP1Connection

#: Seconds of silence after which a line says that the work still goes on.
HEARTBEAT = 15.0

#: What is streamed: given a way to emit lines, it ends with the last one.
Work = Callable[[Callable[[Json], None]], Awaitable[Json]]


class StreamHandler(ElicitHandler):
    """Runs one piece of work and sends what it emits. The caller's leaving cancels the work."""

    #: What it means for the work's questions that the caller has gone.
    left: Withdrawal | None = Withdrawal.CALLER
    _work: asyncio.Task[Json] | None = None

    async def stream(self, work: Work) -> None:
        """Send what ``work`` emits, then its result, or its error, as the last line."""
        lines: asyncio.Queue[Json | None] = asyncio.Queue()
        self.set_header("Content-Type", "application/x-ndjson")
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Accel-Buffering", "no")
        # Small lines must leave at once: Nagle would hold each for the acknowledgement of the one before.
        connection = cast("HTTP1Connection", self.request.connection)
        connection.stream.set_nodelay(True)
        self._work = asyncio.create_task(self._finish(work, lines))
        self._work.add_done_callback(lambda _: lines.put_nowait(None))
        try:
            # At once, so that a caller who gives up before the first line has something to close.
            await self.flush()
            while True:
                try:
                    line = await asyncio.wait_for(lines.get(), HEARTBEAT)
                except asyncio.TimeoutError:
                    line = {"type": "alive"}
                if line is None:
                    break
                self.write(json.dumps(line) + "\n")
                await self.flush()
            if not self._work.cancelled():
                self.write(json.dumps(self._work.result()) + "\n")
                await self.finish(set_content_type="application/x-ndjson")
        except StreamClosedError:
            # The caller has gone; on_connection_close has ended the work.
            return
        finally:
            self._work.cancel(self.left)

    def on_connection_close(self) -> None:
        """The kernel was interrupted, restarted or died: nobody waits any more."""
        super().on_connection_close()
        if self._work is not None:
            self._work.cancel(self.left)

    async def _finish(self, work: Work, lines: asyncio.Queue[Json | None]) -> Json:
        try:
            return await work(lines.put_nowait)
        except LocalError as error:
            return _error("local", message=error.message, hint=error.hint)
        except RemoteError as error:
            return _error("remote", message=error.message, code=error.code, data=error.data)
        except Exception as error:
            self.log.exception("%s %s failed", self.request.method, self.request.path)
            failed = f"The Jupyter server failed to do this ({type(error).__name__})."
            return _error("local", message=failed, hint="Its log says more.")


def _error(kind: str, **more: Json | str | int | None) -> Json:
    return {"type": "error", "error": {"kind": kind, **more}}
