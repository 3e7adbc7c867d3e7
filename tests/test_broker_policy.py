from __future__ import annotations

from typing import Any

import pytest
from asked import form, url
from askers import Played, ask, yes
from own_clock import on_own_clock

from jupyter_mcp_elicit.broker import Broker, Limits
from jupyter_mcp_elicit.core import Accept, Cancel, Decline, LocalError
from jupyter_mcp_elicit.core.elicitation import Answer
from jupyter_mcp_elicit.core.lifecycle import State


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (Accept({"name": "Ada"}), State.ACCEPTED),
        (Decline(), State.DECLINED),
        (Cancel("dismissed"), State.DISMISSED),
        (Cancel("expired"), State.EXPIRED),
        (Cancel("withdrawn"), State.WITHDRAWN),
        (Cancel("not shown"), State.NOT_SHOWN),
    ],
)
@pytest.mark.parametrize("when_busy", ["queue", "side-by-side"])
@on_own_clock
async def test_a_policy_answers_at_once_whoever_waits_and_is_recorded(
    answer: Answer, state: State, when_busy: Any
) -> None:
    broker = Broker(Limits(when_busy=when_busy))
    waiting = await ask(broker)
    asked = await ask(broker, policy=Played(answer))
    assert await asked.task == answer
    assert asked.state is state
    outcome = asked.question.outcome
    assert outcome is not None
    assert (outcome.channel, outcome.by, outcome.trouble) == ("policy", "played", "")
    assert waiting.state is State.PENDING


@on_own_clock
async def test_a_policy_may_leave_the_question_to_a_person() -> None:
    broker = Broker(Limits(when_busy="queue"))
    first, second = await ask(broker, policy=Played(None)), await ask(broker, policy=Played(None))
    assert (first.state, second.state) == (State.PENDING, State.QUEUED)
    broker.submit(first.id, yes())
    assert await first.task == Accept({"name": "Ada"})


@pytest.mark.parametrize(
    ("played", "told"),
    [
        (Accept({"name": ""}), 'The answer was not used. "name" does not fit.'),
        (Accept({}), 'The answer was not used. "name" does not fit.'),
        (Accept(), 'The answer was not used. "name" does not fit.'),
        (Accept({"name": "Ada", "planted": "planted"}), "The answer was not used. A field is not known."),
        (LocalError("No answer is left.", hint="Add one."), "No answer is left. Add one."),
        (KeyError("planted"), "The policy failed: KeyError."),
        ("accept", "The policy failed: AttributeError."),
    ],
)
@pytest.mark.parametrize("when_busy", ["queue", "side-by-side"])
@on_own_clock
async def test_of_a_policy_that_does_not_fit_the_asker_hears_cancel_and_the_record_says_why(
    played: Any, told: str, when_busy: Any
) -> None:
    broker = Broker(Limits(when_busy=when_busy))
    await ask(broker)
    asked = await ask(broker, policy=Played(played))
    assert await asked.task == Cancel("not shown")
    assert asked.state is State.NOT_SHOWN
    assert asked.trouble == told
    assert "planted" not in str(broker.card(asked.question))


@on_own_clock
async def test_what_a_policy_gave_and_could_not_be_sent_stays_out_of_the_record() -> None:
    broker = Broker()
    asked = await ask(
        broker,
        form({"n": {"type": "number"}}),
        policy=Played(Accept({"n": "0.12345678901234567890123"})),
    )
    assert await asked.task == Cancel("not shown")
    assert "0.123" not in str(broker.card(asked.question))
    assert asked.trouble == 'The answer was not used. "n" does not fit.'


@pytest.mark.parametrize("content", [None, {}, {"name": "Ada"}])
@on_own_clock
async def test_no_policy_can_open_a_url(content: Any) -> None:
    broker = Broker()
    asked = await ask(broker, url(), policy=Played(Accept(content)))
    assert await asked.task == Cancel("not shown")
    assert "Only a person can agree" in asked.trouble
