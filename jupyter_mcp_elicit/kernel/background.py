"""An event loop in a thread of its own, for what must go on while a cell blocks the kernel."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any, TypeVar

from ..core.errors import LocalError, RemoteError
from ..core.wire import Json
from ..core.withdrawal import Withdrawal

log = logging.getLogger(__name__)

T = TypeVar("T")
Emit = Callable[[Json], None]


class Background:
    """One loop per kernel, started on first need, a daemon so that it never keeps a kernel alive."""

    _lock = threading.Lock()
    _loop: asyncio.AbstractEventLoop | None = None

    @classmethod
    def loop(cls) -> asyncio.AbstractEventLoop:
        with cls._lock:
            if cls._loop is None or cls._loop.is_closed():
                cls._loop = asyncio.new_event_loop()
                threading.Thread(target=cls._loop.run_forever, name="mcp-elicit", daemon=True).start()
            return cls._loop

    @classmethod
    def run(cls, work: Coroutine[Any, Any, T]) -> T:
        """Run ``work`` there and wait for its result here; an interrupt cancels it."""
        future = asyncio.run_coroutine_threadsafe(work, cls.loop())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise


class QueueStream:
    """The events of work on the background loop, as the blocking iterator that a ``Stream`` is too."""

    def __init__(self, work: Callable[[Emit], Awaitable[Json]]) -> None:
        self._events: queue.Queue[Json | None] = queue.Queue()
        self._task: asyncio.Task[None] | None = None
        self._loop = Background.loop()
        self._loop.call_soon_threadsafe(self._start, work)

    def __enter__(self) -> QueueStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Json]:
        while (event := self._events.get()) is not None:
            yield event

    def close(self, why: Withdrawal = Withdrawal.CALLER) -> None:
        """Cancel the work; what it asked is withdrawn, for that reason."""
        self._loop.call_soon_threadsafe(self._stop, why)

    def _start(self, work: Callable[[Emit], Awaitable[Json]]) -> None:
        self._task = self._loop.create_task(self._run(work))
        self._task.add_done_callback(self._over)

    def _stop(self, why: Withdrawal) -> None:
        if self._task is not None:
            self._task.cancel(why)

    def _over(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None:
            log.error("What a call was to do in the background failed", exc_info=task.exception())
        self._events.put(None)

    async def _run(self, work: Callable[[Emit], Awaitable[Json]]) -> None:
        try:
            self._events.put(await work(self._events.put))
        except LocalError as error:
            self._events.put(
                {"type": "error", "error": {"kind": "local", "message": error.message, "hint": error.hint}}
            )
        except RemoteError as error:
            told = {"kind": "remote", "message": error.message, "code": error.code, "data": error.data}
            self._events.put({"type": "error", "error": told})
