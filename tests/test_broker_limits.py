from __future__ import annotations

import itertools
from typing import Any

import pytest
from askers import Asked, ask, asked_name, yes
from own_clock import OwnClock, Stuck, later, moment, on_own_clock

from jupyter_mcp_elicit.broker import REMEMBERED, AlreadySettled, Broker, Limits, NoSuchQuestion
from jupyter_mcp_elicit.core import Accept, Cancel, LocalError, RemoteError
from jupyter_mcp_elicit.core.lifecycle import Delivery, Event, State
from jupyter_mcp_elicit.core.submission import NotValid, Submission


@on_own_clock
async def test_a_question_ends_at_its_deadline_and_the_asker_hears_cancel() -> None:
    broker = Broker(Limits(deadline=600))
    asked = await ask(broker)
    assert broker.card(asked.question)["secondsLeft"] == 600
    await later(599)
    assert broker.card(asked.question)["secondsLeft"] == 1
    assert asked.state.value == "pending"
    await later(1)
    assert asked.state.value == "expired"
    assert await asked.task == Cancel("expired")
    assert broker.card(asked.question)["secondsLeft"] is None
    with pytest.raises(AlreadySettled, match="run out of time"):
        broker.submit(asked.id, yes())


@on_own_clock
async def test_an_answer_in_time_stops_the_clock() -> None:
    broker = Broker(Limits(deadline=600))
    asked = await ask(broker)
    await later(599)
    broker.submit(asked.id, yes())
    await later(600)
    assert asked.state is State.ACCEPTED


def test_an_answered_question_leaves_no_timer_behind() -> None:
    loop = OwnClock()

    async def scene() -> None:
        broker = Broker(Limits(deadline=600))
        asked = await ask(broker)
        broker.submit(asked.id, yes())
        await asked.task

    loop.run_until_complete(scene())
    start = loop.now
    with pytest.raises(Stuck):
        loop.run_until_complete(loop.create_future())
    assert loop.now == start
    loop.finish()


@on_own_clock
async def test_without_a_deadline_a_question_waits_for_years() -> None:
    broker = Broker(Limits(deadline=None))
    asked = await ask(broker)
    assert broker.card(asked.question)["secondsLeft"] is None
    await later(10 * 365 * 86400)
    assert asked.state is State.PENDING


@on_own_clock
async def test_a_question_may_bring_its_own_deadline() -> None:
    broker = Broker(Limits(deadline=600))
    short, endless = await ask(broker, deadline=0.5), await ask(broker, deadline=None)
    await later(0.5)
    assert short.state is State.EXPIRED
    await later(1000)
    assert endless.state is State.PENDING


@pytest.mark.parametrize("deadline", [0, -1.0, float("nan"), float("inf")])
@on_own_clock
async def test_a_deadline_that_makes_no_sense_is_the_callers_mistake(deadline: float) -> None:
    with pytest.raises(LocalError, match="seconds above 0"):
        Limits(deadline=deadline)

    broker = Broker()
    with pytest.raises(LocalError, match="seconds above 0"):
        await broker.ask(asked_name(), deadline=deadline)
    assert broker.open_questions() == []


def test_limits_that_make_no_sense_cannot_be_set() -> None:
    with pytest.raises(LocalError, match="queue, side-by-side, refuse"):
        Limits(when_busy="sometimes")  # type: ignore[arg-type]
    with pytest.raises(LocalError, match="At least one"):
        Limits(pending=0)


@on_own_clock
async def test_side_by_side_each_answer_goes_to_its_own_question_in_any_order() -> None:
    broker = Broker()
    asked = [await ask(broker) for _ in range(3)]
    assert [each.id for each in broker.open_questions()] == [each.id for each in asked]
    for index in (1, 2, 0):
        broker.submit(asked[index].id, yes(f"Ada {index}"))
    assert [await each.task for each in asked] == [Accept({"name": f"Ada {index}"}) for index in range(3)]


ENDS: dict[str, Any] = {
    "answered": lambda broker, asked: broker.submit(asked.id, yes()),
    "declined": lambda broker, asked: broker.submit(asked.id, Submission("decline")),
    "withdrawn": lambda broker, asked: asked.task.cancel(),
    "ended": lambda broker, asked: broker.end(asked.id, Event.DISMISS),
}


@pytest.mark.parametrize("end", ENDS)
@on_own_clock
async def test_in_a_queue_the_next_question_has_its_turn_when_the_one_before_is_over(end: str) -> None:
    broker = Broker(Limits(when_busy="queue"))
    first, second, third = [await ask(broker) for _ in range(3)]
    assert [each.state.value for each in (first, second, third)] == ["pending", "queued", "queued"]
    ENDS[end](broker, first)
    await moment()
    assert [each.state.value for each in (second, third)] == ["pending", "queued"]


@on_own_clock
async def test_in_a_queue_a_deadline_begins_with_the_turn() -> None:
    broker = Broker(Limits(when_busy="queue", deadline=600))
    first, second = [await ask(broker) for _ in range(2)]
    assert broker.card(second.question)["secondsLeft"] is None
    await later(600)
    assert (first.state, second.state) == (State.EXPIRED, State.PENDING)
    assert broker.card(second.question)["secondsLeft"] == 600
    await later(600)
    assert second.state is State.EXPIRED


