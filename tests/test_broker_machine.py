"""The broker against a model of it, in every order of events that Hypothesis can think of."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from asked import form
from askers import NAME, Played
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, rule
from own_clock import OwnClock, later

from jupyter_mcp_elicit.broker import AlreadySettled, Broker, Limits
from jupyter_mcp_elicit.core import Accept, Cancel, Decline, LocalError, RemoteError
from jupyter_mcp_elicit.core.elicitation import Answer, Elicitation
from jupyter_mcp_elicit.core.lifecycle import Delivery, Event, State
from jupyter_mcp_elicit.core.question import Question
from jupyter_mcp_elicit.core.submission import NotValid, Submission

ROUTES = (None, "call one", "call two")
FITS = {"Ada": True, "Bob": True, "": False}
REASONS = {
    Event.DISMISS: "dismissed",
    Event.EXPIRE: "expired",
    Event.WITHDRAW: "withdrawn",
    Event.FAIL: "not shown",
}


def on_its_loop(act: Callable[..., None]) -> Callable[..., None]:
    """A rule that happens in one moment of the broker's loop, which then comes to rest."""

    @functools.wraps(act)
    def run(self: Brokers, **given: Any) -> None:
        async def now() -> None:
            act(self, **given)

        self.loop.run_until_complete(now())
        self.loop.settle()

    return run


@dataclass(eq=False)
class Asked:
    """What the model knows of one question. ``answer``: the first valid one; ``left``: nobody heard it."""

    elicitation: Elicitation
    task: asyncio.Task[Answer]
    route: str | None
    deadline: float | None
    answer: Answer | None = None
    mark: str = ""
    left: bool = False
    seen: list[tuple[State, Delivery, float]] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.elicitation.id


