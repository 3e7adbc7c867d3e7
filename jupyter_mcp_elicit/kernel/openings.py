"""The addresses that a connection of this kernel's own asks to open, and the pages opened for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from ..core.elicitation import Answer, UrlElicitation
from ..core.lifecycle import Flow, Turn
from ..core.question import Question
from .background import Emit
from .desk import KernelDesk
from .farewell import Farewell

if TYPE_CHECKING:
    from ..client.connection import Connection

Deadline: TypeAlias = "float | None | Literal['default']"


class Openings(Protocol):
    """Of one connection. Lives on the background loop, as the connection does."""

    async def ask(
        self, asked: UrlElicitation, call: object, asks: str, emit: Emit, deadline: Deadline
    ) -> Answer:
        """Ask whether to open it, for ``call``. The server is told how that ends, as soon as it has."""
        ...

    async def over(self, question_id: str) -> Flow:
        """Wait until the page that was opened for the question is over, and how it ended."""
        ...

    def complete(self, question_id: str) -> None:
        """The server says that the page is done."""
        ...

    def cut(self, question_id: str) -> None:
        """The session that asked is over."""
        ...

    async def end(self, call: object, event: Turn | None) -> None:
        """The call is over: so are the pages that are open for it. ``None``: those are left open whose
        end the server can still tell.
        """
        ...


class PromptOpenings:
    """Asked at this kernel's own desk, by a person at its prompt."""

    def __init__(self, desk: KernelDesk, connection: Callable[[], Connection]) -> None:
        self._desk = desk
        self._farewell = Farewell(connection)
        self._of: dict[str, object] = {}

    async def ask(
        self, asked: UrlElicitation, call: object, asks: str, emit: Emit, deadline: Deadline
    ) -> Answer:
        self._of[asked.id] = call

        def ended(question: Question, action: str) -> None:
            self._of.pop(question.id, None)
            self._farewell.say(asked, action)

        return await self._desk.put(asked, asks, emit, deadline=deadline, on_end=ended)

    async def over(self, question_id: str) -> Flow:
        return await self._desk.flow_over(question_id)

    def complete(self, question_id: str) -> None:
        self._desk.turn(question_id, Turn.COMPLETE)

    def cut(self, question_id: str) -> None:
        self._desk.turn(question_id, Turn.CUT)

    async def end(self, call: object, event: Turn | None) -> None:
        if event is not None:
            for question_id in [each for each, of in self._of.items() if of is call]:
                self._desk.turn(question_id, event)
