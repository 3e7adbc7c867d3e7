"""A question that lives in one widget: no server, no broker, the notebook itself reads the answer."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from ..core import wire
from ..core.elicitation import Answer, Asker, FormElicitation
from ..core.question import Question, event_of
from ..core.schema import RequestedSchema
from ..core.submission import Submission, read
from ..core.wire import Json
from .link import Refused


class Standalone:
    """Asks, and keeps the first valid answer. Safe to answer from any thread."""

    def __init__(self, message: str, schema: Mapping[str, Any], name: str) -> None:
        self.schema = RequestedSchema.parse(dict(schema))
        asker = Asker(name, kind="notebook")
        self._question = Question(
            FormElicitation(message=message, schema=self.schema, asker=asker),
            created=datetime.now(timezone.utc),
        )
        self._lock = threading.Lock()
        self.given: Answer | None = None

    @property
    def card(self) -> Json:
        return wire.card(self._question)

    def answer(self, shape: Json) -> Json:
        """Answer; gives the card. Raises ``NotValid``, or ``Refused`` (409) when it is over."""
        with self._lock:
            if not self._question.is_open:
                raise Refused(409, {"message": "This question is answered already.", "card": self.card})
            by_page = "draft" in shape or "answerId" in shape
            channel: Any = "page" if by_page else "kernel"
            submission = Submission(
                str(shape.get("action")), shape.get("draft"), shape.get("content"), channel
            )
            given = read(self._question.elicitation, submission)
            now = datetime.now(timezone.utc)
            self._question.settle(event_of(given), at=now, answer=given, channel=channel)
            self.given = given
            return self.card
