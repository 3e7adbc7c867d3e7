"""From the keywords of a property to the rules of a field."""

from __future__ import annotations

from typing import Any

from .field import NUMBER_KINDS, TEXT_KINDS, Kind

_LENGTHS = {"minLength": "min_length", "maxLength": "max_length"}
_COUNTS = {"minItems": "min_items", "maxItems": "max_items"}
_BOUNDS = {
    "minimum": "minimum",
    "maximum": "maximum",
    "exclusiveMinimum": "exclusive_minimum",
    "exclusiveMaximum": "exclusive_maximum",
    "multipleOf": "multiple_of",
}


def rules_of(words: dict[str, Any], kind: Kind) -> dict[str, Any]:
    """The rules that bear on a field of this kind, by their names in :class:`~.field.Field`."""
    if kind in NUMBER_KINDS:
        return {name: words[word] for word, name in _BOUNDS.items() if word in words}
    if kind in TEXT_KINDS:
        lengths = {name: int(words[word]) for word, name in _LENGTHS.items() if word in words}
        return {**lengths, "pattern": words.get("pattern", "")}
    if kind is Kind.CHOICES:
        # Ticked options are unique without a rule.
        return {name: int(words[word]) for word, name in _COUNTS.items() if word in words}
    return {}
