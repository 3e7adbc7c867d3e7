from __future__ import annotations

import itertools
from typing import Any

import pytest
from asked import form, url

from jupyter_mcp_elicit.core import Accept, Cancel, Decline, LocalError
from jupyter_mcp_elicit.core.elicitation import Answer
from jupyter_mcp_elicit.policy import Nobody, Script


def test_a_list_is_used_up_in_order() -> None:
    script = Script([Accept({"name": "Ada"}), Decline(), Cancel()])
    given = [script.answer(form()) for _ in range(3)]
    assert given == [Accept({"name": "Ada"}), Decline(), Cancel()]
    assert script.used == 3


def test_a_used_up_list_says_which_question_it_has_no_answer_for() -> None:
    script = Script([Decline()])
    script.answer(form())
    with pytest.raises(LocalError) as caught:
        script.answer(form(message="Delete\n3 tables?"))
    assert "'Delete 3 tables?'" in str(caught.value)
    assert "it has answered 1" in str(caught.value)
    assert "answers=[…]" in caught.value.hint


def test_a_long_or_hidden_message_is_cut_and_shown() -> None:
    with pytest.raises(LocalError) as caught:
        Script([]).answer(form(message="\u202e" + "x" * 1000))
    assert "[U+202E]" in str(caught.value)
    assert len(str(caught.value)) < 300


def test_the_list_is_the_callers_own_and_stays_whole() -> None:
    answers = [Decline(), Decline()]
    Script(answers).answer(form())
    assert len(answers) == 2


def test_a_wrong_entry_of_a_list_is_told_before_anything_is_asked() -> None:
    with pytest.raises(LocalError, match="not dict"):
        Script([Decline(), {"name": "Ada"}])  # type: ignore[list-item]


@pytest.mark.parametrize("answers", [Accept({"name": "Ada"}), Decline(), 5, None])
def test_one_answer_alone_is_no_list(answers: Any) -> None:
    with pytest.raises(LocalError, match="list or a function"):
        Script(answers)


def test_answers_may_come_from_an_iterator_without_end() -> None:
    script = Script(itertools.repeat(Decline()))
    assert [script.answer(form()) for _ in range(3)] == [Decline()] * 3


def test_a_wrong_entry_of_an_iterator_is_told_when_its_turn_comes() -> None:
    script = Script(iter(["yes"]))  # type: ignore[arg-type]
    with pytest.raises(LocalError, match="not str"):
        script.answer(form())
    assert script.used == 0


def test_a_function_sees_the_question_and_may_leave_it_to_a_person() -> None:
    def answers(question: Any) -> Answer | None:
        return Accept({"name": "Ada"}) if question.message == "Your name?" else None

    script = Script(answers)
    assert script.answer(form(message="Your name?")) == Accept({"name": "Ada"})
    assert script.answer(form(message="Your card number?")) is None
    assert script.used == 1


@pytest.mark.parametrize("given", [True, {"name": "Ada"}, "accept", {}, 0])
def test_a_function_that_gives_something_else_is_told_so(given: Any) -> None:
    with pytest.raises(LocalError, match=f"not {type(given).__name__}"):
        Script(lambda _: given).answer(form())


def test_what_goes_wrong_in_a_function_is_its_authors_to_see() -> None:
    def answers(_: Any) -> Answer:
        raise KeyError("party")

    with pytest.raises(KeyError):
        Script(answers).answer(form())


def test_nobody_cancels_every_question_and_says_that_it_was_not_shown() -> None:
    assert Nobody().answer(form()) == Nobody().answer(url()) == Cancel("not shown")
    assert (Nobody().name, Nobody().why) == ("nobody", "nobody is there to answer")
