"""Whether a cell is running, told whenever it changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .presence import shell


class Cells:
    """Follows the running IPython kernel; without one, no cell ever runs."""

    def __init__(self, ipython: Any = None) -> None:
        self.running = False
        self._listeners: list[Callable[[], None]] = []
        running_kernel = getattr(ipython, "kernel", None)
        if running_kernel is None:
            return
        # The first to ask is told by IPython of cells to come, and so must see for itself.
        self.running = _executes(running_kernel)
        ipython.events.register("pre_run_cell", lambda _: self._turn(running=True))
        ipython.events.register("post_run_cell", lambda _: self._turn(running=False))

    def follow(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` at every change."""
        self._listeners.append(listener)

    def leave(self, listener: Callable[[], None]) -> None:
        """Call it no more."""
        self._listeners.remove(listener)

    def _turn(self, *, running: bool) -> None:
        self.running = running
        for listener in list(self._listeners):
            listener()


def _executes(running_kernel: Any) -> bool:
    try:
        parent = running_kernel.get_parent("shell")
    except Exception:
        # Another kernel than ipykernel.
        return False
    return bool((parent or {}).get("header", {}).get("msg_type") == "execute_request")


_cells: dict[Any, Cells] = {}


def cells() -> Cells:
    """Those of this process."""
    ipython = shell()
    if ipython not in _cells:
        _cells[ipython] = Cells(ipython)
    return _cells[ipython]
