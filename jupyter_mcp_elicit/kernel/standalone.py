"""A question that lives in one widget: no server, no broker, the notebook itself reads the answer."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import Future
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
    """Asks, and keeps the first valid answer. Every method may be called from any thread."""

    def __init__(self, message: str, schema: Mapping[str, Any] | None, name: str) -> None:
        nothing = {"type": "object", "properties": {}}
        self.schema = RequestedSchema.parse(nothing if schema is None else dict(schema))
        asker = Asker(name, kind="notebook")
        self._question = Question(
            FormElicitation(message=message, schema=self.schema, asker=asker),
            created=datetime.now(timezone.utc),
        )
        self._lock = threading.Lock()
        self._answer_id = ""
        self._given: Future[Answer] = Future()
        # One who stops waiting does not stop the others: a future that runs cannot be cancelled.
        self._given.set_running_or_notify_cancel()
        _warm_up(self.schema)

    @property
    def card(self) -> Json:
        return wire.card(self._question)

    @property
    def given(self) -> Answer | None:
        """The answer, ``None`` before there is one."""
        return self._given.result() if self._given.done() else None

    async def wait(self) -> Answer:
        """The answer, as soon as there is one."""
        return await asyncio.wrap_future(self._given)

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
                Submission(
                    str(shape.get("action")),
                    shape.get("draft"),
                    shape.get("content"),
                    channel,
                    secrets=shape.get("secrets") is True,
                ),
            )
            self._question.settle(
                event_of(given), at=datetime.now(timezone.utc), answer=given, channel=channel
            )
            self._answer_id = answer_id
            self._given.set_result(given)
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
                self._given.set_result(self._question.settle(Event.WITHDRAW, at=datetime.now(timezone.utc)))
            return self.card


def _warm_up(schema: RequestedSchema) -> None:
    """Beside Jupyter, jsonschema takes a second to import: while the person reads, not when they answer."""
    if "jsonschema" not in sys.modules:
        # Not a daemon: an interpreter that ends in the middle of importing compiled code aborts.
        threading.Thread(target=schema.read, args=({},), name="mcp-elicit-import").start()
