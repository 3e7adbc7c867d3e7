"""A blocking stream heard in a thread of its own, while the main one waits for a typed line."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

from ..core.wire import Json
from ..core.withdrawal import Withdrawal
from .desk import Events
from .interrupt import TICK


class Overheard:
    """``events`` once more, in order; ``hear`` is called with each as soon as it arrives, in that thread."""

    def __init__(self, events: Events, hear: Callable[[Json], None]) -> None:
        self._inner = events
        self._hear = hear
        self._arrived: queue.SimpleQueue[Json | BaseException | None] = queue.SimpleQueue()

    def __enter__(self) -> Overheard:
        self._inner.__enter__()
        threading.Thread(target=self._read, name="mcp-elicit-listener", daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._inner.__exit__(*error)

    def __iter__(self) -> Iterator[Json]:
        while (event := self._next()) is not None:
            if isinstance(event, BaseException):
                raise event
            yield event

    def close(self, why: Withdrawal = Withdrawal.CALLER) -> None:
        self._inner.close(why)

    def put(self, event: Json) -> None:
        """Another event among those of the stream, from any thread."""
        self._arrived.put(event)

    def _next(self) -> Json | BaseException | None:
        while True:
            with suppress(queue.Empty):
                # On Windows an interrupt is noticed only between two waits.
                return self._arrived.get(timeout=TICK)

    def _read(self) -> None:
        try:
            for event in self._inner:
                # Heard first: a line that is typed for it must be there to be called off.
                self._hear(event)
                self._arrived.put(event)
        except BaseException as error:
            self._arrived.put(error)
        else:
            self._arrived.put(None)
