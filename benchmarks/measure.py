"""Medians, and rows of the one table."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line: what, how long ours takes, against what, the ratio and the aim."""

    what: str
    ours: str
    against: str
    ratio: float
    aim: str
    met: bool


def median_ms(work: Callable[[], object], *, times: int, warm: int = 3) -> float:
    """Milliseconds of the median of ``times`` runs, after ``warm`` that do not count."""
    for _ in range(warm):
        work()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


def at_most(what: str, ours: float, theirs: float, against: str, aim: float, *, unit: str = "ms") -> Row:
    """A row whose ratio ours / theirs should be at most ``aim``."""
    ratio = ours / theirs
    shown = f"≤ {aim:g} ×" if aim >= 0.1 else f"≤ 1/{1 / aim:.0f}"
    return Row(what, f"{ours:.2f} {unit}", f"{against}: {theirs:.2f} {unit}", ratio, shown, ratio <= aim)
