"""Pending questions of one owner: who shows them, the first valid answer, deadlines, withdrawal."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Literal

from .core import wire
from .core.elicitation import Answer, Cancel, Elicitation
from .core.errors import INVALID_REQUEST, LocalError, RemoteError
from .core.lifecycle import Delivery, Event, Flow, Handover, State, Turn
from .core.question import Channel, Question, event_of
from .core.submission import NotValid, Submission, read
from .core.withdrawal import Withdrawal
from .late import AlreadySettled, NoSuchQuestion
from .limits import Limits, WhenBusy
from .memory import REMEMBERED, Memory
from .pages import OnEnd, Pages
from .patience import Patience
from .policy import Policy
from .stand_in import consult

__all__ = ["REMEMBERED", "AlreadySettled", "Broker", "Limits", "NoSuchQuestion", "WhenBusy"]

log = logging.getLogger(__name__)

Presenter = Callable[[Question], None]


@dataclass(slots=True)
class _Waiting:
    """What an open question needs beside its record."""

    question: Question
    answer: asyncio.Future[Answer]
    route: object
    limits: Limits
    on_end: OnEnd | None
    since: float
    patience: Patience | None = None

    def end(self, answer: Answer | None) -> None:
        if self.patience is not None:
            self.patience.stop()
        if answer is not None and not self.answer.done():
            self.answer.set_result(answer)


class Broker:
    """The questions of one owner. Lives on one event loop; every method is called there."""

    def __init__(self, limits: Limits | None = None, *, origin: wire.Json | None = None) -> None:
        self.limits = limits or Limits()
        self._origin = origin
        self._memory = Memory()
        self._waiting: dict[str, _Waiting] = {}
        self._pages = Pages(self._page_over)
        self._presenters: dict[object, Presenter] = {}

    def present_with(self, presenter: Presenter) -> Callable[[], None]:
        """``presenter`` is told of every change from now on; call what is returned to stop.

        What a presenter raises is logged: it neither stops the question nor reaches who asked.
        """
        token = object()
        self._presenters[token] = presenter

        def stop() -> None:
            self._presenters.pop(token, None)

        return stop

    async def ask(
        self,
        elicitation: Elicitation,
        *,
        route: object = None,
        policy: Policy | None = None,
        deadline: float | None | Literal["default"] = "default",
        on_end: OnEnd | None = None,
    ) -> Answer:
        """Ask, and wait for the first valid answer; it is handed over once, to this caller.

        ``on_end(question, action)`` is told the final action of a question in URL mode: after
        the answer, or, where a page was opened, when its flow is over.

        ``route`` is the call that the question belongs to (any object). Cancelling the
        waiting task withdraws the question. Raises ``RemoteError(-32600)`` when too many
        wait, or when one waits and ``when_busy`` is ``refuse``; ``LocalError`` when this
        elicitation was asked before.
        """
        limits = self.limits if deadline == "default" else replace(self.limits, deadline=deadline)
        self._admit(elicitation)
        queued = limits.when_busy == "queue" and bool(self._waiting)
        question = Question(elicitation, created=_now(), queued=queued)
        loop = asyncio.get_running_loop()
        waiting = _Waiting(question, loop.create_future(), route, limits, on_end, loop.time())
        self._memory.add(question)
        self._waiting[question.id] = waiting
        try:
            if not queued:
                self._start_clock(question, waiting)
            self._tell(question)
            # A presenter may have answered already.
            if policy is not None and question.is_open:
                self._ask_policy(question, policy)
            answer = await waiting.answer
        except BaseException as error:
            self._abandon(question, Withdrawal.of(error))
            raise
        question.hand(Handover.SEND)
        if route is None:
            question.hand(Handover.CONFIRM)
        else:
            self._memory.sent(question, route)
        self._tell(question)
        return answer

    def submit(self, question_id: str, submission: Submission) -> Question:
        """An answer from outside. The first valid one wins.

        Raises :class:`NoSuchQuestion`, :class:`AlreadySettled`, or :class:`NotValid`
        (then nothing has changed). A repeated ``answer_id`` of the winner is no error.
        """
        question = self.find(question_id)
        if not question.is_open:
            if self._memory.has_won(question, submission.answer_id):
                return question
            raise AlreadySettled(question)
        if question.state is State.QUEUED and submission.action != "cancel":
            raise NotValid({"": "Another question has to be answered before this one."})
        answer = read(question.elicitation, submission)
        self._memory.won(question, submission.answer_id)
        self._settle(question, event_of(answer), answer, submission.channel, submission.by)
        return question

    def shown(self, question_id: str) -> Question:
        """A front end has painted it. No effect on a settled question."""
        question = self.find(question_id)
        if question.state is State.PENDING:
            question.move(Event.SHOW)
            self._tell(question)
        return question

    def more(self, question_id: str) -> Question:
        """Its person wants more time, for the question or for the page that it opened.

        Raises :class:`NoSuchQuestion`, :class:`AlreadySettled`; ``LocalError``: there is none to give.
        """
        question = self.find(question_id)
        patience = self._patience(question)
        if patience is None:
            if question.is_open or question.is_flowing:
                raise LocalError("This question has no deadline that could be put off.")
            raise AlreadySettled(question)
        if not patience.more():
            raise LocalError("The one who asked waits no longer than this.")
        self._tell(question)
        return question

    def typed(self, question_id: str) -> Question:
        """Its person types, so its clock stands still for a moment. No effect on a settled question."""
        question = self.find(question_id)
        patience = self._patience(question) if question.is_open else None
        if patience is not None and patience.typed():
            self._tell(question)
        return question

    def end(
        self, question_id: str, event: Event, *, trouble: str = "", withdrawal: Withdrawal | None = None
    ) -> None:
        """End an open question without a person: ``DISMISS``, ``WITHDRAW``, ``FAIL``. Else no effect."""
        question = self._memory.get(question_id)
        if question is not None and question.is_open:
            self._settle(question, event, trouble=trouble, withdrawal=withdrawal)

    def end_all(self, event: Event, *, route: object = None, withdrawal: Withdrawal | None = None) -> None:
        """End every open question (of ``route``, when given)."""
        for question_id, waiting in list(self._waiting.items()):
            if route is None or waiting.route is route:
                self.end(question_id, event, withdrawal=withdrawal)

    def turn(self, question_id: str, event: Turn) -> Question:
        """The opened page of a question goes on: ``COMPLETE``, ``FINISH``, ``ABANDON``, ``CUT``.

        Raises :class:`NoSuchQuestion`, and ``IllegalEvent`` when no page is open for it.
        """
        question = self.find(question_id)
        self._pages.turn(question, event)
        return question

    async def flow_over(self, question_id: str) -> Flow:
        """Wait until the page that was opened for the question is over, and how it ended."""
        return await self._pages.over(self.find(question_id))

    def turn_pages(self, mine: Callable[[Question], bool], event: Turn) -> None:
        """Who asked is over: so are the pages that are open for it. ``COMPLETE``, ``CUT``, ``END``."""
        for question in self._pages.questions:
            if mine(question):
                self._pages.turn(question, event)

    def flowing(self) -> list[Question]:
        """The questions whose page is open, oldest first."""
        return self._pages.questions

    def arrived(self, route: object, *, lost: bool = False) -> None:
        """The call is over: its answers have arrived, or its connection broke and they may not have."""
        for question in self._memory.arrived(route):
            question.hand(Handover.LOSE if lost else Handover.CONFIRM)
            self._tell(question)

    def find(self, question_id: str) -> Question:
        """The question, open or remembered; raises :class:`NoSuchQuestion`."""
        return self._memory.find(question_id)

    def get(self, question_id: str) -> Question | None:
        """The question, open or remembered, or ``None``."""
        return self._memory.get(question_id)

    def open_questions(self) -> list[Question]:
        """Oldest first."""
        return [each.question for each in self._waiting.values()]

    def route_of(self, question: Question) -> object:
        """The call that an open question belongs to, or ``None``."""
        waiting = self._waiting.get(question.id)
        return self._pages.route_of(question) if waiting is None else waiting.route

    def card(self, question: Question) -> wire.Json:
        """What front ends see of it now."""
        patience = self._patience(question)
        clock = None if patience is None else wire.Clock(patience.left, patience.still, patience.is_last)
        return wire.card(question, clock=clock, origin=self._origin)

    def _admit(self, elicitation: Elicitation) -> None:
        if elicitation.id in self._memory:
            raise LocalError("This elicitation was asked before.", hint="Make a new one for a new question.")
        # The questions of one round are asked together, or their call could never be answered.
        strangers = (
            not each.elicitation.cause.is_beside(elicitation.cause) for each in self.open_questions()
        )
        if self.limits.when_busy == "refuse" and any(strangers):
            raise RemoteError("Another elicitation is in progress.", code=INVALID_REQUEST)
        if len(self._waiting) >= self.limits.pending:
            raise RemoteError(
                f"{len(self._waiting)} elicitations are waiting already; no more are taken.",
                code=INVALID_REQUEST,
            )

    def _ask_policy(self, question: Question, policy: Policy) -> None:
        answer, trouble = consult(policy, question.elicitation)
        if answer is None or not question.is_open:
            return
        if question.state is State.QUEUED and not isinstance(answer, Cancel):
            # A policy takes no person's turn.
            question.move(Event.TURN)
        self._settle(question, event_of(answer), answer, "policy", policy.name, trouble)

    def _settle(
        self,
        question: Question,
        event: Event,
        answer: Answer | None = None,
        channel: Channel = "",
        by: str = "",
        trouble: str = "",
        withdrawal: Withdrawal | None = None,
    ) -> None:
        final = question.settle(
            event,
            at=_now(),
            answer=answer,
            channel=channel,
            by=by,
            trouble=trouble,
            withdrawal=withdrawal,
        )
        self._close(question, final)

    def _abandon(self, question: Question, withdrawal: Withdrawal | None) -> None:
        if question.is_open:
            question.settle(Event.WITHDRAW, at=_now(), withdrawal=withdrawal)
        if question.delivery is Delivery.OWED:
            question.hand(Handover.LOSE)
        self._close(question)

    def _close(self, question: Question, answer: Answer | None = None) -> None:
        waiting = self._waiting.pop(question.id, None)
        if waiting is not None:
            waiting.end(answer)
            if question.is_flowing:
                deadline = waiting.limits.deadline
                self._pages.open(question, route=waiting.route, deadline=deadline, on_end=waiting.on_end)
        self._tell(question)
        if waiting is not None and waiting.on_end is not None and not question.is_flowing:
            waiting.on_end(question, "cancel" if question.outcome is None else question.outcome.action)
        if question.id not in self._pages:
            self._memory.over(question)
        self._next_turn()

    def _page_over(self, question: Question) -> None:
        self._tell(question)
        self._memory.over(question)

    def _next_turn(self) -> None:
        if any(each.question.state is not State.QUEUED for each in self._waiting.values()):
            return
        for waiting in self._waiting.values():
            question = waiting.question
            question.move(Event.TURN)
            self._start_clock(question, waiting)
            self._tell(question)
            return

    def _start_clock(self, question: Question, waiting: _Waiting) -> None:
        if waiting.limits.deadline is None:
            return
        within = question.elicitation.within
        if within is not None:
            # The asker's time has run while the question waited for its turn.
            within = max(0.0, within - (asyncio.get_running_loop().time() - waiting.since))
        waiting.patience = Patience(
            waiting.limits.deadline,
            lambda: self.end(question.id, Event.EXPIRE),
            within=within,
            typing=waiting.limits.typing,
        )

    def _patience(self, question: Question) -> Patience | None:
        waiting = self._waiting.get(question.id)
        return self._pages.patience(question) if waiting is None else waiting.patience

    def _tell(self, question: Question) -> None:
        for presenter in list(self._presenters.values()):
            _present(presenter, question)


def _present(presenter: Presenter, question: Question) -> None:
    try:
        presenter(question)
    except Exception:
        # One that cannot show it must not keep the answer from the one who asked.
        log.exception("A question could not be presented")


def _now() -> datetime:
    return datetime.now(timezone.utc)
