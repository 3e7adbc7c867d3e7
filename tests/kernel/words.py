"""What a cell says, waited for: a kernel's reply may overtake its output."""

from __future__ import annotations

from jupyter_process import wait_until
from kernel_client import Cell


def says(cell: Cell, words: str) -> str:
    """All that the cell says, as soon as ``words`` are in it."""
    try:
        return wait_until(lambda: cell.text if words in cell.text else None, "such words", 15)
    except AssertionError:
        raise AssertionError(f"The cell does not say {words!r} but {cell.text!r}") from None
