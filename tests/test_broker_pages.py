"""Pages that a person opened: what they were opened for is answered, and the page has its own end."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest
from asked import form, url
from askers import NAME, Asked, ask
from own_clock import later, moment, on_own_clock

from jupyter_mcp_elicit.broker import Broker, Limits
from jupyter_mcp_elicit.core import Accept, Cancel, Decline, LocalError
from jupyter_mcp_elicit.core.lifecycle import (
    FLOW,
    FLOW_ACTIONS,
    Flow,
    IllegalEvent,
    State,
    Turn,
    proceed,
)
from jupyter_mcp_elicit.core.submission import Submission

CONSENT = Submission("accept", channel="page")


async def opened(broker: Broker, **how: Any) -> tuple[Asked, list[str]]:
    """A question whose page was opened, and the final actions that its asker is told."""
    ends: list[str] = []
    asked = await ask(broker, url(), on_end=lambda _, action: ends.append(action), **how)
    broker.submit(asked.id, CONSENT)
    assert await asked.task == Accept()
    return asked, ends


def test_only_an_opened_page_can_change_and_it_ends_once() -> None:
    assert set(FLOW) == {Flow.OPENED}
    assert set(FLOW[Flow.OPENED]) == set(Turn)
    for state, turn in itertools.product(Flow, Turn):
        if state is not Flow.OPENED:
            with pytest.raises(IllegalEvent):
                proceed(state, turn)
    assert set(FLOW_ACTIONS) == set(Flow) - {Flow.OPENED}
    assert "decline" not in FLOW_ACTIONS.values()


@on_own_clock
async def test_consent_answers_at_once_and_the_page_stays_open() -> None:
    broker = Broker()
    asked, ends = await opened(broker)
    assert asked.state is State.ACCEPTED
    assert asked.question.flow is Flow.OPENED
    assert broker.open_questions() == []
    assert [each.id for each in broker.flowing()] == [asked.id]
    assert ends == []


@pytest.mark.parametrize(
    ("turn", "flow", "action"),
    [
        (Turn.COMPLETE, Flow.COMPLETED, "accept"),
        (Turn.FINISH, Flow.FINISHED, "accept"),
        (Turn.ABANDON, Flow.ABANDONED, "cancel"),
        (Turn.CUT, Flow.CUT, "cancel"),
    ],
)
@on_own_clock
async def test_a_page_ends_once_and_its_asker_is_told_the_final_action(
    turn: Turn, flow: Flow, action: str
) -> None:
    broker = Broker()
    asked, ends = await opened(broker)
    broker.turn(asked.id, turn)
    assert asked.question.flow is flow
    assert await broker.flow_over(asked.id) is flow
    assert ends == [action]
    assert broker.flowing() == []
    with pytest.raises(IllegalEvent):
        broker.turn(asked.id, Turn.COMPLETE)
    assert ends == [action]


@on_own_clock
async def test_a_page_has_its_own_deadline_that_starts_when_it_is_opened() -> None:
    broker = Broker(Limits(deadline=60))
    ends: list[str] = []
    asked = await ask(broker, url(), on_end=lambda _, action: ends.append(action))
    await later(50)
    broker.submit(asked.id, CONSENT)
    assert await asked.task == Accept()
    await later(50)
    assert asked.question.flow is Flow.OPENED
    assert broker.card(asked.question)["secondsLeft"] == pytest.approx(10)
    await later(11)
    assert asked.question.flow is Flow.LAPSED
    assert ends == ["cancel"]


@pytest.mark.parametrize(("answer", "given"), [("decline", Decline()), ("cancel", Cancel("dismissed"))])
@on_own_clock
async def test_an_address_that_is_not_opened_is_over_with_the_answer(answer: str, given: Any) -> None:
    broker = Broker()
    ends: list[str] = []
    asked = await ask(broker, url(), on_end=lambda _, action: ends.append(action))
    broker.submit(asked.id, Submission(answer))
    assert await asked.task == given
    assert ends == [answer]
    assert asked.question.flow is None
    with pytest.raises(LocalError, match="No page was opened"):
        await broker.flow_over(asked.id)


@on_own_clock
async def test_waiting_for_a_page_ends_when_it_does() -> None:
    broker = Broker()
    asked, _ = await opened(broker)
    waiting = [broker.flow_over(asked.id) for _ in range(2)]
    both = asyncio.gather(*waiting)
    await moment()
    assert not both.done()
    broker.turn(asked.id, Turn.FINISH)
    assert await both == [Flow.FINISHED, Flow.FINISHED]


@on_own_clock
async def test_giving_up_the_wait_leaves_the_page_open() -> None:
    broker = Broker()
    asked, _ = await opened(broker)
    waiting = asyncio.ensure_future(broker.flow_over(asked.id))
    await moment()
    waiting.cancel()
    await moment()
    assert asked.question.flow is Flow.OPENED
    broker.turn(asked.id, Turn.COMPLETE)
    assert await broker.flow_over(asked.id) is Flow.COMPLETED


@on_own_clock
async def test_a_connection_that_ends_cuts_its_own_pages_only() -> None:
    broker = Broker()
    mine, my_ends = await opened(broker)
    other, _ = await opened(broker)
    broker.turn_pages(lambda question: question.id == mine.id, Turn.CUT)
    assert mine.question.flow is Flow.CUT
    assert other.question.flow is Flow.OPENED
    assert my_ends == ["cancel"]


@on_own_clock
async def test_a_form_opens_no_page() -> None:
    broker = Broker()
    ends: list[str] = []
    asked = await ask(broker, form(NAME, "name"), on_end=lambda _, action: ends.append(action))
    broker.submit(asked.id, Submission("accept", draft=[["name", "Ada"]]))
    await asked.task
    assert asked.question.flow is None
    with pytest.raises(IllegalEvent):
        broker.turn(asked.id, Turn.FINISH)
    assert ends == ["accept"]
