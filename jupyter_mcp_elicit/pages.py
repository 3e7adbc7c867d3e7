"""Pages that persons opened by consent: each has its own deadline, and an end that is told once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from .core.errors import LocalError
from .core.lifecycle import FLOW_ACTIONS, Flow, Turn
from .core.question import Question
from .patience import Patience

#: ``(question, action)``: the final action of a question in URL mode.
OnEnd = Callable[[Question, str], None]


@dataclass(slots=True)
class _Page:
    question: Question
    route: object
    over: asyncio.Future[Flow]
    on_end: OnEnd | None
    patience: Patience | None = None


class Pages:
    """The opened pages of one owner's questions. ``tell`` is told of every change."""

    def __init__(self, tell: Callable[[Question], None]) -> None:
        self._tell = tell
        self._open: dict[str, _Page] = {}

    def __len__(self) -> int:
        return len(self._open)

    def __contains__(self, question_id: object) -> bool:
        return question_id in self._open

    @property
    def questions(self) -> list[Question]:
        """The questions whose page is open, oldest first."""
        return [page.question for page in self._open.values()]

    def open(
        self, question: Question, *, route: object, deadline: float | None, on_end: OnEnd | None
    ) -> None:
        """The person has opened it. Its time, ``deadline`` seconds or ``None``, starts now."""
        over = asyncio.get_running_loop().create_future()
        page = self._open[question.id] = _Page(question, route, over, on_end)
        if deadline is not None:
            page.patience = Patience(deadline, lambda: self.turn(question, Turn.LAPSE))

    def turn(self, question: Question, event: Turn) -> None:
        """The page goes on. Raises ``IllegalEvent`` when none is open for the question."""
        flow = question.proceed(event)
        page = self._open.pop(question.id)
        if page.patience is not None:
            page.patience.stop()
        page.over.set_result(flow)
        self._tell(question)
        if page.on_end is not None:
            page.on_end(question, FLOW_ACTIONS[flow])

    async def over(self, question: Question) -> Flow:
        """Wait until the page is over, and how it ended. ``LocalError`` when none was opened."""
        page = self._open.get(question.id)
        if page is not None:
            # Whoever gives up waiting leaves the page open for the others.
            return await asyncio.shield(page.over)
        if question.flow is None:
            raise LocalError("No page was opened for this question.")
        return question.flow

    def route_of(self, question: Question) -> object:
        """The call that the page belongs to, or ``None``."""
        page = self._open.get(question.id)
        return None if page is None else page.route

    def patience(self, question: Question) -> Patience | None:
        """The clock of its opened page; ``None`` when it has no deadline, or no page is open."""
        page = self._open.get(question.id)
        return None if page is None else page.patience
