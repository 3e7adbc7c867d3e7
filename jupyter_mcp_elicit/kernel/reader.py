"""The events of a blocking stream on an event loop: a thread of its own reads them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from ..core.wire import Json
from ..core.withdrawal import Withdrawal
from .desk import Events


class Reader:
    """Opens the stream, and closes it when it is left: also one that is only just opening.

    ``hear`` is called with each event as soon as it arrives, in the reading thread.
    """

    def __init__(
        self, open_events: Callable[[], Events], hear: Callable[[Json], None] = lambda _: None
    ) -> None:
        self._open = open_events
        self._hear = hear
        self._loop = asyncio.get_running_loop()
        self._arrived: asyncio.Queue[Json | BaseException | None] = asyncio.Queue()
        self._lock = threading.Lock()
        self._opened: Events | None = None
        self._left = False

    async def __aenter__(self) -> Reader:
        # Not the loop's executor: with its few threads the seventh call would wait for a person to answer
        # the first, and a kernel that ends would wait for all of them.
        threading.Thread(target=self._read, name="mcp-elicit-reader", daemon=True).start()
        return self

    async def __aexit__(self, _: object, error: BaseException | None, __: object) -> None:
        with self._lock:
            self._left = True
        if self._opened is not None:
            self._opened.close(Withdrawal.of(error) or Withdrawal.CALLER)

    async def next(self) -> Json | None:
        """The next event, ``None`` after the last. Raises what the stream raised. May be cancelled."""
        event = await self._arrived.get()
        if isinstance(event, BaseException):
            raise event
        return event

    def put(self, event: Json) -> None:
        """Another event among those of the stream, from any thread."""
        self._tell(event)

    def _read(self) -> None:
        try:
            with self._open() as events:
                with self._lock:
                    self._opened = events
                    if self._left:
                        return
                for event in events:
                    # Heard first: a line that is typed for it must be there to be called off.
                    self._hear(event)
                    self._tell(event)
        except BaseException as error:
            self._tell(error)
        else:
            self._tell(None)

    def _tell(self, event: Json | BaseException | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._arrived.put_nowait, event)
        except RuntimeError:
            # The loop is gone, and with it whoever waited.
            return
