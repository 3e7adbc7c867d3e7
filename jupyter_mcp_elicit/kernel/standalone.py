"""A question that lives in one widget: no server, no broker, the notebook itself reads the answer."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from ..core import wire
from ..core.elicitation import Answer, Asker, FormElicitation
from ..core.lifecycle import Event
from ..core.question import Channel, Question, event_of
from ..core.schema import RequestedSchema
from ..core.submission import Submission, read
from ..core.wire import Json
from .link import Refused


class Standalone:
    """Asks, and keeps the first valid answer in ``given``. Every method may be called from any thread."""

    def __init__(self, message: str, schema: Mapping[str, Any], name: str) -> None:
        self.schema = RequestedSchema.parse(dict(schema))
        asker = Asker(name, kind="notebook")
        self._question = Question(
            FormElicitation(message=message, schema=self.schema, asker=asker),
            created=datetime.now(timezone.utc),
        )
        self._lock = threading.Lock()
        self._answer_id = ""
        self.given: Answer | None = None

    @property
    def card(self) -> Json:
        return wire.card(self._question)

    def answer(self, shape: Json) -> Json:
        """Answer; gives the card. Raises ``NotValid``, or ``Refused`` (409) when it is over.

        A page numbers its answers with an ``answerId``; the same one sent again is no second answer.
        """
        answer_id = str(shape.get("answerId") or "")
        with self._lock:
            if not self._question.is_open:
                if answer_id and answer_id == self._answer_id:
                    return self.card
                raise Refused(409, {"message": "This question is over already.", "card": self.card})
            channel: Channel = "page" if answer_id or "draft" in shape else "kernel"
            given = read(
                self._question.elicitation,
                Submission(str(shape.get("action")), shape.get("draft"), shape.get("content"), channel),
            )
            self.given = self._question.settle(
                event_of(given), at=datetime.now(timezone.utc), answer=given, channel=channel
            )
            self._answer_id = answer_id
            return self.card

    def shown(self) -> Json:
        """A page has painted it; gives the card."""
        with self._lock:
            if self._question.is_open:
                self._question.move(Event.SHOW)
            return self.card

    def withdraw(self) -> Json:
        """Nobody waits any more: ``Cancel("withdrawn")``, unless there is an answer. Gives the card."""
        with self._lock:
            if self._question.is_open:
                self.given = self._question.settle(Event.WITHDRAW, at=datetime.now(timezone.utc))
            return self.card