class Brokers(RuleBasedStateMachine):
    """Rules do one thing each and let the loop come to rest; ``answer_and_leave`` does two in one moment."""

    everything = Bundle("everything")

    def __init__(self) -> None:
        super().__init__()
        self.asked: dict[str, Asked] = {}
        self.early: dict[str, list[tuple[State, Delivery, float]]] = {}

    @initialize(
        when_busy=st.sampled_from(["queue", "side-by-side", "refuse"]),
        pending=st.integers(1, 4),
        deadline=st.sampled_from([None, 5.0]),
    )
    def start(self, when_busy: Any, pending: int, deadline: float | None) -> None:
        self.loop = OwnClock()
        self.limits = Limits(deadline=deadline, when_busy=when_busy, pending=pending)
        self.broker = Broker(self.limits)
        self.broker.present_with(self.told)

    def told(self, question: Question) -> None:
        step = (question.state, question.delivery, self.loop.time())
        self.early.setdefault(question.id, []).append(step)

    @property
    def waiting(self) -> list[Asked]:
        """In the order of asking."""
        return [each for each in self.asked.values() if each.answer is None]

    def is_up(self, asked: Asked) -> bool:
        return self.limits.when_busy != "queue" or self.waiting[0] is asked

    @rule(
        target=everything,
        route=st.sampled_from(ROUTES),
        deadline=st.sampled_from(["default", 2.0, None]),
        played=st.sampled_from(
            [(), (None,), (Accept({"name": "Ada"}),), (Accept({}),), (Decline(),), (Cancel(),)]
        ),
    )
    def ask(self, route: str | None, deadline: Any, played: tuple[Any, ...]) -> Any:
        refused = len(self.waiting) >= self.limits.pending or (
            bool(self.waiting) and self.limits.when_busy == "refuse"
        )
        elicitation = form(NAME, "name")
        policy = Played(*played) if played else None
        coroutine = self.broker.ask(elicitation, route=route, policy=policy, deadline=deadline)
        task = self.loop.create_task(coroutine)
        self.loop.settle()
        if refused:
            assert isinstance(task.exception(), RemoteError)
            assert self.broker.get(elicitation.id) is None
            return multiple()
        asked = Asked(elicitation, task, route, self.limits.deadline if deadline == "default" else deadline)
        asked.seen = self.early[elicitation.id]
        self.asked[elicitation.id] = asked
        if played and played[0] is not None:
            asked.answer = Cancel("not shown") if played[0] == Accept({}) else played[0]
        return asked

    def try_to_answer(self, asked: Asked, submission: Submission, answer: Answer | None) -> None:
        """``answer`` is what it should come to, ``None`` when it does not fit."""
        if asked.answer is not None:
            if asked.mark and asked.mark == submission.answer_id:
                self.broker.submit(asked.id, submission)
            else:
                with pytest.raises(AlreadySettled):
                    self.broker.submit(asked.id, submission)
        elif answer is None or (not self.is_up(asked) and submission.action != "cancel"):
            with pytest.raises(NotValid):
                self.broker.submit(asked.id, submission)
        else:
            self.broker.submit(asked.id, submission)
            asked.mark = submission.answer_id
            asked.answer = answer

    @rule(asked=everything, name=st.sampled_from(sorted(FITS)), mark=st.sampled_from(["", "a", "b"]))
    @on_its_loop
    def accept(self, asked: Asked, name: str, mark: str) -> None:
        submission = Submission("accept", draft=[["name", name]], answer_id=mark)
        self.try_to_answer(asked, submission, Accept({"name": name}) if FITS[name] else None)

    @rule(asked=everything, action=st.sampled_from(["decline", "cancel"]), mark=st.sampled_from(["", "a"]))
    @on_its_loop
    def say_no(self, asked: Asked, action: str, mark: str) -> None:
        answer = Decline() if action == "decline" else Cancel("dismissed")
        self.try_to_answer(asked, Submission(action, answer_id=mark), answer)

    @rule(asked=everything)
    @on_its_loop
    def leave(self, asked: Asked) -> None:
        if asked.answer is None:
            asked.left = True
            asked.answer = Cancel("withdrawn")
        asked.task.cancel()

    @rule(asked=everything, name=st.sampled_from(sorted(FITS)))
    @on_its_loop
    def answer_and_leave(self, asked: Asked, name: str) -> None:
        was_open = asked.answer is None
        submission = Submission("accept", draft=[["name", name]])
        self.try_to_answer(asked, submission, Accept({"name": name}) if FITS[name] else None)
        asked.task.cancel()
        if was_open:
            asked.left = True
            asked.answer = asked.answer or Cancel("withdrawn")

    @rule(asked=everything)
    @on_its_loop
    def show(self, asked: Asked) -> None:
        self.broker.shown(asked.id)

    @rule(asked=everything, event=st.sampled_from(sorted(REASONS)))
    @on_its_loop
    def end(self, asked: Asked, event: Event) -> None:
        self.broker.end(asked.id, event, trouble="early")
        if asked.answer is None:
            asked.answer = Cancel(REASONS[event])

    @rule(route=st.sampled_from(ROUTES))
    @on_its_loop
    def end_all(self, route: str | None) -> None:
        self.broker.end_all(Event.WITHDRAW, route=route)
        for asked in self.waiting:
            if route is None or asked.route == route:
                asked.answer = Cancel("withdrawn")

    @rule(route=st.sampled_from(ROUTES[1:]), lost=st.booleans())
    @on_its_loop
    def call_ends(self, route: str, lost: bool) -> None:
        self.broker.arrived(route, lost=lost)
        for asked in self.asked.values():
            assert asked.route != route or self.broker.find(asked.id).delivery is not Delivery.SENT

    @rule(seconds=st.sampled_from([0.5, 2.0, 5.0]))
    def time_passes(self, seconds: float) -> None:
        self.loop.run_until_complete(later(seconds))
        for asked in self.waiting:
            if self.broker.find(asked.id).state is State.EXPIRED:
                asked.answer = Cancel("expired")

    @rule(asked=everything)
    def ask_again(self, asked: Asked) -> None:
        task = self.loop.create_task(self.broker.ask(asked.elicitation))
        self.loop.settle()
        assert isinstance(task.exception(), LocalError | RemoteError)

    @invariant()
    def every_asker_has_the_first_valid_answer_or_left_or_waits(self) -> None:
        for asked in self.asked.values():
            if asked.answer is None:
                assert not asked.task.done()
            elif asked.left:
                assert asked.task.cancelled()
            else:
                assert asked.task.result() == asked.answer

    @invariant()
    def what_is_open_is_what_waits(self) -> None:
        if self.asked:
            assert [each.id for each in self.broker.open_questions()] == [each.id for each in self.waiting]
            assert len(self.waiting) <= self.limits.pending

    @invariant()
    def whoever_may_be_answered_is_up_and_no_other(self) -> None:
        for asked in self.waiting:
            assert (self.broker.find(asked.id).state is not State.QUEUED) == self.is_up(asked)

    @invariant()
    def the_outcome_says_what_the_asker_heard(self) -> None:
        for asked in self.asked.values():
            outcome = self.broker.find(asked.id).outcome
            assert (outcome is None) == (asked.answer is None)
            if outcome is not None and asked.answer is not None:
                assert outcome.action == asked.answer.action
                assert outcome.reason == (asked.answer.reason if isinstance(asked.answer, Cancel) else "")

    @invariant()
    def an_answer_is_delivered_once_and_only_to_who_waited(self) -> None:
        for asked in self.asked.values():
            way = [delivery for _, delivery, _ in asked.seen]
            steps = [after for before, after in zip(way, way[1:], strict=False) if before is not after]
            if asked.answer is None:
                assert steps == []
            elif asked.left:
                assert steps == [Delivery.LOST]
            elif asked.route is None:
                assert steps == [Delivery.DONE]
            else:
                assert steps in (
                    [Delivery.SENT],
                    [Delivery.SENT, Delivery.DONE],
                    [Delivery.SENT, Delivery.LOST],
                )

    @invariant()
    def a_settled_question_stays_as_it_is(self) -> None:
        for asked in self.asked.values():
            states = [state for state, _, _ in asked.seen]
            open_ones = {State.QUEUED, State.PENDING, State.SHOWN}
            final = [state for state in states if state not in open_ones]
            assert len(set(final)) <= 1
            assert states[len(states) - len(final) :] == final

    @invariant()
    def deadlines_are_kept_to_the_moment(self) -> None:
        for asked in self.asked.values():
            turns = [at for state, _, at in asked.seen if state is not State.QUEUED]
            if asked.deadline is None or not turns:
                continue
            due = turns[0] + asked.deadline
            outcome = self.broker.find(asked.id).outcome
            if outcome is None:
                assert self.loop.time() < due
            elif outcome.reason == "expired" and outcome.trouble != "early":
                ended = next(at for state, _, at in asked.seen if state is State.EXPIRED)
                assert ended == pytest.approx(due, abs=1e-3)

    def teardown(self) -> None:
        if not hasattr(self, "loop"):
            return
        try:
            self.end_all(route=None)
            assert asyncio.all_tasks(self.loop) == set()
            assert self.broker.open_questions() == []
            told = sum(len(each.seen) for each in self.asked.values())
            self.loop.run_until_complete(later(10**5))
            assert sum(len(each.seen) for each in self.asked.values()) == told
        finally:
            self.loop.finish()


TestBrokers = Brokers.TestCase
TestBrokers.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
