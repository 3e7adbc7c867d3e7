"""The calls in flight on one connection, and which of them a question belongs to."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeAlias, TypedDict

from ..core.elicitation import Cause

OnProgress: TypeAlias = Callable[["float | None", "float | None", "str | None"], None]
OnNotice: TypeAlias = Callable[[str], None]
OnLog: TypeAlias = Callable[[str, "str | None", Any], None]


class Hooks(TypedDict, total=False):
    """``on_progress(done, total, message)``, ``done`` is ``None`` where only words are known;
    ``on_log(level, logger, data)``; ``on_notice(sentence)`` is for the person; ``token`` goes to ``ask``.
    """

    on_progress: OnProgress
    on_log: OnLog
    on_notice: OnNotice
    token: object


@dataclass(eq=False, slots=True)
class Call:
    """A running ``tools/call``, ``prompts/get`` or ``resources/read``, by its name.

    ``arguments`` is JSON text, ``token`` the caller's own word for it.
    """

    tool: str
    arguments: str
    token: object = None
    on_progress: OnProgress | None = None
    on_log: OnLog | None = None
    on_notice: OnNotice | None = None
    #: Where it runs as a task: its id, and the loop's time at which the server forgets it.
    task: str = ""
    ends: float | None = None


#: The call that this task serves. It reaches a question over HTTP and inside results, never over stdio.
CURRENT: ContextVar[Call | None] = ContextVar("jupyter_mcp_elicit_call", default=None)


class Calls:
    """What runs now."""

    def __init__(self) -> None:
        self._running: list[Call] = []

    def __len__(self) -> int:
        return len(self._running)

    @contextmanager
    def running(self, call: Call) -> Generator[Call, None, None]:
        """``call`` is in flight inside the block, and everything started there belongs to it."""
        self._running.append(call)
        reset = CURRENT.set(call)
        try:
            yield call
        finally:
            CURRENT.reset(reset)
            self._running.remove(call)

    def linked(self) -> Call | None:
        """The call that the protocol links this moment to, or ``None``."""
        call = CURRENT.get()
        return call if call in self._running else None

    def cause(self, task: str = "") -> tuple[Cause, Call | None]:
        """Why the server asks now, and the call to show the question with (``None``: no single one).

        ``task`` is the id that the question itself names, ``""`` where it names none.
        """
        call = next((each for each in self._running if task and each.task == task), None) or self.linked()
        if call is not None:
            return Cause(call.tool, call.arguments, "caused"), call
        if len(self._running) == 1:
            call = self._running[0]
            return Cause(call.tool, call.arguments, "during"), call
        if self._running:
            tools = dict.fromkeys(each.tool for each in self._running)
            return Cause(", ".join(tools), "", "during"), None
        return Cause(), None

    def tell_log(self, level: str, logger: str | None, data: Any) -> None:
        """A log message goes to the call it belongs to, or to all when nothing says which."""
        call = self.linked()
        for each in [call] if call is not None else list(self._running):
            if each.on_log is not None:
                each.on_log(level, logger, data)
