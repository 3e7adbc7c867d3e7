"""One generation of a connection: a single task enters the SDK client and leaves it again."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import anyio
from mcp import Client

from ..core.errors import LocalError

# Entering and leaving must happen in one task: the SDK's cancel scopes belong to the task that made them.

# Seconds for a session to end in order: a process has four, a web server has to answer once.
PATIENCE = 15.0


class Link:
    """``make`` builds the SDK client, which like its transport cannot be used twice.

    ``opened`` is called with it once it can be used; ``ending``, maybe more than once, as soon
    as it cannot any more. ``open_timeout`` in seconds.
    """

    def __init__(
        self,
        make: Callable[[Callable[[], None]], Client],
        *,
        opened: Callable[[Client], None],
        ending: Callable[[], None],
        open_timeout: float,
    ) -> None:
        self._make = make
        self._opened = opened
        self._ending = ending
        self._time_left = open_timeout
        self._timer: asyncio.TimerHandle | None = None
        self._pauses = 0
        self._scope = anyio.CancelScope()
        self._stop = asyncio.Event()
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._client: Client | None = None
        self.over = asyncio.Event()
        self.was_ready = False
        self.failure: BaseException | None = None
        self.timed_out = False
        self.peer_ended = False
        # A clean context: it outlives the call that happens to open it, and must not look like its child.
        self._task: asyncio.Task[None] = contextvars.Context().run(asyncio.ensure_future, self._own())

    @property
    def client(self) -> Client:
        """The entered client. ``LocalError`` when there is none."""
        if self._client is None:
            raise LocalError("The connection is not open.")
        return self._client

    @property
    def is_ready(self) -> bool:
        return self._client is not None and not self._stop.is_set()

    async def opened(self) -> None:
        """Wait until it is ready or over; any number may wait, and a waiter may be cancelled."""
        await asyncio.wait({self._ready})

    async def close(self) -> None:
        """End it and wait for the end; what runs is told "Connection closed"."""
        is_connecting = self._client is None
        self.hang_up()
        if is_connecting:
            self._scope.cancel()
        elif not await self.ends(PATIENCE):
            # A server that does not even take its goodbye.
            self._scope.cancel()
        await self.over.wait()

    async def ends(self, seconds: float) -> bool:
        """Wait for the end, at most ``seconds``; whether it came."""
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self.over.wait(), seconds)
        return self.over.is_set()

    def hang_up(self) -> None:
        """End it soon, from anywhere."""
        self._stop.set()
        self._ending()

    @property
    def is_paused(self) -> bool:
        """Whether connecting waits for a person."""
        return self._pauses > 0

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Inside the block a person is asked: that takes none of the time for connecting."""
        self._stop_timer()
        self._pauses += 1
        try:
            yield
        finally:
            self._pauses -= 1
            if not self._pauses and self._time_left and not self.over.is_set():
                self._start_timer()

    def _start_timer(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._time_left, self._give_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._time_left = max(0.001, self._timer.when() - asyncio.get_running_loop().time())
            self._timer.cancel()
            self._timer = None

    async def _own(self) -> None:
        self._start_timer()
        try:
            with self._scope:
                async with self._make(self._peer_ended) as client:
                    self._stop_timer()
                    self._time_left = 0.0
                    if not self._stop.is_set():
                        self._client = client
                        self.was_ready = True
                        self._opened(client)
                        self._mark_ready()
                        await self._stop.wait()
        except asyncio.CancelledError:
            self.failure = LocalError("The connection was cancelled with its event loop.")
            raise
        except BaseException as error:
            self.failure = error
            if not isinstance(error, Exception) and not _only_exceptions(error):
                raise
        finally:
            self._stop_timer()
            self._client = None
            self._ending()
            self.over.set()
            self._mark_ready()

    def _mark_ready(self) -> None:
        if not self._ready.done():
            self._ready.set_result(None)

    def _give_up(self) -> None:
        self.timed_out = True
        self._scope.cancel()

    def _peer_ended(self) -> None:
        self.peer_ended = True
        self.hang_up()


def _only_exceptions(error: BaseException) -> bool:
    from .failures import flatten

    return all(isinstance(each, (Exception, asyncio.CancelledError)) for each in flatten(error))
