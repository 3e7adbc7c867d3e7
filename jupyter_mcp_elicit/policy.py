"""Who answers when no person should: a script, or nobody at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from .core.elicitation import Accept, Answer, Cancel, Decline, Elicitation
from .core.errors import LocalError
from .core.text import shown


class Policy(Protocol):
    """Answers in a person's place. ``name`` is what the record says."""

    @property
    def name(self) -> str: ...

    def answer(self, elicitation: Elicitation) -> Answer | None:
        """The answer, or ``None`` to leave the question to a person."""
        ...


#: Scripted answers: a list that is used up in order, or a function of the question.
Answers: TypeAlias = "Iterable[Answer] | Callable[[Any], Answer | None]"


@dataclass(frozen=True)
class Nobody:
    """No person can be asked: every question is cancelled at once, and says why."""

    why: str = "nobody is there to answer"
    name: str = "nobody"

    def answer(self, elicitation: Elicitation) -> Answer:
        return Cancel("not shown")


class Script:
    """Scripted answers, read by the same rules as a person's.

    A list, or any iterable, is used up in order; when it is empty :meth:`next` raises
    :class:`LocalError`, since a question that the script does not know must not wait
    for a person who is not there. A function gets the question and may return ``None``.
    """

    name = "script"

    def __init__(self, answers: Answers) -> None:
        self._function = answers if callable(answers) else None
        self._left = iter(()) if callable(answers) else _listed(answers)
        self.used = 0

    def next(self, question: Any, message: str) -> Answer | None:
        """The next answer for ``question``, whose text is ``message``."""
        if self._function is not None:
            given = self._function(question)
            if given is None:
                return None
        else:
            given = next(self._left, None)
            if given is None:
                raise LocalError(
                    f"The script has no answer left for the question {_short(message)!r} "
                    f"(it has answered {self.used}).",
                    hint="Add one to answers=[…], or leave answers out to be asked.",
                )
        answer = _checked(given)
        self.used += 1
        return answer

    def answer(self, elicitation: Elicitation) -> Answer | None:
        return self.next(elicitation, elicitation.message)


def _listed(answers: Iterable[Answer]) -> Iterator[Answer]:
    """In order. A list is checked as a whole before the first is used; a generator may have no end."""
    if not isinstance(answers, Iterable):
        raise LocalError(f"answers= takes a list or a function, not {type(answers).__name__}.")
    if isinstance(answers, Sequence):
        return iter([_checked(each) for each in answers])
    return iter(answers)


def _checked(given: object) -> Answer:
    if isinstance(given, Accept | Decline | Cancel):
        return given
    raise LocalError(
        f"A scripted answer must be Accept(content), Decline() or Cancel(), not {type(given).__name__}."
    )


def _short(message: str) -> str:
    return shown(" ".join(message.split()), 80)
