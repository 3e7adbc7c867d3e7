"""A tool's progress as a bar in the cell's output, redrawn in place."""

from __future__ import annotations

import html
from typing import Any

from ..core.text import shown


class ProgressBar:
    """``total`` unknown: a bar without an end. Numbers that are no numbers draw nothing."""

    def __init__(self) -> None:
        self._handle: Any = None

    def update(self, progress: Any, total: Any, message: Any) -> None:
        bundle = _bundle(progress, total, message)
        if self._handle is None:
            from IPython.display import display

            self._handle = display(bundle, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._handle.update(bundle, raw=True)


def _bundle(progress: Any, total: Any, message: Any) -> dict[str, str]:
    done = progress if isinstance(progress, int | float) else 0
    words = shown(message, 200) if isinstance(message, str) else ""
    if isinstance(total, int | float) and total > 0:
        share = min(1.0, max(0.0, done / total))
        text = f"[{'#' * round(share * 20):<20}] {done:g} of {total:g}"
        attributes = f'max="{total:g}" value="{done:g}"'
    else:
        text, attributes = f"{done:g}", ""
    label = html.escape(f"{text.rpartition('] ')[2]} {words}".strip())
    return {
        "text/plain": f"{text} {words}".rstrip(),
        "text/html": f'<label style="font-family:var(--jp-ui-font-family,sans-serif)">'
        f'<progress {attributes} style="vertical-align:middle"></progress> {label}</label>',
    }
