"""Pending questions of one owner: who shows them, the first valid answer, deadlines, withdrawal."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Literal, get_args

from .core import wire
from .core.elicitation import Accept, Answer, Cancel, Elicitation, FormElicitation
from .core.errors import INVALID_REQUEST, LocalError, RemoteError
from .core.lifecycle import Delivery, Event, Flow, Handover, State, Turn
from .core.question import Channel, Question, event_of
from .core.submission import NotValid, Submission, read
from .core.text import quoted
from .pages import OnEnd, Pages
from .policy import Nobody, Policy

log = logging.getLogger(__name__)

#: How many settled questions an owner's broker remembers, so that late pages learn the end.
REMEMBERED = 200

WhenBusy = Literal["queue", "side-by-side", "refuse"]
Presenter = Callable[[Question], None]


@dataclass(frozen=True, slots=True)
class Limits:
    """``deadline`` in seconds, ``None`` = never; ``pending`` questions at once per owner.

    Raises ``LocalError`` on a value that makes no sense.
    """

    deadline: float | None = 600.0
    when_busy: WhenBusy = "side-by-side"
    pending: int = 256

    def __post_init__(self) -> None:
        if self.deadline is not None and not 0 < self.deadline < math.inf:
            raise LocalError("A deadline is a number of seconds above 0, or None for no deadline.")
        if self.when_busy not in get_args(WhenBusy):
            raise LocalError(f"when_busy is one of {', '.join(get_args(WhenBusy))}.")
        if self.pending < 1:
            raise LocalError("At least one question must be allowed to wait.")


class NoSuchQuestion(LocalError):
    """No question of this owner has that id."""

    def __init__(self) -> None:
        super().__init__("There is no such question.")


class AlreadySettled(LocalError):
    """Somebody, or something, was first. ``question`` says who and how."""

    def __init__(self, question: Question) -> None:
        super().__init__(_ended(question))
        self.question = question


class _Waiting:
    """What an open question needs beside its record."""

    __slots__ = ("answer", "deadline", "due", "on_end", "route", "timer")

    def __init__(self, answer: asyncio.Future[Answer], route: object, deadline: float | None) -> None:
        self.answer = answer
        self.route = route
        self.deadline = deadline
        self.due: float | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.on_end: OnEnd | None = None

    def end(self, answer: Answer | None) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if answer is not None and not self.answer.done():
            self.answer.set_result(answer)


class Broker:
    """The questions of one owner. Lives on one event loop; every method is called there."""

    def __init__(self, limits: Limits | None = None, *, origin: wire.Json | None = None) -> None:
        self.limits = limits or Limits()
        self._origin = origin
        self._questions: OrderedDict[str, Question] = OrderedDict()
        self._waiting: dict[str, _Waiting] = {}
        self._winners: dict[str, str] = {}
        self._sent: dict[str, object] = {}
        self._pages = Pages(self._tell)
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
        waiting = _Waiting(asyncio.get_running_loop().create_future(), route, limits.deadline)
        waiting.on_end = on_end
        self._questions[question.id] = question
        self._waiting[question.id] = waiting
        try:
            if not queued:
                self._start_clock(question, waiting)
            self._tell(question)
            # A presenter may have answered already.
            if policy is not None and question.is_open:
                self._ask_policy(question, policy)
            answer = await waiting.answer
        except BaseException:
            self._abandon(question)
            raise
        question.hand(Handover.SEND)
        if route is None:
            question.hand(Handover.CONFIRM)
        elif question.id in self._questions:
            self._sent[question.id] = route
        self._tell(question)
        return answer

    def submit(self, question_id: str, submission: Submission) -> Question:
        """An answer from outside. The first valid one wins.

        Raises :class:`NoSuchQuestion`, :class:`AlreadySettled`, or :class:`NotValid`
        (then nothing has changed). A repeated ``answer_id`` of the winner is no error.
        """
        question = self.find(question_id)
        if not question.is_open:
            if submission.answer_id and self._winners.get(question_id) == submission.answer_id:
                return question
            raise AlreadySettled(question)
        if question.state is State.QUEUED and submission.action != "cancel":
            raise NotValid({"": "Another question has to be answered before this one."})
        answer = read(question.elicitation, submission)
        self._winners[question_id] = submission.answer_id
        self._settle(question, event_of(answer), answer, submission.channel, submission.by)
        return question

    def shown(self, question_id: str) -> Question:
        """A front end has painted it. No effect on a settled question."""
        question = self.find(question_id)
        if question.state is State.PENDING:
            question.move(Event.SHOW)
            self._tell(question)
        return question

    def end(self, question_id: str, event: Event, *, trouble: str = "") -> None:
        """End an open question without a person: ``DISMISS``, ``WITHDRAW``, ``FAIL``. Else no effect."""
        question = self._questions.get(question_id)
        if question is not None and question.is_open:
            self._settle(question, event, trouble=trouble)

    def end_all(self, event: Event, *, route: object = None, trouble: str = "") -> None:
        """End every open question (of ``route``, when given)."""
        for question_id, waiting in list(self._waiting.items()):
            if route is None or waiting.route is route:
                self.end(question_id, event, trouble=trouble)

    def turn(self, question_id: str, event: Turn) -> Question:
        """The opened page of a question goes on: ``COMPLETE``, ``FINISH``, ``ABANDON``, ``CUT``.

        Raises :class:`NoSuchQuestion`, and ``IllegalEvent`` when no page is open for it.
        """
        question = self.find(question_id)
        self._pages.turn(question, event)
        self._forget_oldest()
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
        for question_id in [each for each, of in self._sent.items() if of is route]:
            del self._sent[question_id]
            question = self._questions[question_id]
            question.hand(Handover.LOSE if lost else Handover.CONFIRM)
            self._tell(question)

    def find(self, question_id: str) -> Question:
        """The question, open or remembered; raises :class:`NoSuchQuestion`."""
        question = self._questions.get(question_id)
        if question is None:
            raise NoSuchQuestion
        return question

    def get(self, question_id: str) -> Question | None:
        """The question, open or remembered, or ``None``."""
        return self._questions.get(question_id)

    def open_questions(self) -> list[Question]:
        """Oldest first."""
        return [self._questions[each] for each in self._waiting]

    def route_of(self, question: Question) -> object:
        """The call that an open question belongs to, or ``None``."""
        waiting = self._waiting.get(question.id)
        return self._pages.route_of(question) if waiting is None else waiting.route

    def seconds_left(self, question: Question) -> float | None:
        """Until its deadline, or that of its opened page; ``None`` when it has none or is over."""
        waiting = self._waiting.get(question.id)
        due = self._pages.due(question) if waiting is None else waiting.due
        return None if due is None else max(0.0, due - asyncio.get_running_loop().time())

    def card(self, question: Question) -> wire.Json:
        """What front ends see of it now."""
        return wire.card(question, seconds_left=self.seconds_left(question), origin=self._origin)

    def _admit(self, elicitation: Elicitation) -> None:
        if elicitation.id in self._questions:
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
        trouble = policy.why if isinstance(policy, Nobody) else ""
        try:
            answer = policy.answer(question.elicitation)
            if answer is not None and not isinstance(answer, Cancel):
                content = (answer.content if isinstance(answer, Accept) else None) or {}
                submission = Submission(answer.action, content=content, channel="policy")
                answer = read(question.elicitation, submission)
        # A policy that does not fit is the caller's mistake: the server only hears "cancel".
        except NotValid as error:
            answer, trouble = Cancel(State.NOT_SHOWN.value), _misfit(question, error)
        except LocalError as error:
            answer, trouble = Cancel(State.NOT_SHOWN.value), str(error)
        except Exception as error:
            log.exception("The policy %s failed", policy.name)
            answer, trouble = Cancel(State.NOT_SHOWN.value), f"The policy failed: {type(error).__name__}."
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
    ) -> None:
        final = question.settle(event, at=_now(), answer=answer, channel=channel, by=by, trouble=trouble)
        self._close(question, final)

    def _abandon(self, question: Question) -> None:
        if question.is_open:
            question.settle(Event.WITHDRAW, at=_now())
        if question.delivery is Delivery.OWED:
            question.hand(Handover.LOSE)
        self._close(question)

    def _close(self, question: Question, answer: Answer | None = None) -> None:
        waiting = self._waiting.pop(question.id, None)
        if waiting is not None:
            waiting.end(answer)
            if question.is_flowing:
                self._pages.open(
                    question, route=waiting.route, deadline=waiting.deadline, on_end=waiting.on_end
                )
        self._tell(question)
        if waiting is not None and waiting.on_end is not None and not question.is_flowing:
            waiting.on_end(question, "cancel" if question.outcome is None else question.outcome.action)
        self._forget_oldest()
        self._next_turn()

    def _forget_oldest(self) -> None:
        for oldest in list(self._questions):
            if len(self._questions) - len(self._waiting) - len(self._pages) <= REMEMBERED:
                break
            if oldest not in self._waiting and oldest not in self._pages:
                del self._questions[oldest]
                self._winners.pop(oldest, None)
                self._sent.pop(oldest, None)

    def _next_turn(self) -> None:
        if any(self._questions[each].state is not State.QUEUED for each in self._waiting):
            return
        for question_id, waiting in self._waiting.items():
            question = self._questions[question_id]
            question.move(Event.TURN)
            self._start_clock(question, waiting)
            self._tell(question)
            return

    def _start_clock(self, question: Question, waiting: _Waiting) -> None:
        if waiting.deadline is None:
            return
        loop = asyncio.get_running_loop()
        waiting.due = loop.time() + waiting.deadline
        waiting.timer = loop.call_at(waiting.due, self.end, question.id, Event.EXPIRE)

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


_WORDS = {
    State.ACCEPTED: "was accepted",
    State.DECLINED: "was declined",
    State.DISMISSED: "was cancelled",
    State.EXPIRED: "has run out of time",
    State.WITHDRAWN: "was taken back: the one who asked stopped waiting",
    State.NOT_SHOWN: "could not be shown",
}


def _misfit(question: Question, error: NotValid) -> str:
    """What is wrong with a policy's answer, without a word of it: this goes into cards."""
    asked = question.elicitation
    fields = {each.name for each in asked.schema.fields} if isinstance(asked, FormElicitation) else set()
    told = [
        sentence
        if not name
        else f"{quoted(name)} does not fit."
        if name in fields
        else "A field is not known."
        for name, sentence in error.problems.items()
    ]
    return f"The answer was not used. {' '.join(dict.fromkeys(told))}"


def _ended(question: Question) -> str:
    return f"This question {_WORDS[question.state]}; your answer was not sent."
