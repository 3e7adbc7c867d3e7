"""Why an answer is not taken: there is no such question, or it is over."""

from __future__ import annotations

from .core.errors import LocalError
from .core.lifecycle import State
from .core.question import Question

_WORDS = {
    State.ACCEPTED: "was accepted",
    State.DECLINED: "was declined",
    State.DISMISSED: "was cancelled",
    State.EXPIRED: "has run out of time",
    State.WITHDRAWN: "was taken back",
    State.NOT_SHOWN: "could not be shown",
}


class NoSuchQuestion(LocalError):
    """No question of this owner has that id."""

    def __init__(self) -> None:
        super().__init__("There is no such question.")


class AlreadySettled(LocalError):
    """Somebody, or something, was first. ``question`` says who and how."""

    def __init__(self, question: Question) -> None:
        super().__init__(_ended(question))
        self.question = question


def _ended(question: Question) -> str:
    return f"This question {_WORDS[question.state]}; your answer was not sent."
