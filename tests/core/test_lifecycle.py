from __future__ import annotations

import itertools

import pytest

from jupyter_mcp_elicit.core import LocalError
from jupyter_mcp_elicit.core.lifecycle import (
    ACTIONS,
    DELIVERY,
    QUESTION,
    REASONS,
    Delivery,
    Event,
    Handover,
    IllegalEvent,
    State,
    deliver,
    follow,
    is_final,
)

# Written out a second time, in words: a change of the table has to be meant.
LEGAL = """
queued turn pending
queued dismiss dismissed
queued expire expired
queued withdraw withdrawn
queued fail not_shown
pending show shown
pending accept accepted
pending decline declined
pending dismiss dismissed
pending expire expired
pending withdraw withdrawn
pending fail not_shown
shown show shown
shown accept accepted
shown decline declined
shown dismiss dismissed
shown expire expired
shown withdraw withdrawn
shown fail not_shown
"""
LEGAL_ON_THE_WAY = """
owed send sent
owed lose lost
sent confirm done
sent lose lost
"""


def moves(text: str) -> dict[tuple[str, str], str]:
    rows = [line.split() for line in text.split("\n") if line]
    return {(state, event): after.replace("_", " ") for state, event, after in rows}


@pytest.mark.parametrize(("state", "event"), list(itertools.product(State, Event)))
def test_a_question_moves_where_it_may_and_nowhere_else(state: State, event: Event) -> None:
    wanted = moves(LEGAL).get((state.value, event.value))
    if wanted is None:
        with pytest.raises(IllegalEvent) as caught:
            follow(state, event)
        assert str(caught.value) == f"A question that is {state.value} cannot {event.value}."
    else:
        assert follow(state, event).value == wanted


@pytest.mark.parametrize(("state", "event"), list(itertools.product(Delivery, Handover)))
def test_an_answer_moves_where_it_may_and_nowhere_else(state: Delivery, event: Handover) -> None:
    wanted = moves(LEGAL_ON_THE_WAY).get((state.value, event.value))
    if wanted is None:
        with pytest.raises(IllegalEvent) as caught:
            deliver(state, event)
        assert str(caught.value) == f"An answer that is {state.value} cannot {event.value}."
    else:
        assert deliver(state, event).value == wanted


def test_an_illegal_event_is_the_callers_fault() -> None:
    assert issubclass(IllegalEvent, LocalError)


def test_every_state_can_be_reached_and_every_open_one_can_end() -> None:
    reached = {State.QUEUED, State.PENDING}
    for _ in State:
        reached |= {after for state in reached & QUESTION.keys() for after in QUESTION[state].values()}
    assert reached == set(State)
    for row in QUESTION.values():
        assert any(is_final(after) for after in row.values())


def test_no_final_state_is_left_again() -> None:
    assert {state for state in State if is_final(state)} == ACTIONS.keys()
    assert {State.QUEUED, State.PENDING, State.SHOWN} == QUESTION.keys()


def test_no_is_said_by_decline_alone_and_yes_by_accept_alone() -> None:
    assert [state for state, action in ACTIONS.items() if action == "decline"] == [State.DECLINED]
    assert [state for state, action in ACTIONS.items() if action == "accept"] == [State.ACCEPTED]
    into = {event for row in QUESTION.values() for event, after in row.items() if after is State.DECLINED}
    assert into == {Event.DECLINE}


def test_a_question_that_waits_for_another_cannot_be_answered() -> None:
    assert not {Event.ACCEPT, Event.DECLINE, Event.SHOW} & QUESTION[State.QUEUED].keys()


def test_a_cancelled_question_has_a_reason_and_the_reasons_are_states() -> None:
    assert REASONS == ("dismissed", "expired", "withdrawn", "not shown")


def test_an_answer_is_sent_once_at_most() -> None:
    sends = [state for state, row in DELIVERY.items() if Handover.SEND in row]
    assert sends == [Delivery.OWED]
    assert all(Delivery.OWED not in row.values() for row in DELIVERY.values())


def test_what_has_arrived_or_is_lost_stays_so() -> None:
    assert DELIVERY.keys() == {Delivery.OWED, Delivery.SENT}
