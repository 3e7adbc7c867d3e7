"""Keeps the last frames of one connection, in bounded memory."""

from __future__ import annotations

import json
import re
from collections import OrderedDict, deque
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

from .entry import Direction, Entry, Kind, part
from .hiding import clean
from .meaning import meaning

#: The most that is kept of one connection: frames, and characters of JSON.
MOST_FRAMES = 400
MOST_CHARACTERS = 1_000_000

_REVISION = re.compile(r"\d{4}-\d{2}-\d{2}\Z")


def _now() -> datetime:
    return datetime.now(timezone.utc)


class Recorder:
    """``contents``: what persons typed and what came back is kept too. ``now`` gives an aware time."""

    def __init__(self, *, contents: bool = False, now: Callable[[], datetime] = _now) -> None:
        self.contents = contents
        self._now = now
        self._entries: deque[tuple[Entry, int]] = deque()
        self._characters = 0
        self._number = 0
        self._methods: OrderedDict[tuple[Direction, Any], str] = OrderedDict()
        self._revision = ""
        #: How many frames were seen in all, those that are forgotten by now among them.
        self.seen = 0

    @property
    def entries(self) -> list[Entry]:
        """Oldest first."""
        return [entry for entry, _ in self._entries]

    def see(self, direction: Direction, frame: dict[str, Any], session: int) -> None:
        """One frame as JSON, of the connection's ``session``-th opening."""
        kind, method = self._identify(direction, frame)
        self._notice_revision(method, frame)
        row = meaning(direction, kind, method, frame)
        kept = clean(frame, method, contents=self.contents)
        self.seen += 1
        entry = Entry(
            number=self.seen,
            at=self._now().astimezone(timezone.utc).isoformat(timespec="milliseconds"),
            session=session,
            direction=direction,
            kind=kind,
            name=method,
            id=frame.get("id"),
            meaning=row.sentence(frame),
            clause=row.clause(self._revision),
            ours=row.ours,
            frame=kept,
        )
        size = len(json.dumps(kept))
        self._entries.append((entry, size))
        self._characters += size
        while len(self._entries) > MOST_FRAMES or self._characters > MOST_CHARACTERS:
            self._characters -= self._entries.popleft()[1]

    def _identify(self, direction: Direction, frame: dict[str, Any]) -> tuple[Kind, str]:
        method, number = frame.get("method"), frame.get("id")
        if isinstance(method, str):
            if number is None:
                return "notification", method
            self._methods[direction, _key(number)] = method
            while len(self._methods) > MOST_FRAMES:
                self._methods.popitem(last=False)
            return "request", method
        other: Direction = "recv" if direction == "send" else "send"
        if "result" in frame:
            return "result", self._methods.get((other, _key(number)), "")
        if "error" in frame:
            return "error", self._methods.get((other, _key(number)), "")
        return "broken", ""

    def _notice_revision(self, method: str, frame: dict[str, Any]) -> None:
        told = part(frame, "result").get("protocolVersion") if method == "initialize" else None
        told = part(part(frame, "params"), "_meta").get("io.modelcontextprotocol/protocolVersion", told)
        if isinstance(told, str) and _REVISION.match(told):
            self._revision = told


def _key(number: Any) -> Any:
    # 1 and "1" are two ids.
    return (type(number).__name__, number) if isinstance(number, str | int) else None
