from __future__ import annotations

import itertools
from typing import Any

import pytest
from asked import AT, EVERY_KIND, contents, question
from hypothesis import given

from jupyter_mcp_elicit.core import Accept, Cancel, Decline
from jupyter_mcp_elicit.core.elicitation import Answer
from jupyter_mcp_elicit.core.lifecycle import (
    ACTIONS,
    DELIVERY,
    QUESTION,
    Delivery,
    Event,
    Handover,
    IllegalEvent,
    State,
    is_final,
)
from jupyter_mcp_elicit.core.question import Outcome, Question, event_of

ANSWERS: dict[Event, Answer] = {
    Event.ACCEPT: Accept({}),
    Event.DECLINE: Decline(),
    Event.DISMISS: Cancel("dismissed"),
    Event.EXPIRE: Cancel("expired"),
    Event.WITHDRAW: Cancel("withdrawn"),
    Event.FAIL: Cancel("not shown"),
}


def standing(state: State) -> Question:
    """A question that stands in ``state``."""
    made = question(queued=state is State.QUEUED)
    if state is State.SHOWN:
        made.move(Event.SHOW)
    elif is_final(state):
        event = next(event for event, after in QUESTION[State.PENDING].items() if after is state)
        made.settle(event, at=AT, answer=ANSWERS[event])
    assert made.state is state
    return made


def all_of(made: Question) -> dict[str, Any]:
    return {name: getattr(made, name) for name in Question.__slots__}


def test_a_new_question_waits_and_owes_its_answer() -> None:
    made = question()
    assert (made.state, made.delivery, made.outcome) == (State.PENDING, Delivery.OWED, None)
    assert made.is_open
    assert made.id == made.elicitation.id
    assert question(queued=True).state is State.QUEUED


@pytest.mark.parametrize(("state", "event"), list(itertools.product(State, Event)))
def test_settling_ends_a_question_or_changes_nothing(state: State, event: Event) -> None:
    made = standing(state)
    before = all_of(made)
    after = QUESTION.get(state, {}).get(event)
    if after is None or not is_final(after):
        with pytest.raises(IllegalEvent):
            made.settle(event, at=AT, answer=ANSWERS.get(event))
        assert all_of(made) == before
    else:
        answer = made.settle(event, at=AT, answer=ANSWERS[event], channel="page", by="ada")
        assert answer == ANSWERS[event]
        assert made.state is after
        assert not made.is_open
        reason = after.value if ACTIONS[after] == "cancel" else ""
        assert made.outcome == Outcome(ACTIONS[after], reason, AT, "page", "ada")


@pytest.mark.parametrize(("state", "event"), list(itertools.product(State, Event)))
def test_moving_never_answers(state: State, event: Event) -> None:
    made = standing(state)
    before = all_of(made)
    after = QUESTION.get(state, {}).get(event)
    if after is None or is_final(after):
        with pytest.raises(IllegalEvent):
            made.move(event)
        assert all_of(made) == before
    else:
        made.move(event)
        assert all_of(made) == {**before, "state": after}


@pytest.mark.parametrize(
    ("event", "answer"),
    [(event, answer) for event in Event for answer in ANSWERS.values() if answer != ANSWERS.get(event)],
)
def test_event_and_answer_say_the_same_or_nothing_happens(event: Event, answer: Answer) -> None:
    made = question()
    before = all_of(made)
    with pytest.raises(IllegalEvent):
        made.settle(event, at=AT, answer=answer)
    assert all_of(made) == before


@pytest.mark.parametrize("event", [Event.DISMISS, Event.EXPIRE, Event.WITHDRAW, Event.FAIL])
def test_without_an_answer_the_asker_hears_cancel_and_why(event: Event) -> None:
    assert question().settle(event, at=AT) == ANSWERS[event]


@pytest.mark.parametrize("event", [Event.ACCEPT, Event.DECLINE])
def test_yes_and_no_are_never_made_up(event: Event) -> None:
    made = question()
    with pytest.raises(IllegalEvent):
        made.settle(event, at=AT)
    assert made.is_open


@pytest.mark.parametrize(("event", "answer"), ANSWERS.items())
def test_every_answer_is_one_event(event: Event, answer: Answer) -> None:
    assert event_of(answer) is event


@pytest.mark.parametrize(("state", "step"), list(itertools.product(Delivery, Handover)))
def test_an_answer_moves_on_or_stays_where_it_is(state: Delivery, step: Handover) -> None:
    made = question()
    ways: dict[Delivery, tuple[Handover, ...]] = {
        Delivery.OWED: (),
        Delivery.SENT: (Handover.SEND,),
        Delivery.DONE: (Handover.SEND, Handover.CONFIRM),
        Delivery.LOST: (Handover.LOSE,),
    }
    for each in ways[state]:
        made.hand(each)
    after = DELIVERY.get(state, {}).get(step)
    if after is None:
        with pytest.raises(IllegalEvent):
            made.hand(step)
        assert made.delivery is state
    else:
        made.hand(step)
        assert made.delivery is after


@given(contents())
def test_a_settled_question_keeps_nothing_of_what_was_answered(content: dict[str, Any]) -> None:
    made, other = question(EVERY_KIND), question(EVERY_KIND)
    made.settle(Event.ACCEPT, at=AT, answer=Accept(content), channel="page", by="ada")
    other.settle(Event.ACCEPT, at=AT, answer=Accept({}), channel="page", by="ada")
    assert made.outcome == other.outcome
    assert made.elicitation.message == other.elicitation.message
    kept = {"created", "delivery", "elicitation", "flow", "outcome", "state"}
    assert set(Question.__slots__) == kept
