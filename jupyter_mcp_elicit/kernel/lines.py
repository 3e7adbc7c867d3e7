"""Lines typed at a prompt, where there is no page: ``input()`` that can be called off."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from contextlib import suppress
from getpass import getpass

from .interrupt import interruptible

try:
    import termios
except ImportError:  # Windows
    termios = None  # type: ignore[assignment]


class CalledOff(Exception):
    """Nobody waits for the line any more. ``str()`` of it says why."""


class Lines:
    """Asks at the prompt of this terminal or front end. Only the main thread can be called off."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reading = False
        self._why: str | None = None

    def say(self, text: str = "") -> None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    def ask(self, prompt: str, *, secret: bool = False) -> str:
        """One line without its end; ``secret`` ones are not echoed.

        Raises :class:`CalledOff`, ``KeyboardInterrupt``, or ``EOFError`` at the end of the input.
        """
        try:
            with interruptible():
                self._begin()
                try:
                    return getpass(prompt) if secret else input(prompt)
                finally:
                    self._end()
        except KeyboardInterrupt:
            if self._why is not None:
                _forget_typed()
                raise CalledOff(self._why) from None
            raise

    def call_off(self, why: str) -> None:
        """From any thread: the line that is being typed, and every later one, is wanted no more."""
        with self._lock:
            self._why = self._why or why
            if self._reading:
                _interrupt_main()

    def _begin(self) -> None:
        with self._lock:
            if self._why is not None:
                raise CalledOff(self._why)
            self._reading = threading.current_thread() is threading.main_thread()

    def _end(self) -> None:
        with self._lock:
            self._reading = False


def _forget_typed() -> None:
    """Half a line must not become the answer to whatever is asked next."""
    if termios is not None:
        # A kernel's stdin is no terminal.
        with suppress(OSError, ValueError, termios.error):
            termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _interrupt_main() -> None:
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        # A flag alone would not wake a terminal's read.
        signal.pthread_kill(main, signal.SIGINT)
    else:
        _thread.interrupt_main()