@on_own_clock
async def test_a_question_in_the_queue_can_be_dismissed_and_not_answered() -> None:
    broker = Broker(Limits(when_busy="queue"))
    first, second, third = [await ask(broker) for _ in range(3)]
    for early in (yes(), Submission("decline")):
        with pytest.raises(NotValid, match="Another question"):
            broker.submit(second.id, early)
    broker.shown(second.id)
    assert second.state is State.QUEUED
    broker.submit(second.id, Submission("cancel"))
    assert await second.task == Cancel("dismissed")
    assert (first.state, third.state) == (State.PENDING, State.QUEUED)


@on_own_clock
async def test_when_busy_a_second_question_is_refused_with_a_code_of_json_rpc() -> None:
    broker = Broker(Limits(when_busy="refuse"))
    first = await ask(broker)
    second = await ask(broker)
    with pytest.raises(RemoteError) as caught:
        await second.task
    assert caught.value.code == -32600
    assert first.state is State.PENDING
    broker.submit(first.id, yes())
    third = await ask(broker)
    assert third.state is State.PENDING


@pytest.mark.parametrize("when_busy", ["queue", "side-by-side"])
@on_own_clock
async def test_no_more_questions_wait_than_are_allowed(when_busy: Any) -> None:
    broker = Broker(Limits(when_busy=when_busy, pending=3))
    asked = [await ask(broker) for _ in range(3)]
    with pytest.raises(RemoteError, match="3 elicitations are waiting") as caught:
        await broker.ask(asked_name())
    assert caught.value.code == -32600
    broker.submit(asked[0].id, yes())
    await ask(broker)
    assert len(broker.open_questions()) == 3


@on_own_clock
async def test_one_elicitation_is_asked_once() -> None:
    broker = Broker()
    asked = await ask(broker)
    for _ in range(2):
        with pytest.raises(LocalError, match="asked before"):
            await broker.ask(asked.elicitation)
        if not asked.task.done():
            broker.submit(asked.id, yes())
            assert await asked.task == Accept({"name": "Ada"})


@on_own_clock
async def test_settled_questions_are_remembered_up_to_a_bound_and_open_ones_always() -> None:
    broker = Broker(Limits(deadline=None))
    still_open = await ask(broker)
    settled = []
    for number in range(REMEMBERED + 20):
        each = await ask(broker, route="call")
        broker.submit(each.id, yes(answer_id=f"mark {number}"))
        await moment()
        settled.append(each)
    known = [each for each in settled if broker.get(each.id) is not None]
    assert known == settled[-REMEMBERED:]
    assert still_open.state is State.PENDING
    with pytest.raises(NoSuchQuestion):
        broker.submit(settled[0].id, yes(answer_id="mark 0"))
    assert broker.submit(settled[-1].id, yes(answer_id=f"mark {REMEMBERED + 19}")) is settled[-1].question
    kept = [each for each in _reachable(broker) if isinstance(each, str) and each.startswith("mark ")]
    assert len(kept) == REMEMBERED
    broker.arrived("call")
    assert {each.question.delivery for each in known} == {Delivery.DONE}


@on_own_clock
async def test_the_question_that_was_asked_first_and_answered_last_is_still_remembered() -> None:
    broker = Broker(Limits(deadline=None))
    patient = await ask(broker)
    for _ in range(REMEMBERED):
        broker.submit((await ask(broker)).id, yes())
        await moment()
    broker.submit(patient.id, yes())
    assert broker.get(patient.id) is patient.question


@on_own_clock
async def test_all_questions_settled_in_one_moment_reach_their_askers_though_some_are_forgotten() -> None:
    broker = Broker(Limits(pending=10_000))
    asked = [Asked(broker, route="call") for _ in range(REMEMBERED + 5)]
    await moment()
    for each in asked:
        broker.submit(each.id, yes())
    assert [await each.task for each in asked] == [Accept({"name": "Ada"})] * len(asked)
    assert broker.get(asked[0].id) is None
    broker.arrived("call")


@on_own_clock
async def test_nothing_of_an_answer_is_left_in_the_broker() -> None:
    broker = Broker()
    asked = await ask(broker, route="call")
    broker.submit(asked.id, yes("planted", answer_id="a1"))
    answer = await asked.task
    assert isinstance(answer, Accept)
    found = _reachable(broker)
    assert answer.content is not None
    assert all(each is not answer and each != "planted" for each in found)


def _reachable(start: object) -> list[object]:
    """All that hangs on ``start`` by attributes, slots and containers of ours."""
    seen: dict[int, object] = {}
    left: list[object] = [start]
    while left:
        each = left.pop()
        if id(each) in seen or isinstance(each, type):
            continue
        seen[id(each)] = each
        if isinstance(each, dict):
            left += [*each.keys(), *each.values()]
        elif isinstance(each, list | tuple | set):
            left += each
        elif type(each).__module__.startswith("jupyter_mcp_elicit"):
            names = itertools.chain(getattr(each, "__dict__", {}), getattr(type(each), "__slots__", ()))
            left += [getattr(each, name) for name in names if hasattr(each, name)]
    return list(seen.values())
