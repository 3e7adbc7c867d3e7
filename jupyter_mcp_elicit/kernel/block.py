"""Controls in a box of their own, with a sentence about them or without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.text import shown
from .look import Look, Rows


class Block:
    """``box`` is what to show.

    A page makes anew whatever follows a change among the children of one box, and drops what
    is being typed there: so sentences come and go in boxes that hold one control each.
    """

    def __init__(self, look: Look, rows: Sequence[Any] = ()) -> None:
        self.box = look.make(Rows, children=rows)
        self._look = look
        self._rows = list(rows)
        self._told: Any = None

    def tell(self, sentence: str, *, problem: bool = True, then: Sequence[Any] = ()) -> None:
        """Show ``sentence`` ("": none) below the rows, and ``then`` below it."""
        words = shown(sentence, 500)
        if self._told is not None and self._told.value != words:
            self._look.drop(self._told)
            self._told = None
        if words and self._told is None:
            self._told = self._look.words(words, what="Problem" if problem else "State", problem=problem)
        told = [] if self._told is None else [self._told]
        self.box.children = [*self._rows, *told, *then]
