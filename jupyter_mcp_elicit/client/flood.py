"""How many questions one connection may have open, and how many may come in a minute."""

from __future__ import annotations

from collections import deque

from ..core.errors import INVALID_REQUEST, RemoteError

WINDOW = 60.0


class Flood:
    """``pending`` open at once, ``per_minute`` new ones; over that the server is muted."""

    def __init__(self, pending: int, per_minute: int) -> None:
        self._pending = pending
        self._per_minute = per_minute
        self._open = 0
        self._recent: deque[float] = deque()
        self.refused = 0

    def allow_one(self) -> None:
        """A call of ours starts: it may ask once more than the limit, so that loops of calls are no flood."""
        if self._recent:
            self._recent.popleft()

    def enter(self, now: float) -> None:
        """One more question, at ``now`` seconds. Raises ``RemoteError(-32600)`` when it is too many."""
        while self._recent and self._recent[0] <= now - WINDOW:
            self._recent.popleft()
        if self._open >= self._pending:
            self._refuse(f"{self._open} elicitations of this server are waiting already; no more are taken")
        if len(self._recent) >= self._per_minute:
            self._refuse(f"This server asked {len(self._recent)} times in a minute; no more is shown for now")
        self._recent.append(now)
        self._open += 1

    def leave(self) -> None:
        """A question that entered is over."""
        self._open -= 1

    @property
    def is_full(self) -> bool:
        return self._open >= self._pending

    def _refuse(self, why: str) -> None:
        self.refused += 1
        raise RemoteError(f"{why}.", code=INVALID_REQUEST)
