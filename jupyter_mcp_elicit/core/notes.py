"""What was tolerated or found odd in a schema: one sentence each, for the person and the server's author."""

from __future__ import annotations

from typing import Literal, TypeAlias

from .errors import RemoteError
from .text import quoted

Policy: TypeAlias = Literal["lenient", "strict"]

#: What is said beside an answer that a pattern was not tested on.
UNCHECKED = "The format rule is not checked here, the server will."

#: More sentences than this help nobody; the last one then counts the rest.
MAX_NOTES = 100


class Notes:
    """Collects notes; under the strict policy what lies outside the specification is refused instead."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._sentences: list[str] = []
        self._dropped = 0

    def tolerate(self, what: str, field: str | None = None) -> None:
        """``what`` (a sentence) is outside the specification's subset, and is put up with."""
        if self._policy == "strict":
            raise RemoteError(f"{_about(field)}{what} The strict policy refuses that.")
        self.remark(what, field)

    def remark(self, what: str, field: str | None = None) -> None:
        """``what`` (a sentence) is odd, and no policy refuses it."""
        if len(self._sentences) < MAX_NOTES:
            self._sentences.append(f"{_about(field)}{what}")
        else:
            self._dropped += 1

    def sentences(self) -> tuple[str, ...]:
        """All notes, in the order of the schema."""
        if self._dropped:
            return (*self._sentences, f"{self._dropped} more notes are left out.")
        return tuple(self._sentences)


def _about(field: str | None) -> str:
    return "" if field is None else f"Field {quoted(field)}: "
