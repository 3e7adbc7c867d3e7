from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from askers import Played, ask, asked_name, yes
from own_clock import moment, on_own_clock

from jupyter_mcp_elicit.broker import AlreadySettled, Broker, Limits, NoSuchQuestion
from jupyter_mcp_elicit.core import Accept, Cancel, Decline, LocalError
from jupyter_mcp_elicit.core.elicitation import Answer
from jupyter_mcp_elicit.core.lifecycle import Delivery, Event, IllegalEvent, State
from jupyter_mcp_elicit.core.question import Question
from jupyter_mcp_elicit.core.submission import NotValid, Submission
from jupyter_mcp_elicit.core.withdrawal import Withdrawal


def everything(question: Question) -> tuple[Any, ...]:
    return tuple(getattr(question, name) for name in Question.__slots__)


@on_own_clock
async def test_the_answer_goes_to_the_one_who_asked_and_every_step_is_told() -> None:
    broker = Broker()
    told: list[tuple[str, str]] = []
    broker.present_with(lambda question: told.append((question.state.value, question.delivery.value)))
    asked = await ask(broker)
    broker.shown(asked.id)
    broker.submit(asked.id, yes(by="ada"))
    assert await asked.task == Accept({"name": "Ada"})
    assert told == [("pending", "owed"), ("shown", "owed"), ("accepted", "owed"), ("accepted", "done")]
    outcome = asked.question.outcome
    assert outcome is not None
    assert (outcome.action, outcome.channel, outcome.by) == ("accept", "page", "ada")


@pytest.mark.parametrize(
    ("action", "answer", "state"),
    [("decline", Decline(), State.DECLINED), ("cancel", Cancel("dismissed"), State.DISMISSED)],
)
@on_own_clock
async def test_no_and_never_mind_reach_the_asker_too(action: str, answer: Answer, state: State) -> None:
    broker = Broker()
    asked = await ask(broker)
    broker.submit(asked.id, Submission(action))
    assert await asked.task == answer
    assert asked.state is state


@on_own_clock
async def test_the_first_valid_answer_wins_and_the_second_is_told_so() -> None:
    broker = Broker()
    asked = await ask(broker)
    broker.submit(asked.id, yes("Ada"))
    before = everything(asked.question)
    with pytest.raises(AlreadySettled, match="was accepted; your answer was not sent") as caught:
        broker.submit(asked.id, Submission("decline"))
    assert caught.value.question is asked.question
    assert everything(asked.question) == before
    assert await asked.task == Accept({"name": "Ada"})


@on_own_clock
async def test_an_answer_that_does_not_fit_changes_nothing_and_can_be_corrected() -> None:
    broker = Broker()
    asked = await ask(broker)
    before = everything(asked.question)
    for wrong in (yes(""), Submission("accept", draft=[]), Submission("perhaps"), Submission("accept")):
        with pytest.raises(LocalError):
            broker.submit(asked.id, wrong)
        assert everything(asked.question) == before
    await moment()
    assert not asked.task.done()
    broker.submit(asked.id, yes("Ada"))
    assert await asked.task == Accept({"name": "Ada"})


@on_own_clock
async def test_an_answer_that_is_sent_again_by_its_sender_is_no_second_answer() -> None:
    broker = Broker()
    asked = await ask(broker)
    broker.submit(asked.id, yes("Ada", answer_id="a1"))
    assert broker.submit(asked.id, yes("Ada", answer_id="a1")) is asked.question
    await moment()
    assert broker.submit(asked.id, yes("Ada", answer_id="a1")) is asked.question
    for other in (yes("Ada", answer_id="a2"), yes("Ada", answer_id=""), yes("Ada")):
        with pytest.raises(AlreadySettled):
            broker.submit(asked.id, other)


@on_own_clock
async def test_an_answer_without_a_mark_is_never_taken_for_a_repetition() -> None:
    broker = Broker()
    asked = await ask(broker)
    broker.submit(asked.id, yes())
    with pytest.raises(AlreadySettled):
        broker.submit(asked.id, yes())


@on_own_clock
async def test_an_answer_that_was_refused_may_be_corrected_under_the_same_mark() -> None:
    broker = Broker()
    asked = await ask(broker)
    with pytest.raises(NotValid):
        broker.submit(asked.id, yes("", answer_id="a1"))
    broker.submit(asked.id, yes("Ada", answer_id="a1"))
    assert await asked.task == Accept({"name": "Ada"})


