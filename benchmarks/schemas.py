"""Requested schemas of a given size, of the kinds that servers really ask for."""

from __future__ import annotations

from typing import Any

KINDS: list[dict[str, Any]] = [
    {"type": "string", "title": "Name", "minLength": 2, "maxLength": 60},
    {"type": "integer", "title": "How many", "minimum": 1, "maximum": 12},
    {"type": "boolean", "title": "Newsletter", "default": False},
    {"type": "string", "title": "Where", "enum": ["inside", "terrace", "bar"]},
    {"type": "number", "title": "Tip", "minimum": 0, "maximum": 50},
]


def schema_of(fields: int) -> dict[str, Any]:
    """``fields`` fields, a fifth of each kind; the texts are required."""
    properties = {f"field{index}": dict(KINDS[index % len(KINDS)]) for index in range(fields)}
    required = [name for index, name in enumerate(properties) if index % len(KINDS) == 0]
    return {"type": "object", "properties": properties, "required": required}


def draft_of(fields: int) -> dict[str, Any]:
    """What a person who answers everything leaves in the form."""
    values: list[Any] = ["Ada Lovelace", "4", True, "bar", "2.5"]
    return {f"field{index}": values[index % len(values)] for index in range(fields)}
