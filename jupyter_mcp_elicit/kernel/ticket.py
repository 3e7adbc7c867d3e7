"""One question at the kernel's own desk, as the pages that show it ask about it over their comm."""

from __future__ import annotations

from collections.abc import Callable

from ..broker import Broker
from ..core.lifecycle import Turn
from ..core.question import Question
from ..core.wire import Json
from .background import Background


class Ticket:
    """Every method may be called from any thread but the background loop's, and gives the card."""

    def __init__(self, broker: Broker, question_id: str) -> None:
        self._broker = broker
        self._id = question_id

    def come_back(self, turn: Turn) -> Json:
        """The person is back from the page: ``FINISH`` or ``ABANDON``. Of one that is over nothing new."""

        def back() -> Question:
            question = self._broker.find(self._id)
            return self._broker.turn(self._id, turn) if question.is_flowing else question

        return self._done(back)

    def more(self) -> Json:
        """The person wants more time. Raises as :meth:`.Broker.more`."""
        return self._done(lambda: self._broker.more(self._id))

    def typed(self) -> Json:
        """The person types."""
        return self._done(lambda: self._broker.typed(self._id))

    def _done(self, act: Callable[[], Question]) -> Json:
        async def do() -> Json:
            return self._broker.card(act())

        return Background.run(do())