@on_own_clock
async def test_of_two_answers_in_the_same_moment_one_wins() -> None:
    broker = Broker()
    asked = await ask(broker)

    async def submit(name: str) -> Question:
        return broker.submit(asked.id, yes(name))

    first, second = await asyncio.gather(submit("Ada"), submit("Bob"), return_exceptions=True)
    assert first is asked.question
    assert isinstance(second, AlreadySettled)
    assert await asked.task == Accept({"name": "Ada"})


@on_own_clock
async def test_nobody_can_answer_what_was_never_asked() -> None:
    broker = Broker()
    with pytest.raises(NoSuchQuestion):
        broker.submit("x" * 22, yes())
    with pytest.raises(NoSuchQuestion):
        broker.shown("x" * 22)
    with pytest.raises(NoSuchQuestion):
        broker.find("")
    assert broker.get("x" * 22) is None
    broker.end("x" * 22, Event.DISMISS)


@on_own_clock
async def test_an_asker_who_stops_waiting_takes_the_question_back() -> None:
    broker = Broker()
    asked = await ask(broker, route="call")
    asked.task.cancel(Withdrawal.ASKER)
    with pytest.raises(asyncio.CancelledError):
        await asked.task
    assert (asked.state, asked.question.delivery) == (State.WITHDRAWN, Delivery.LOST)
    assert broker.card(asked.question)["outcome"]["withdrawnBy"] == "asker"
    assert broker.open_questions() == []
    with pytest.raises(AlreadySettled, match="taken back"):
        broker.submit(asked.id, yes())


@on_own_clock
async def test_an_asker_who_leaves_in_the_moment_of_the_answer_gets_none_and_the_record_says_so() -> None:
    broker = Broker()
    asked = await ask(broker, route="call")
    broker.submit(asked.id, yes())
    asked.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked.task
    assert (asked.state, asked.question.delivery) == (State.ACCEPTED, Delivery.LOST)
    broker.arrived("call")
    assert asked.question.delivery is Delivery.LOST


@on_own_clock
async def test_an_asker_who_leaves_after_the_answer_has_had_it() -> None:
    broker = Broker()
    asked = await ask(broker, route="call")
    broker.submit(asked.id, yes())
    assert await asked.task == Accept({"name": "Ada"})
    assert not asked.task.cancel()
    assert asked.question.delivery is Delivery.SENT


@on_own_clock
async def test_a_presenter_hears_from_its_beginning_to_its_end_and_may_stop_twice() -> None:
    broker = Broker()
    early: list[str] = []
    late: list[str] = []
    stop = broker.present_with(lambda question: early.append(question.state.value))
    asked = await ask(broker)
    stop_late = broker.present_with(lambda question: late.append(question.state.value))
    stop()
    stop()
    broker.shown(asked.id)
    stop_late()
    broker.submit(asked.id, yes())
    assert (early, late) == (["pending"], ["shown"])


@on_own_clock
async def test_the_same_presenter_twice_is_two_presenters() -> None:
    broker = Broker()
    told: list[str] = []

    def presenter(question: Question) -> None:
        told.append(question.id)

    stop = broker.present_with(presenter)
    broker.present_with(presenter)
    stop()
    stop()
    await ask(broker)
    assert len(told) == 1


