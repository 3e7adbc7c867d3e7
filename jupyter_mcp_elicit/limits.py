"""What one owner's questions may take: time, and places."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from .core.errors import LocalError

WhenBusy = Literal["queue", "side-by-side", "refuse"]


@dataclass(frozen=True, slots=True)
class Limits:
    """``deadline`` in seconds, ``None`` = never; ``pending`` questions at once per owner.

    ``typing``: the seconds by which typing alone may put a deadline off, in all. Raises
    ``LocalError`` on a value that makes no sense.
    """

    deadline: float | None = 600.0
    when_busy: WhenBusy = "side-by-side"
    pending: int = 256
    typing: float = 3600.0

    def __post_init__(self) -> None:
        if self.deadline is not None and not 0 < self.deadline < math.inf:
            raise LocalError("A deadline is a number of seconds above 0, or None for no deadline.")
        if self.when_busy not in get_args(WhenBusy):
            raise LocalError(f"when_busy is one of {', '.join(get_args(WhenBusy))}.")
        if self.pending < 1:
            raise LocalError("At least one question must be allowed to wait.")
        if not 0 <= self.typing < math.inf:
            raise LocalError("Typing may hold a deadline for a number of seconds, 0 or more.")
