"""What a cell's output says about a question: who asked, what became of it, never the content."""

from __future__ import annotations

from typing import Any

import pytest
from asked import AT, BISTRO, form

from jupyter_mcp_elicit.core import Accept, Asker, Cancel, Cause, Decline, wire
from jupyter_mcp_elicit.core.lifecycle import ACTIONS, Event, Handover, State
from jupyter_mcp_elicit.core.question import Question, event_of
from jupyter_mcp_elicit.core.withdrawal import Withdrawal
from jupyter_mcp_elicit.kernel import record

CALL = Cause("book_table", '{"party": 4}', "during")


def ask(asker: Asker = BISTRO, cause: Cause = CALL) -> Question:
    return Question(form({"name": {"type": "string"}}, asker=asker, cause=cause), created=AT)


def answered(answer: Any, channel: Any = "page", **more: Any) -> str:
    question = ask()
    question.settle(event_of(answer), at=AT, answer=answer, channel=channel, **more)
    return record.sentence(wire.card(question))


def local_time() -> str:
    return AT.astimezone().strftime("%H:%M")


def test_an_open_question_waits() -> None:
    assert record.sentence(wire.card(ask())) == "bistro asked during book_table · waiting for your answer"


@pytest.mark.parametrize(
    ("asker", "cause", "words"),
    [
        (BISTRO, CALL, "bistro asked during book_table"),
        (BISTRO, Cause(), "bistro asked"),
        (Asker("This notebook", kind="notebook"), Cause(), "This notebook asked"),
        (Asker("clean-up", kind="notebook"), CALL, "clean-up asked"),
        (Asker("Jupyter", kind="jupyter"), CALL, "Jupyter asked"),
    ],
)
def test_it_starts_with_who_asked(asker: Asker, cause: Cause, words: str) -> None:
    assert record.sentence(wire.card(ask(asker, cause))).startswith(f"{words} · ")


def test_what_the_server_calls_itself_is_no_part_of_it() -> None:
    assert "Bistro" not in record.sentence(wire.card(ask()))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Accept({"name": "Ada"}), "accepted"),
        (Decline(), "declined"),
        (Cancel("dismissed"), "cancelled"),
    ],
)
def test_it_tells_what_became_of_it_and_when(answer: Any, words: str) -> None:
    assert answered(answer) == f"bistro asked during book_table · {words} · {local_time()}"


@pytest.mark.parametrize(
    ("channel", "words"),
    [
        ("page", "accepted"),
        ("kernel", "accepted by code in this kernel"),
        ("policy", "accepted by script"),
        ("api", "accepted through the API"),
    ],
)
def test_it_tells_when_it_was_not_a_person_at_a_page(channel: str, words: str) -> None:
    assert f" · {words} · " in answered(Accept({}), channel)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Event.EXPIRE, "cancelled: the time was up"),
        (Event.WITHDRAW, "taken back: the one who asked stopped waiting"),
        (Event.FAIL, "cancelled: it could not be shown"),
    ],
)
def test_it_tells_why_nobody_answered(event: Event, words: str) -> None:
    question = ask()
    question.settle(event, at=AT, trouble="Nobody was there." if event is Event.FAIL else "")
    sentence = record.sentence(wire.card(question))
    assert f" · {words}" in sentence
    assert sentence.endswith("(Nobody was there.)") is (event is Event.FAIL)


@pytest.mark.parametrize(
    ("by", "words"),
    [
        (Withdrawal.ASKER, "the server stopped waiting"),
        (Withdrawal.CALLER, "the call was interrupted"),
        (Withdrawal.CALL, "the call failed"),
        (Withdrawal.CONNECTION, "the connection to the server ended"),
        (Withdrawal.OWNER, "the kernel or Jupyter was stopped"),
    ],
)
def test_it_tells_who_took_it_back(by: Withdrawal, words: str) -> None:
    question = ask()
    question.settle(Event.WITHDRAW, at=AT, withdrawal=by)
    assert f" · taken back: {words} · " in record.sentence(wire.card(question))


def test_every_state_has_its_words() -> None:
    for state in State:
        card = {**wire.card(ask()), "state": state.value}
        assert record.is_open(card) is (state not in ACTIONS)
        assert record.sentence(card)


@pytest.mark.parametrize(("step", "lost"), [(Handover.LOSE, True), (Handover.CONFIRM, False)])
def test_it_tells_when_the_answer_did_not_arrive(step: Handover, lost: bool) -> None:
    question = ask()
    question.settle(Event.ACCEPT, at=AT, answer=Accept({}), channel="page")
    question.hand(Handover.SEND)
    question.hand(step)
    assert record.sentence(wire.card(question)).endswith("the answer did not arrive") is lost


def test_a_question_that_nobody_answered_has_no_answer_to_lose() -> None:
    question = ask()
    question.settle(Event.WITHDRAW, at=AT)
    question.hand(Handover.LOSE)
    assert "did not arrive" not in record.sentence(wire.card(question))


def test_a_question_taken_back_before_the_server_said_so_has_no_time() -> None:
    card = {**wire.card(ask()), "state": "withdrawn"}
    assert record.sentence(card).endswith("stopped waiting")


def test_no_word_of_the_question_or_its_answer_is_in_it() -> None:
    assert "Ada" not in answered(Accept({"name": "Ada"}))
    bundle = record.bundle(wire.card(ask()))
    assert "Which table?" not in str(bundle)
    assert "party" not in str(bundle)


def test_hostile_names_are_neither_markup_nor_formula_nor_orders_to_a_terminal() -> None:
    hostile = "<img src=x onerror=alert(1)>\x1b[2J\u202e$x$"
    bundle = record.bundle(wire.card(ask(Asker(hostile), Cause(hostile, "", "during"))))
    for words in bundle.values():
        assert "\x1b" not in words
        assert "\u202e" not in words
    assert "<img" not in bundle["text/html"]
    assert "mathjax_ignore" in bundle["text/html"]
    assert set(bundle) == {"text/plain", "text/html"}
