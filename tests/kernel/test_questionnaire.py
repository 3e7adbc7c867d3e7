"""A question asked line by line: what is printed, what is typed, what is sent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

import pytest

from jupyter_mcp_elicit.core import RequestedSchema, wire
from jupyter_mcp_elicit.core.elicitation import Accept, Answer, Asker, Cause, FormElicitation
from jupyter_mcp_elicit.core.errors import LocalError
from jupyter_mcp_elicit.core.question import Question, event_of
from jupyter_mcp_elicit.core.submission import Submission, read
from jupyter_mcp_elicit.kernel.questionnaire import Questionnaire

ORDER: dict[str, Any] = {
    "name": {"type": "string", "minLength": 2},
    "party": {"type": "integer", "minimum": 1, "maximum": 12, "default": 4},
    "quiet": {"type": "boolean"},
    "size": {"type": "string", "enum": ["s", "m", "l"], "enumNames": ["Small", "Medium", "Large"]},
    "extras": {"type": "array", "items": {"type": "string", "enum": ["milk", "sugar", "ice"]}},
}


class Typist:
    """Types the given lines, one at each prompt; after the last one the input has ended."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.screen = ""
        self.secrets = 0

    def say(self, text: str = "") -> None:
        self.screen += text + "\n"

    def ask(self, prompt: str, *, secret: bool = False) -> str:
        self.screen += prompt
        self.secrets += secret
        if not self._lines:
            raise EOFError
        line = self._lines.pop(0)
        self.screen += line + "\n"
        return line

    @property
    def is_done(self) -> bool:
        return not self._lines


def asked(typist: Typist, properties: dict[str, Any], required: Sequence[str] = (), **about: Any) -> Answer:
    """The answer that ``typist`` gives to a form."""
    schema = RequestedSchema.parse({"type": "object", "properties": properties, "required": list(required)})
    question = Question(
        FormElicitation(
            message=about.get("message", "Your order?"),
            schema=schema,
            asker=Asker("bar", transport="stdio: bar", calls_itself=about.get("calls_itself", "")),
            cause=Cause("order", "{}", about.get("certainty", "caused")),
        ),
        created=datetime.now(timezone.utc),
    )
    answers: list[Answer] = []

    def submit(shape: dict[str, Any]) -> dict[str, Any]:
        answer = read(
            question.elicitation,
            Submission(shape["action"], shape.get("draft"), secrets=shape.get("secrets", False)),
        )
        question.settle(event_of(answer), at=datetime.now(timezone.utc), answer=answer, channel="terminal")
        answers.append(answer)
        return wire.card(question)

    def more() -> dict[str, Any]:
        if about.get("last"):
            raise LocalError("The one who asked waits no longer than this.")
        return wire.card(question, clock=wire.Clock(900))

    clock = wire.Clock(600, is_last=about.get("last", False))
    done = Questionnaire(wire.card(question, clock=clock), typist, submit, more).run()
    assert done["outcome"]["channel"] == "terminal"
    return answers[-1]


def content(answer: Answer) -> Any:
    assert isinstance(answer, Accept)
    return answer.content


def test_every_kind_of_field_is_typed_and_sent_as_its_own_kind() -> None:
    typist = Typist("Ada", "6", "y", "2", "1, 3", "yes")
    assert content(asked(typist, ORDER, ["name"])) == {
        "name": "Ada",
        "party": 6,
        "quiet": True,
        "size": "m",
        "extras": ["milk", "ice"],
    }
    assert "quiet: yes" in typist.screen
    assert "Medium" in typist.screen.partition("This will be sent")[2]


def test_an_empty_line_keeps_the_default_and_leaves_the_rest_out() -> None:
    assert content(asked(Typist("Ada", "", "", "", "", "yes"), ORDER)) == {"name": "Ada", "party": 4}


def test_a_default_can_be_left_out_by_command() -> None:
    assert content(asked(Typist("Ada", "!skip", "", "", "", "yes"), ORDER)) == {"name": "Ada"}


def test_none_of_many_is_an_answer() -> None:
    assert content(asked(Typist("Ada", "", "", "", "0", "yes"), ORDER))["extras"] == []


def test_only_the_fields_that_do_not_fit_are_asked_again_with_the_reason() -> None:
    typist = Typist("A", "99", "", "", "", "yes", "Ada", "12", "yes")
    assert content(asked(typist, ORDER)) == {"name": "Ada", "party": 12}
    again = typist.screen.split("Send it?")[1]
    assert "!" in again
    assert "quiet" not in again.partition("This will be sent")[0]


def test_what_was_typed_stands_when_all_is_edited_once_more() -> None:
    typist = Typist("Ada", "6", "", "", "", "edit", "", "", "n", "Large", "", "yes")
    assert content(asked(typist, ORDER)) == {"name": "Ada", "party": 6, "quiet": False, "size": "l"}


