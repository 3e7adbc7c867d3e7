"""An address at a prompt: shown whole as text, and nothing but typed words agree to it."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest

from jupyter_mcp_elicit.core.elicitation import Asker, Cause, UrlElicitation
from jupyter_mcp_elicit.core.lifecycle import Turn
from jupyter_mcp_elicit.core.question import Question
from jupyter_mcp_elicit.core.wire import Clock, Json, card
from jupyter_mcp_elicit.kernel.invitation import Invitation


class Typist:
    """A console whose person types prepared lines, and then ends the input."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.screen: list[str] = []

    def say(self, text: str = "") -> None:
        self.screen.append(text)

    def ask(self, prompt: str, *, secret: bool = False) -> str:
        self.screen.append(prompt)
        if not self._lines:
            raise EOFError
        return self._lines.pop(0)


def invited(url: str, *lines: str) -> tuple[list[Any], Typist]:
    """What is handed over when ``lines`` are typed, and the console afterwards."""
    asked = UrlElicitation(
        message="Pay \x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\",
        url=url,
        asker=Asker("shop"),
        cause=Cause(),
    )
    question = Question(asked, created=datetime.now(timezone.utc))
    shape = card(question)
    done: list[Any] = []

    def submit(given: Json) -> Json:
        done.append(given)
        return shape

    def come_back(turn: Turn) -> Json:
        done.append(turn)
        return shape

    console = Typist(*lines)
    Invitation(shape, console, submit, come_back, lambda: card(question, clock=Clock(900))).run()
    return done, console


def test_the_whole_address_stands_on_a_line_of_its_own() -> None:
    url = "https://shop.example.org/pay?" + "a=1&" * 500 + "end=1"
    _, console = invited(url, "cancel")
    assert url in console.screen
    assert "It leads to the site example.org." in console.screen


def test_nothing_that_a_terminal_would_obey_is_printed() -> None:
    _, console = invited("https://shop.example.org/pay", "cancel")
    assert "\x1b" not in "".join(console.screen)


def test_only_the_word_open_agrees() -> None:
    done, _ = invited("https://shop.example.org/", "yes", "y", "", "OPEN", "done")
    assert done == [{"action": "accept", "typed": True, "confirmed": False}, Turn.FINISH]


def test_a_dangerous_address_takes_its_site_typed_as_well() -> None:
    done, console = invited("http://shop.example.org/", "open", "open", "open", "Example.org", "cancel")
    assert any("not encrypted" in line for line in console.screen)
    assert done == [{"action": "accept", "typed": True, "confirmed": True}, Turn.ABANDON]


@pytest.mark.parametrize("word", ["decline", "cancel"])
def test_a_no_and_a_dismissal_are_words_of_their_own(word: str) -> None:
    done, _ = invited("https://shop.example.org/", word)
    assert [each["action"] for each in done] == [word]


def test_the_end_of_the_input_cancels_the_question_and_gives_up_an_opened_page() -> None:
    assert [each["action"] for each in invited("https://shop.example.org/")[0]] == ["cancel"]
    assert invited("https://shop.example.org/", "open")[0][1:] == [Turn.ABANDON]


def test_retry_shows_the_address_again() -> None:
    _, console = invited("https://shop.example.org/", "open", "retry", "done")
    assert console.screen.count("https://shop.example.org/") == 2


def test_more_time_is_had_before_and_after_it_is_opened_and_agrees_to_nothing() -> None:
    done, console = invited("https://shop.example.org/", "!more", "open", "!more", "done")
    assert [line for line in console.screen if "15 min" in line] == [
        "  Time to answer: 15 min (!more gives five minutes more)."
    ] * 2
    assert done == [{"action": "accept", "typed": True, "confirmed": False}, Turn.FINISH]
