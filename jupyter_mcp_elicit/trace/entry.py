"""One frame as the trace keeps it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

#: ``send``: from us to the server; ``recv``: from the server to us.
Direction: TypeAlias = Literal["send", "recv"]
Kind: TypeAlias = Literal["request", "result", "error", "notification", "broken"]


@dataclass(frozen=True, slots=True)
class Entry:
    """``at`` is a UTC time in ISO form with milliseconds; ``session`` counts the openings of the connection.

    ``name`` is the method, that of its request for an answer; ``id`` the JSON-RPC id, ``None`` for a
    notification. ``meaning`` is one sentence, ``clause`` the address of the specification's page behind
    it (``""``: none). ``ours``: no published revision foresees this frame; it is an addition of
    this project. ``frame`` is the JSON as sent, with what must stay out of a trace replaced.
    """

    number: int
    at: str
    session: int
    direction: Direction
    kind: Kind
    name: str
    id: str | int | None
    meaning: str
    clause: str
    ours: bool
    frame: dict[str, Any]

    @property
    def answers(self) -> list[dict[str, Any]]:
        """The answers to questions that go to the server with this frame, as the trace keeps them.

        One that answers ``elicitation/create``, or one for each key of ``inputResponses`` (2026-07-28).
        """
        if self.direction != "send":
            return []
        given = part(part(self.frame, "params"), "inputResponses").values()
        return [
            each
            for each in (part(self.frame, "result"), *given)
            if isinstance(each, dict) and isinstance(each.get("action"), str)
        ]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_json(cls, shape: dict[str, Any]) -> Entry:
        """The entry that :meth:`as_json` wrote."""
        return cls(**shape)


def part(frame: dict[str, Any], name: str) -> dict[str, Any]:
    """``params``, ``result`` or ``error`` of a frame; ``{}`` when it is missing or no object."""
    value = frame.get(name)
    return value if isinstance(value, dict) else {}
