"""One trick: a tool that misbehaves in one way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .call import Call

LEGACY, MODERN = "legacy", "modern"
STDIO, HTTP = "stdio", "http"

Json = dict[str, Any]


@dataclass(frozen=True)
class Trick:
    """``wrong``: what it does. ``must``: what a client must do. One of ``asks`` and ``run`` is given.

    ``asks`` are the params of its questions: all pushed at once up to 2025-11-25, all in one round on
    2026-07-28; the result tells what the client answered, word for word. A function of the call's
    arguments where the questions depend on them. ``run`` does anything else.
    """

    name: str
    wrong: str
    must: str
    asks: tuple[Json, ...] | Callable[[Json], tuple[Json, ...]] = ()
    run: Callable[[Call], None] | None = None
    eras: tuple[str, ...] = (LEGACY, MODERN)
    transports: tuple[str, ...] = (STDIO, HTTP)
    properties: Json = field(default_factory=dict)

    def listed(self) -> Json:
        """As ``tools/list`` shows it."""
        return {
            "name": self.name,
            "description": f"{self.wrong} A client must: {self.must}",
            "inputSchema": {"type": "object", "properties": self.properties},
        }

    def fits(self, era: str, transport: str) -> bool:
        """Whether it can be played there."""
        return era in self.eras and transport in self.transports

    def play(self, call: Call) -> None:
        """Misbehave, and end the call unless that is the trick."""
        if self.run is not None:
            self.run(call)
            return
        asks = self.asks(call.arguments) if callable(self.asks) else self.asks
        answers = call.ask(asks)
        if answers is not None:
            call.tell(answers)


def form(message: str, required: tuple[str, ...] = (), /, **fields: Any) -> Json:
    """Params of a question in form mode."""
    schema = {"type": "object", "properties": fields, "required": list(required)}
    return {"mode": "form", "message": message, "requestedSchema": schema}


def page(url: object, message: str = "Please open this page.", elicitation_id: str = "page-1") -> Json:
    """Params of a question in URL mode."""
    return {"mode": "url", "message": message, "url": url, "elicitationId": elicitation_id}
