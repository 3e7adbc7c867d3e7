"""A deadline that its person puts off, and the asker's own that nobody does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from askers import Asked, ask, asked_name, yes
from own_clock import later, on_own_clock

from jupyter_mcp_elicit.broker import AlreadySettled, Broker, Limits, NoSuchQuestion
from jupyter_mcp_elicit.core import LocalError
from jupyter_mcp_elicit.patience import MORE, STILL


def left(broker: Broker, asked: Asked) -> float:
    return float(broker.card(asked.question)["secondsLeft"])


@on_own_clock
async def test_five_minutes_more_are_added_to_what_is_left() -> None:
    broker = Broker(Limits(deadline=60))
    asked = await ask(broker)
    await later(50)
    broker.more(asked.id)
    assert left(broker, asked) == 10 + MORE
    await later(MORE)
    assert asked.question.is_open
    await later(10)
    assert asked.state.value == "expired"


@on_own_clock
async def test_while_somebody_types_the_clock_stands_still() -> None:
    broker = Broker(Limits(deadline=60))
    asked = await ask(broker)
    await later(55)
    for _ in range(20):
        broker.typed(asked.id)
        card = broker.card(asked.question)
        # What the page shows: the time that is left without what typing holds.
        assert card["secondsLeft"] - card["secondsStill"] == pytest.approx(5)
        await later(STILL / 2)
    await later(STILL / 2)
    assert left(broker, asked) == pytest.approx(5)
    await later(6)
    assert asked.state.value == "expired"


@on_own_clock
async def test_typing_holds_a_question_no_longer_than_is_allowed() -> None:
    broker = Broker(Limits(deadline=60, typing=100))
    asked = await ask(broker)
    for _ in range(60):
        if asked.question.is_open:
            broker.typed(asked.id)
        await later(STILL / 2)
    assert asked.state.value == "expired"
    taken = 60 + 100
    other = await ask(Broker(Limits(deadline=taken)))
    await later(taken - 1)
    assert other.question.is_open


@on_own_clock
async def test_the_askers_own_time_is_put_off_by_nothing() -> None:
    broker = Broker(Limits(deadline=60))
    asked = await ask(broker, replace(asked_name(), within=90.0))
    assert broker.card(asked.question)["mayExtend"] is True
    broker.more(asked.id)
    assert left(broker, asked) == 90
    assert broker.card(asked.question)["mayExtend"] is False
    broker.typed(asked.id)
    with pytest.raises(LocalError, match="waits no longer"):
        broker.more(asked.id)
    await later(90)
    assert asked.state.value == "expired"


@on_own_clock
async def test_what_is_over_or_has_no_deadline_has_no_time_to_give() -> None:
    broker = Broker(Limits(deadline=None))
    asked = await ask(broker)
    card = broker.card(asked.question)
    assert (card["secondsLeft"], card["secondsStill"], card["mayExtend"]) == (None, 0, False)
    with pytest.raises(LocalError, match="no deadline"):
        broker.more(asked.id)
    broker.submit(asked.id, yes())
    with pytest.raises(AlreadySettled):
        broker.more(asked.id)
    assert broker.typed(asked.id) is asked.question
    with pytest.raises(NoSuchQuestion):
        broker.more("nobody")
