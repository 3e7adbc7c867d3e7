"""How long a question waits: its deadline, which its person may put off, and the asker's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

#: Seconds that a person gets for the asking.
MORE = 300.0

#: Seconds that the clock stands still after a sign of typing; pages give one more often than that.
STILL = 15.0


class Patience:
    """The clock of one question, or of one opened page. ``expire`` is called when the time is up.

    Times are seconds of the running loop's clock. ``within``: seconds that the asker itself
    waits, from now on, whatever its person does; ``typing``: those that typing may add in all.
    """

    def __init__(
        self,
        deadline: float,
        expire: Callable[[], None],
        *,
        within: float | None = None,
        typing: float = 0.0,
    ) -> None:
        self._expire = expire
        self._typing = typing
        now = self._now()
        self._latest = None if within is None else now + within
        self._still_until = now
        self.due = now
        self._timer: asyncio.TimerHandle | None = None
        self._put_off(now + deadline)

    @property
    def left(self) -> float:
        """Seconds until it is up, at least 0."""
        return max(0.0, self.due - self._now())

    @property
    def still(self) -> float:
        """Seconds of :attr:`left` during which the clock stands still, for somebody types."""
        return max(0.0, min(self._still_until, self.due) - self._now())

    @property
    def is_last(self) -> bool:
        """Whether nothing puts it off any more: the asker itself waits no longer."""
        return self._latest is not None and self.due >= self._latest

    def more(self) -> bool:
        """Its person wants more time; whether there was any to give."""
        return self._put_off(self.due + MORE)

    def typed(self) -> bool:
        """Its person types; whether the clock was put off."""
        now = self._now()
        until = now + STILL
        add = min(until - max(now, self._still_until), self._typing)
        if add <= 0 or not self._put_off(self.due + add):
            return False
        self._typing -= add
        self._still_until = until
        return True

    def stop(self) -> None:
        """It is over before its time."""
        if self._timer is not None:
            self._timer.cancel()

    def _put_off(self, due: float) -> bool:
        if self._latest is not None:
            due = min(due, self._latest)
        if due <= self.due and self._timer is not None:
            return False
        self.stop()
        self.due = due
        self._timer = asyncio.get_running_loop().call_at(due, self._expire)
        return True

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()
