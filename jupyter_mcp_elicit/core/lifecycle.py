"""The life of a question, as data: everything that changes a state stands in these tables.

Three machines. The *question* runs from asked to one final state. The *delivery* runs
from an answer to the moment the asker has it. The *flow* is what an accepted question in
URL mode starts: accept is the consent to open the page, and the page has its own end.
None of them knows a clock or a connection.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

from .errors import LocalError


class State(str, Enum):
    """Where a question stands."""

    QUEUED = "queued"  # waits for the question before it
    PENDING = "pending"  # may be answered; nobody has shown it yet
    SHOWN = "shown"  # a page or a form shows it
    ACCEPTED = "accepted"
    DECLINED = "declined"
    DISMISSED = "dismissed"  # a person closed it
    EXPIRED = "expired"  # its deadline passed
    WITHDRAWN = "withdrawn"  # the asker stopped waiting, or its cell was interrupted
    NOT_SHOWN = "not shown"  # nobody was there, or nothing could show it


class Event(str, Enum):
    """What can happen to a question."""

    TURN = "turn"  # the question before it is over
    SHOW = "show"
    ACCEPT = "accept"
    DECLINE = "decline"
    DISMISS = "dismiss"
    EXPIRE = "expire"
    WITHDRAW = "withdraw"
    FAIL = "fail"


class Delivery(str, Enum):
    """Where an answer stands on its way to the asker."""

    OWED = "owed"
    SENT = "sent"
    DONE = "done"
    LOST = "lost"  # the asker was gone: never sent elsewhere, never sent twice


class Handover(str, Enum):
    """What can happen to an answer."""

    SEND = "send"
    CONFIRM = "confirm"
    LOSE = "lose"


class Flow(str, Enum):
    """Where an opened page stands."""

    OPENED = "opened"
    COMPLETED = "completed"  # the server said so
    FINISHED = "finished"  # the person said so
    ABANDONED = "abandoned"  # the person gave it up
    LAPSED = "lapsed"  # its deadline passed
    CUT = "cut"  # the connection that asked has ended
    ENDED = "ended"  # the call that asked is over, and not by a result that the page led to


class Turn(str, Enum):
    """What can happen to an opened page."""

    COMPLETE = "complete"
    FINISH = "finish"
    ABANDON = "abandon"
    LAPSE = "lapse"
    CUT = "cut"
    END = "end"


_OPEN_EVENTS = {
    Event.ACCEPT: State.ACCEPTED,
    Event.DECLINE: State.DECLINED,
    Event.DISMISS: State.DISMISSED,
    Event.EXPIRE: State.EXPIRED,
    Event.WITHDRAW: State.WITHDRAWN,
    Event.FAIL: State.NOT_SHOWN,
}

#: state -> event -> next state. A state without a row is final.
QUESTION: dict[State, dict[Event, State]] = {
    State.QUEUED: {
        Event.TURN: State.PENDING,
        Event.DISMISS: State.DISMISSED,
        Event.EXPIRE: State.EXPIRED,
        Event.WITHDRAW: State.WITHDRAWN,
        Event.FAIL: State.NOT_SHOWN,
    },
    State.PENDING: {Event.SHOW: State.SHOWN, **_OPEN_EVENTS},
    State.SHOWN: {Event.SHOW: State.SHOWN, **_OPEN_EVENTS},
}

#: state -> event -> next state, for the answer on its way.
DELIVERY: dict[Delivery, dict[Handover, Delivery]] = {
    Delivery.OWED: {Handover.SEND: Delivery.SENT, Handover.LOSE: Delivery.LOST},
    Delivery.SENT: {Handover.CONFIRM: Delivery.DONE, Handover.LOSE: Delivery.LOST},
}

#: state -> event -> next state, for the page that a person has opened.
FLOW: dict[Flow, dict[Turn, Flow]] = {
    Flow.OPENED: {
        Turn.COMPLETE: Flow.COMPLETED,
        Turn.FINISH: Flow.FINISHED,
        Turn.ABANDON: Flow.ABANDONED,
        Turn.LAPSE: Flow.LAPSED,
        Turn.CUT: Flow.CUT,
        Turn.END: Flow.ENDED,
    },
}

#: The final action of a flow, as the completion notification tells it.
FLOW_ACTIONS: dict[Flow, str] = {
    Flow.COMPLETED: "accept",
    Flow.FINISHED: "accept",
    Flow.ABANDONED: "cancel",
    Flow.LAPSED: "cancel",
    Flow.CUT: "cancel",
    Flow.ENDED: "cancel",
}

#: The action that each final state is answered with (design rule: ``decline`` only by a person).
ACTIONS: dict[State, str] = {
    State.ACCEPTED: "accept",
    State.DECLINED: "decline",
    State.DISMISSED: "cancel",
    State.EXPIRED: "cancel",
    State.WITHDRAWN: "cancel",
    State.NOT_SHOWN: "cancel",
}

#: Why a question was cancelled: the final states that are answered with ``cancel``.
REASONS: tuple[str, ...] = tuple(s.value for s, action in ACTIONS.items() if action == "cancel")

_S = TypeVar("_S", State, Delivery, Flow)
_E = TypeVar("_E", Event, Handover, Turn)


class IllegalEvent(LocalError):
    """The event does not fit the state; the state is as it was."""


def follow(state: State, event: Event) -> State:
    """The state after ``event``; raises :class:`IllegalEvent` when the table has none."""
    return _step(QUESTION, "A question", state, event)


def deliver(state: Delivery, event: Handover) -> Delivery:
    """The delivery state after ``event``; raises :class:`IllegalEvent` when the table has none."""
    return _step(DELIVERY, "An answer", state, event)


def proceed(state: Flow, event: Turn) -> Flow:
    """The flow's state after ``event``; raises :class:`IllegalEvent` when the table has none."""
    return _step(FLOW, "A page", state, event)


def is_final(state: State) -> bool:
    """Whether nothing can change the question any more."""
    return state not in QUESTION


def _step(table: dict[_S, dict[_E, _S]], noun: str, state: _S, event: _E) -> _S:
    try:
        return table[state][event]
    except KeyError:
        raise IllegalEvent(f"{noun} that is {state.value} cannot {event.value}.") from None
