"""How much of a foreign schema is read: its copy is made here, and what is too much ends here."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from .errors import RemoteError
from .scalar import is_long

#: Characters of the schema's text, depth of its nesting, and counts of the whole form.
MAX_TEXT = 1024 * 1024
MAX_DEPTH = 64
MAX_FIELDS = 1000
MAX_OPTIONS = 20_000


def copied(schema: object) -> dict[str, Any]:
    """A deep copy of a JSON object that shares nothing with ``schema``.

    Raises :class:`RemoteError` for what is no JSON object, is over a limit, or holds
    a value that JSON cannot carry. Never recurses further than :data:`MAX_DEPTH`.
    """
    if not isinstance(schema, Mapping):
        raise RemoteError("The requested schema must be an object.")
    schema = dict(schema)
    measure(schema)
    copy: dict[str, Any] = _copy(schema)
    return copy


def measure(value: object, spent: int = 0) -> int:
    """``spent`` plus the characters of the JSON text of ``value``, about; refuses at the limits."""
    stack: list[tuple[object, int]] = [(value, 1)]
    while stack:
        item, depth = stack.pop()
        spent += 1
        if depth > MAX_DEPTH:
            raise RemoteError(f"The requested schema is nested more than {MAX_DEPTH} deep.")
        if isinstance(item, str):
            spent += len(item)
        elif isinstance(item, dict):
            for name, inner in item.items():
                if not isinstance(name, str):
                    raise RemoteError("The requested schema has a name that is not text.")
                spent += len(name)
                stack.append((inner, depth + 1))
        elif isinstance(item, (list, tuple)):
            stack.extend((inner, depth + 1) for inner in item)
        elif isinstance(item, int):
            if is_long(item):
                raise RemoteError("The requested schema has a number with too many digits.")
            spent += item.bit_length() // 4
        elif not (item is None or (isinstance(item, float) and math.isfinite(item))):
            raise RemoteError("The requested schema has a value that JSON cannot carry.")
        if spent + len(stack) > MAX_TEXT:
            raise RemoteError(f"The requested schema is longer than {MAX_TEXT} characters.")
    return spent


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copy(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_copy(inner) for inner in value]
    return value
