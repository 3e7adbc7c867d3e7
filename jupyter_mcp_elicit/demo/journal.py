"""The server's own record of what came back: one JSON line per answer, exactly as received."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class Journal:
    """Appends to ``path``; without one it keeps nothing.

    A line is ``{"tool", "question", "era"}`` and then either the raw result
    (``"action"``, and ``"content"`` only where the client sent that key), or
    ``"error": {"code", "message", "data"}``, or ``"withdrawn": true`` when the caller
    gave up the call while the question was open. Of a page of the bistro's own it says
    ``"page": "visited"`` and ``"page": "completed"``, never what was typed there; of a
    ``notifications/elicitation/complete`` that a client sent, ``"completion"``: its params.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    def write(self, tool: str, question: str, era: str, what: Mapping[str, Any]) -> None:
        if self.path is None:
            return
        line = json.dumps({"tool": tool, "question": question, "era": era, **what}, ensure_ascii=False)
        # Opened anew each time: several servers may share one file, and readers see whole lines.
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
