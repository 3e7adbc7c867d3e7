"""A tool's progress as a bar in the cell's output, redrawn in place."""

from __future__ import annotations

import html
import math
import sys
import time
from collections.abc import Callable
from typing import Any

from ..core.text import shown
from .markup import LITERAL
from .presence import shell

#: Seconds between two drawings: a server may tell a thousand times a second.
PACE = 0.1


class ProgressBar:
    """``total`` unknown: a bar without an end; ``progress`` too: only the words change.
    Numbers that are no numbers draw nothing.

    It is drawn at most every :data:`PACE` seconds, and when it comes to its end.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._handle: Any = None
        self._drawn = -math.inf
        self._ended = False
        self._last: tuple[float | None, float | None] = (None, None)

    def update(self, progress: Any, total: Any, message: Any) -> None:
        done, end = _number(progress), _number(total)
        words = shown(message, 200) if isinstance(message, str) else ""
        if done is None:
            if progress is not None or not words:
                return
            done, end = self._last
        self._last = (done, end)
        ends = done is not None and end is not None and end > 0 and done >= end
        now = self._clock()
        if now - self._drawn < PACE and not (ends and not self._ended):
            return
        self._drawn, self._ended = now, ends
        self._show(_bundle(done, end, words))

    def _show(self, bundle: dict[str, str]) -> None:
        if shell() is None:
            # Plain Python has a screen too, but nothing that displays.
            sys.stdout.write(f"{bundle['text/plain']}\n")
            return
        if self._handle is None:
            from IPython.display import display

            self._handle = display(bundle, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._handle.update(bundle, raw=True)


def _bundle(done: float | None, total: float | None, words: str) -> dict[str, str]:
    if done is None:
        text, count, attributes = "", "", ""
    elif total is not None and total > 0:
        share = min(1.0, max(0.0, done / total))
        count = f"{done:g} of {total:g}"
        text = f"[{'#' * round(share * 20):<20}] {count}"
        attributes = f'max="1" value="{share:.3f}"'
    else:
        text = count = f"{done:g}"
        attributes = ""
    label = html.escape(f"{count} {words}".strip())
    return {
        "text/plain": f"{text} {words}".strip(),
        "text/html": f'<label {LITERAL} style="font-family:var(--jp-ui-font-family,sans-serif)">'
        f'<progress {attributes} style="vertical-align:middle"></progress> {label}</label>',
    }


def _number(value: Any) -> float | None:
    """A finite number, else ``None``."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
