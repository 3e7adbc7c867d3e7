"""A call of one of the tools, and all that a server can say during it: right, wrong, or no JSON at all."""

from __future__ import annotations

import itertools
import json
import queue
from collections.abc import Callable, Iterable
from typing import Any

Json = dict[str, Any]

#: Seconds; nobody's thread waits for ever for an answer that does not come.
PATIENCE = 3600.0

_numbers = itertools.count(1)


class Answers:
    """What the client answered, by the id of the question; shared by all calls of one process."""

    def __init__(self) -> None:
        self._waiting: dict[Any, queue.Queue[Json]] = {}

    def expect(self, question_id: Any) -> None:
        self._waiting.setdefault(question_id, queue.Queue())

    def hear(self, message: Json) -> None:
        """A response of the client, of whatever kind."""
        waiting = self._waiting.get(message.get("id"))
        if waiting is not None:
            waiting.put(message.get("result", message.get("error")) or {})

    def wait(self, question_id: Any, seconds: float = PATIENCE) -> Json | None:
        """The next answer to that question, ``None`` when none came in time."""
        try:
            return self._waiting[question_id].get(timeout=seconds)
        except queue.Empty:
            return None


class Call:
    """``write`` sends one line of bytes. ``modern``: 2026-07-28, where a question ends the round."""

    def __init__(self, message: Json, write: Callable[[bytes], None], answers: Answers, modern: bool) -> None:
        params = message.get("params") or {}
        self.id = message["id"]
        self.tool = str(params.get("name"))
        self.arguments: Json = params.get("arguments") or {}
        self.modern = modern
        self.state = str(params.get("requestState") or "")
        self.responses: Json = params.get("inputResponses") or {}
        self.raw = write
        self._answers = answers

    def send(self, message: Json) -> None:
        """Any frame at all."""
        self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def tell(self, value: Any) -> None:
        """The call's result: text as it is, anything else as JSON."""
        text = value if isinstance(value, str) else json.dumps(value)
        self.result({"content": [{"type": "text", "text": text}]})

    def result(self, result: Json) -> None:
        kind = {"resultType": "complete"} if self.modern else {}
        self.send({"id": self.id, "result": {**kind, **result}})

    def fail(self, code: int, message: str, data: Any = None) -> None:
        self.send({"id": self.id, "error": {"code": code, "message": message, "data": data}})

    def notify(self, method: str, params: Json) -> None:
        self.send({"method": method, "params": params})

    def push(self, params: Json, question_id: Any = None) -> Any:
        """Ask, up to 2025-11-25; gives the question's id."""
        question_id = question_id or f"{self.tool}-{next(_numbers)}"
        self._answers.expect(question_id)
        self.send({"id": question_id, "method": "elicitation/create", "params": params})
        return question_id

    def wait(self, question_id: Any, seconds: float = PATIENCE) -> Json | None:
        return self._answers.wait(question_id, seconds)

    def ask(self, asks: Iterable[Json]) -> list[Json | None] | None:
        """Ask all at once; the answers in order, or ``None`` when that ended the round."""
        listed = list(asks)
        if not self.modern:
            return [self.wait(each) for each in [self.push(params) for params in listed]]
        if self.responses:
            return [self.responses.get(f"q{number}") for number in range(len(listed))]
        self.round({f"q{number}": params for number, params in enumerate(listed)}, "asked")
        return None

    def round(self, asks: dict[str, Json], state: str) -> None:
        """2026-07-28: these questions, and the state that the client must bring back."""
        requests = {key: {"method": "elicitation/create", "params": params} for key, params in asks.items()}
        more = {"inputRequests": requests} if requests else {}
        self.send({"id": self.id, "result": {"resultType": "input_required", "requestState": state, **more}})
