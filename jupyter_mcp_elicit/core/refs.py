"""Follows ``$ref`` inside one schema; nothing else is ever followed, and nothing fetched."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from .limits import MAX_FIELDS, MAX_OPTIONS, MAX_TEXT, measure
from .text import quoted
from .words import Refused

#: Steps from a property to its definition, and steps in a whole schema: each option may be one.
MAX_STEPS = 16
MAX_ALL_STEPS = MAX_OPTIONS + 5 * MAX_FIELDS


class Scope:
    """The document that references point into, and what following them has cost."""

    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._steps = 0
        self._spent = 0

    def step(self, depth: int) -> None:
        """Counts one more subschema, ``depth`` steps away from its property."""
        self._steps += 1
        if depth > MAX_STEPS or self._steps > MAX_ALL_STEPS:
            raise Refused("it takes too many steps to its definition.")

    def target(self, ref: str, seen: tuple[str, ...]) -> dict[str, Any]:
        """The schema that ``ref`` points to; ``seen`` are the references on the way to it."""
        if not ref.startswith("#"):
            raise Refused(f"a reference outside of the schema ({quoted(ref)}) is never followed.")
        if ref in seen or ref == "#":
            raise Refused("its definition refers to itself.")
        found = self._found(ref)
        if not isinstance(found, dict):
            raise Refused(f"its reference {quoted(ref)} leads nowhere.")
        # Many small references to one large definition would multiply its size.
        self._spent += measure(found)
        if self._spent > 4 * MAX_TEXT:
            raise Refused("its references make the schema too long.")
        return found

    def _found(self, ref: str) -> object:
        found: object = self._root
        if not ref.startswith("#/"):
            return None
        for part in unquote(ref[2:]).split("/"):
            part = part.replace("~1", "/").replace("~0", "~")
            if isinstance(found, dict):
                found = found.get(part)
            elif isinstance(found, list) and part.isascii() and part.isdigit() and len(part) < 6:
                found = found[int(part)] if int(part) < len(found) else None
            else:
                return None
        return found