def test_a_presenter_that_fails_keeps_nothing_from_the_others_nor_from_the_asker(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @on_own_clock
    async def scene() -> None:
        broker = Broker(Limits(when_busy="queue"))
        told: list[str] = []

        def broken(question: Question) -> None:
            raise RuntimeError("no page here")

        broker.present_with(broken)
        broker.present_with(lambda question: told.append(question.state.value))
        first, second = await ask(broker), await ask(broker)
        broker.submit(first.id, yes())
        assert await first.task == Accept({"name": "Ada"})
        assert second.state is State.PENDING
        assert told == ["pending", "queued", "accepted", "pending", "accepted"]

    with caplog.at_level(logging.ERROR):
        scene()
    assert "could not be presented" in caplog.text
    assert "Ada" not in caplog.text


@on_own_clock
async def test_a_presenter_may_answer_at_once_and_then_no_policy_is_asked() -> None:
    broker = Broker()
    policy = Played()

    def eager(question: Question) -> None:
        if question.is_open:
            broker.submit(question.id, yes())

    broker.present_with(eager)
    assert await broker.ask(asked_name(), policy=policy) == Accept({"name": "Ada"})
    assert policy.asked == []


@on_own_clock
async def test_a_presenter_may_stop_another_and_itself_while_being_told() -> None:
    broker = Broker()
    told: list[str] = []
    stops: list[Any] = []

    def first(question: Question) -> None:
        told.append("first")
        for stop in stops:
            stop()

    stops.append(broker.present_with(first))
    stops.append(broker.present_with(lambda _: told.append("second")))
    asked = await ask(broker)
    broker.submit(asked.id, yes())
    assert await asked.task == Accept({"name": "Ada"})
    assert told.count("first") == 1


@on_own_clock
async def test_showing_a_question_twice_or_too_late_changes_nothing() -> None:
    broker = Broker()
    told: list[str] = []
    broker.present_with(lambda question: told.append(question.state.value))
    asked = await ask(broker)
    assert broker.shown(asked.id) is asked.question
    broker.shown(asked.id)
    broker.submit(asked.id, Submission("decline"))
    broker.shown(asked.id)
    assert asked.state is State.DECLINED
    assert told == ["pending", "shown", "declined"]


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (Event.DISMISS, "dismissed"),
        (Event.WITHDRAW, "withdrawn"),
        (Event.FAIL, "not shown"),
        (Event.EXPIRE, "expired"),
    ],
)
@on_own_clock
async def test_a_question_can_be_ended_without_a_person_and_says_why(event: Event, reason: str) -> None:
    broker = Broker()
    asked = await ask(broker)
    broker.end(asked.id, event, trouble="the page is gone")
    assert await asked.task == Cancel(reason)
    assert asked.trouble == "the page is gone"
    broker.end(asked.id, Event.DISMISS)
    assert asked.state.value == reason


@pytest.mark.parametrize("event", [Event.ACCEPT, Event.DECLINE, Event.SHOW, Event.TURN])
@on_own_clock
async def test_no_question_is_ended_with_a_yes_or_a_no(event: Event) -> None:
    broker = Broker()
    asked = await ask(broker)
    with pytest.raises(IllegalEvent):
        broker.end(asked.id, event)
    assert asked.state is State.PENDING
    assert not asked.task.done()


@on_own_clock
async def test_the_questions_of_one_call_end_together_and_the_others_stay() -> None:
    broker = Broker()
    one, other = object(), object()
    asked = [await ask(broker, route=route) for route in (one, other, one, None)]
    assert [broker.route_of(each.question) for each in asked] == [one, other, one, None]
    broker.end_all(Event.WITHDRAW, route=one)
    assert [each.state.value for each in asked] == ["withdrawn", "pending", "withdrawn", "pending"]
    broker.end_all(Event.WITHDRAW)
    assert {each.state for each in asked} == {State.WITHDRAWN}
    assert [await each.task for each in asked] == [Cancel("withdrawn")] * 4
    assert broker.route_of(asked[0].question) is None


@pytest.mark.parametrize(("lost", "end"), [(False, Delivery.DONE), (True, Delivery.LOST)])
@on_own_clock
async def test_an_answer_has_arrived_when_its_call_is_over_and_is_lost_when_the_connection_broke(
    lost: bool, end: Delivery
) -> None:
    broker = Broker()
    one, other = object(), object()
    mine, theirs = await ask(broker, route=one), await ask(broker, route=other)
    told: list[tuple[str, str]] = []
    broker.present_with(lambda question: told.append((question.id, question.delivery.value)))
    for each in (mine, theirs):
        broker.submit(each.id, yes())
        await each.task
    assert mine.question.delivery is theirs.question.delivery is Delivery.SENT
    broker.arrived(one, lost=lost)
    broker.arrived(one, lost=not lost)
    assert (mine.question.delivery, theirs.question.delivery) == (end, Delivery.SENT)
    assert told.count((mine.id, end.value)) == 1


@on_own_clock
async def test_a_call_that_was_equal_to_another_gets_none_of_its_deliveries() -> None:
    broker = Broker()
    one, other = ["call"], ["call"]
    asked = await ask(broker, route=one)
    broker.submit(asked.id, yes())
    await asked.task
    broker.arrived(other)
    assert asked.question.delivery is Delivery.SENT


@on_own_clock
async def test_a_question_of_no_call_has_arrived_with_its_answer() -> None:
    broker = Broker()
    asked = await ask(broker)
    broker.submit(asked.id, yes())
    assert asked.question.delivery.value == "owed"
    await asked.task
    assert asked.question.delivery.value == "done"