def test_one_step_back_asks_the_field_before() -> None:
    assert content(asked(Typist("Bob", "!back", "Ada", "", "", "", "", "yes"), ORDER))["name"] == "Ada"


@pytest.mark.parametrize("words", [["!decline"], ["Ada", "", "", "", "", "decline"]])
def test_declining_is_a_word_of_its_own_everywhere(words: list[str]) -> None:
    assert asked(Typist(*words), ORDER).action == "decline"


@pytest.mark.parametrize("words", [["!cancel"], ["Ada", "", "", "", "", "cancel"], [], ["Ada"]])
def test_cancelling_and_the_end_of_the_input_dismiss_it(words: list[str]) -> None:
    assert asked(Typist(*words), ORDER).action == "cancel"


def test_nothing_but_yes_sends_and_a_no_to_sending_declines_nothing() -> None:
    typist = Typist("Ada", "", "", "", "", "", "ok", "no", "n", "cancel")
    assert asked(typist, ORDER).action == "cancel"
    assert typist.is_done


def test_a_question_without_fields_is_a_plain_confirmation() -> None:
    assert content(asked(Typist("", "yes"), {})) == {}
    assert asked(Typist("no"), {}).action == "decline"


def test_text_may_begin_with_the_mark_of_commands() -> None:
    assert content(asked(Typist("!!decline", "yes"), {"name": {"type": "string"}})) == {"name": "!decline"}


def test_an_unknown_command_is_no_answer_and_shows_the_help() -> None:
    typist = Typist("!what", "Ada", "yes")
    assert content(asked(typist, {"name": {"type": "string"}})) == {"name": "Ada"}
    assert typist.screen.count("!decline says no") == 2


def test_several_lines_end_with_a_dot() -> None:
    note = {"note": {"type": "string", "maxLength": 500}}
    typist = Typist("!lines", "one", "", "two", ".", "yes")
    assert content(asked(typist, note)) == {"note": "one\n\ntwo"}


def test_a_long_list_is_searched_by_text() -> None:
    towns = [f"Town {number}" for number in range(1000)]
    typist = Typist("/999", "1000", "yes")
    assert content(asked(typist, {"town": {"type": "string", "enum": towns}})) == {"town": "Town 999"}
    assert "and 960 more" in typist.screen
    assert typist.screen.count("Town 999") >= 1


def test_a_secret_is_not_echoed_not_shown_again_and_told_to_be_out_of_place() -> None:
    # What sends everything else does not send a secret.
    typist = Typist("hunter2", "yes", "y", "send secret")
    assert content(asked(typist, {"password": {"type": "string"}})) == {"password": "hunter2"}
    assert typist.secrets == 1
    assert "forbids" in typist.screen
    assert "hunter2" not in typist.screen.partition("This will be sent")[2]


def test_what_a_server_says_hides_nothing_and_does_not_speak_as_us() -> None:
    typist = Typist("!cancel")
    asked(typist, ORDER, message="pay \u202egnp.exe\x1b[2J", calls_itself="Your \x07Bank", certainty="none")
    assert "\x1b" not in typist.screen
    assert "\u202e" not in typist.screen
    assert "[U+202E]" in typist.screen
    assert 'It calls itself "Your [U+0007]Bank" (stdio: bar).' in typist.screen
    assert "not caused by anything you ran" in typist.screen


@pytest.mark.parametrize(
    ("properties", "lines"),
    [
        ({"name": {"type": "string"}}, ["!more", "Ada", "yes"]),
        ({"name": {"type": "string"}}, ["Ada", "!more", "yes"]),
        ({"password": {"type": "string"}}, ["!more", "hunter2", "send secret"]),
        ({}, ["!more", "yes"]),
    ],
)
def test_more_time_is_had_at_every_prompt_of_a_form_and_answers_nothing(
    properties: dict[str, Any], lines: list[str]
) -> None:
    typist = Typist(*lines)
    assert "!more" not in str(content(asked(typist, properties)))
    before, _, after = typist.screen.partition("!more\n")
    assert "Time to answer: 10 min (!more gives five minutes more)." in before
    assert after.startswith("  Time to answer: 15 min")


def test_a_time_that_nothing_puts_off_is_called_so_and_asking_for_more_says_why() -> None:
    typist = Typist("!more", "Ada", "yes")
    assert content(asked(typist, {"name": {"type": "string"}}, last=True)) == {"name": "Ada"}
    assert "Time to answer: 10 min, then whoever asks stops waiting." in typist.screen
    assert "  The one who asked waits no longer than this.\n" in typist.screen
