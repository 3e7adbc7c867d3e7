"""The questions that one owner's broker knows: the open ones, and the last that are over."""

from __future__ import annotations

from collections import OrderedDict

from .core.question import Question
from .late import NoSuchQuestion

#: How many questions that are over an owner's broker remembers, so that late pages learn the end.
REMEMBERED = 200


class Memory:
    """Forgets whole questions, the one that has been over for longest first; an open one never."""

    def __init__(self) -> None:
        self._questions: dict[str, Question] = {}
        self._over: OrderedDict[str, None] = OrderedDict()
        self._winners: dict[str, str] = {}
        self._sent: dict[str, object] = {}

    def __contains__(self, question_id: object) -> bool:
        return question_id in self._questions

    def add(self, question: Question) -> None:
        self._questions[question.id] = question

    def get(self, question_id: str) -> Question | None:
        """The question, open or remembered, or ``None``."""
        return self._questions.get(question_id)

    def find(self, question_id: str) -> Question:
        """The question, open or remembered; raises :class:`NoSuchQuestion`."""
        question = self._questions.get(question_id)
        if question is None:
            raise NoSuchQuestion
        return question

    def won(self, question: Question, answer_id: str) -> None:
        """The answer with this id is the one that counts."""
        self._winners[question.id] = answer_id

    def has_won(self, question: Question, answer_id: str) -> bool:
        """Whether it is the winner that comes again. Without an id none can be known again."""
        return bool(answer_id) and self._winners.get(question.id) == answer_id

    def sent(self, question: Question, route: object) -> None:
        """Its answer is on the way along ``route``. No effect when the question is forgotten."""
        if question.id in self._questions:
            self._sent[question.id] = route

    def arrived(self, route: object) -> list[Question]:
        """The questions whose answers were on the way along ``route``, each told once."""
        mine = [each for each, of in self._sent.items() if of is route]
        for question_id in mine:
            del self._sent[question_id]
        return [self._questions[each] for each in mine]

    def over(self, question: Question) -> None:
        """Nobody waits for it any more: from now on it may be forgotten."""
        if question.id not in self._questions:
            return
        self._over[question.id] = None
        while len(self._over) > REMEMBERED:
            oldest, _ = self._over.popitem(last=False)
            del self._questions[oldest]
            self._winners.pop(oldest, None)
            self._sent.pop(oldest, None)
