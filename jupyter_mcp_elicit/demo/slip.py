"""One thing that is done on a page of the bistro's own, and how it stands. Shared between threads."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    """What the page says: plain text, escaped where it is shown."""

    title: str
    text: str
    label: str
    button: str
    thanks: str


def _nobody(_: str) -> None: ...


class Slip:
    """``url`` is its page, for whoever was given it. What is typed there is looked at and forgotten.

    ``tell`` hears ``visited`` and ``completed``, once each, in the page's own thread.
    """

    def __init__(self, words: Words, url: str) -> None:
        self.words = words
        self.url = url
        self.tell: Callable[[str], None] = _nobody
        self.visited = False
        self.completed = False
        #: What the client said last of how it ended, ``""`` before that.
        self.client_said = ""
        self.ids: list[str] = []
        self._lock = threading.Lock()
        self._bells: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    def ask(self) -> str:
        """It is asked for (again): a new ``elicitationId``, and nobody has said anything yet."""
        self.client_said = ""
        self.ids.append(secrets.token_urlsafe(16))
        return self.ids[-1]

    def visit(self) -> None:
        """Somebody opened the page."""
        with self._lock:
            first, self.visited = not self.visited, True
        if first:
            self.tell("visited")

    def complete(self) -> None:
        """Somebody did on the page what it is for."""
        with self._lock:
            first, self.completed = not self.completed, True
        if first:
            self.tell("completed")
        self._ring()

    def end(self, action: str) -> None:
        """The client says that it is over, and how."""
        self.client_said = action
        self._ring()

    async def over(self, seconds: float) -> bool:
        """Wait until it is completed, the client says that it is over, or the time is up: is it completed?"""
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._until(lambda: self.completed or bool(self.client_said)), seconds)
        return self.completed

    async def done(self) -> None:
        """Wait until it is completed, however long that takes and whatever the client says."""
        await self._until(lambda: self.completed)

    async def _until(self, look: Callable[[], bool]) -> None:
        bell = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            self._bells.append(bell)
        try:
            # Looked at after the bell hangs: what comes later rings it.
            while not look():
                await bell[1].wait()
                bell[1].clear()
        finally:
            with self._lock:
                self._bells.remove(bell)

    def _ring(self) -> None:
        with self._lock:
            bells = list(self._bells)
        for loop, event in bells:
            # A loop that has ended waits for nothing.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(event.set)
