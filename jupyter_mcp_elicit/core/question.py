"""One elicitation and where it stands. Pure: every time is handed in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from . import lifecycle
from .elicitation import Accept, Answer, Cancel, Elicitation
from .lifecycle import Delivery, Event, Flow, Handover, IllegalEvent, State, Turn
from .withdrawal import Withdrawal

#: How an answer came: a front end's page, a prompt, a kernel's own code, a policy (a script), or the API.
Channel: TypeAlias = Literal["page", "terminal", "kernel", "policy", "api", ""]

_CANCEL_EVENTS: dict[str, Event] = {
    State.DISMISSED.value: Event.DISMISS,
    State.EXPIRED.value: Event.EXPIRE,
    State.WITHDRAWN.value: Event.WITHDRAW,
    State.NOT_SHOWN.value: Event.FAIL,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a question ended, without what was answered.

    ``at`` is an aware UTC time; ``by`` the user's name where the channel knows one;
    ``trouble`` one sentence when something of ours went wrong; ``withdrawal`` who took it
    back, as far as that is known.
    """

    action: str
    reason: str
    at: datetime
    channel: Channel = ""
    by: str = ""
    trouble: str = ""
    withdrawal: Withdrawal | None = None


class Question:
    """An elicitation with its state; its methods alone change it.

    ``flow`` is ``None`` but for a question in URL mode whose address the person agreed to open.
    """

    __slots__ = ("created", "delivery", "elicitation", "flow", "outcome", "state")

    def __init__(self, elicitation: Elicitation, *, created: datetime, queued: bool = False) -> None:
        self.elicitation = elicitation
        self.created = created
        self.state = State.QUEUED if queued else State.PENDING
        self.delivery = Delivery.OWED
        self.outcome: Outcome | None = None
        self.flow: Flow | None = None

    @property
    def id(self) -> str:
        return self.elicitation.id

    @property
    def is_open(self) -> bool:
        """Whether it may still be answered."""
        return not lifecycle.is_final(self.state)

    def move(self, event: Event) -> None:
        """A step that answers nothing: ``TURN`` or ``SHOW``. Raises ``IllegalEvent`` on any other."""
        state = lifecycle.follow(self.state, event)
        if lifecycle.is_final(state):
            raise IllegalEvent(f"A question cannot {event.value} without an answer.")
        self.state = state

    def settle(
        self,
        event: Event,
        *,
        at: datetime,
        answer: Answer | None = None,
        channel: Channel = "",
        by: str = "",
        trouble: str = "",
        withdrawal: Withdrawal | None = None,
    ) -> Answer:
        """The last step. Gives the answer for the asker: ``answer``, or a ``Cancel`` that names the event.

        Raises ``IllegalEvent`` on a settled question, and when event and answer say different things.
        """
        state = lifecycle.follow(self.state, event)
        action = lifecycle.ACTIONS.get(state)
        final = Cancel(state.value) if answer is None and action == "cancel" else answer
        if final is None or event_of(final) is not event:
            raise IllegalEvent(f"A question cannot {event.value} with {final!r} as its answer.")
        self.state = state
        reason = final.reason if isinstance(final, Cancel) else ""
        self.outcome = Outcome(final.action, reason, at, channel, by, trouble, withdrawal)
        if state is State.ACCEPTED and self.elicitation.mode == "url":
            self.flow = Flow.OPENED
        return final

    @property
    def is_flowing(self) -> bool:
        """Whether a page is open that the person has not come back from."""
        return self.flow is not None and self.flow in lifecycle.FLOW

    def proceed(self, event: Turn) -> Flow:
        """The opened page goes on; gives where it stands.

        Raises ``IllegalEvent`` when there is none, or it is over.
        """
        if self.flow is None:
            raise IllegalEvent("No page was opened for this question.")
        self.flow = lifecycle.proceed(self.flow, event)
        return self.flow

    def hand(self, step: Handover) -> None:
        """The answer moves on towards the asker. The answer itself is never kept here."""
        self.delivery = lifecycle.deliver(self.delivery, step)


def event_of(answer: Answer) -> Event:
    """The event that an answer is; a ``Cancel`` says by its reason which."""
    if isinstance(answer, Cancel):
        return _CANCEL_EVENTS[answer.reason]
    return Event.ACCEPT if isinstance(answer, Accept) else Event.DECLINE
