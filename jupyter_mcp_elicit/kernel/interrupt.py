"""An interrupt must end a blocking call, whatever the kernel does with interrupts otherwise."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

#: Seconds within which an interrupt is noticed by a wait that does not wake up for it.
TICK = 0.2


@contextmanager
def interruptible() -> Iterator[None]:
    """Within it, an interrupt raises ``KeyboardInterrupt`` here and now.

    While a cell awaits, ipykernel turns an interrupt into a message to its own loop,
    which a blocking call in that cell would never let through.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
