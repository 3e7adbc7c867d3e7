"""An event loop whose clock the test owns: no test waits, and a deadline of a year takes no time."""

from __future__ import annotations

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from typing import Any


class Stuck(AssertionError):
    """Everything waits, and nothing will ever happen."""


class _Selector(selectors.SelectSelector):
    """Instead of waiting for the next timer it moves the clock there."""

    def __init__(self, wait: Callable[[float | None], None]) -> None:
        super().__init__()
        self._wait = wait

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None or timeout > 0:
            self._wait(timeout)
        return super().select(0)


class OwnClock(asyncio.SelectorEventLoop):
    """Time stands still while there is something to do, then jumps to the next timer."""

    def __init__(self) -> None:
        self.now = 1000.0
        super().__init__(_Selector(self._jump))
        # A timer that is due at this very moment is due; a real clock never stands on the moment.
        self._clock_resolution = 1e-6

    def time(self) -> float:
        return self.now

    def _jump(self, seconds: float | None) -> None:
        if seconds is None:
            raise Stuck("Everything waits, and nothing will ever happen.")
        self.now += seconds

    def settle(self) -> None:
        """Run until nothing more happens at this moment."""
        for _ in range(8):
            self.call_soon(self.stop)
            self.run_forever()

    def finish(self) -> None:
        """Cancel what is left, and close."""
        for task in (left := asyncio.all_tasks(self)):
            task.cancel()
        self.run_until_complete(_all(left))
        self.close()


async def _all(tasks: set[asyncio.Task[Any]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)


def on_own_clock(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """An ``async def`` test as a plain one, on a loop of its own with a clock of its own."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        loop = OwnClock()
        try:
            loop.run_until_complete(test(*args, **kwargs))
        finally:
            loop.finish()

    return run


async def moment() -> None:
    """Let everybody do what they can do at this moment."""
    for _ in range(8):
        await asyncio.sleep(0)


async def later(seconds: float) -> None:
    """Let so much of the test's own time pass."""
    await asyncio.sleep(seconds)
    await moment()
