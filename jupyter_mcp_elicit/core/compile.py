"""The fields back as one flat JSON Schema: what the last check of an answer runs against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .evaluator import Members
from .field import CHOICE_KINDS, NUMBER_KINDS, TEXT_KINDS, Field, Kind

_BOUNDS = {
    "minimum": "minimum",
    "maximum": "maximum",
    "exclusive_minimum": "exclusiveMinimum",
    "exclusive_maximum": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}


def flat_schema(fields: Sequence[Field]) -> dict[str, Any]:
    """A JSON Schema (2020-12) of these fields, of known keywords only."""
    return {
        "type": "object",
        "properties": {field.name: _rules(field) for field in fields},
        "required": [field.name for field in fields if field.required],
    }


def _rules(field: Field) -> dict[str, Any]:
    if field.kind in CHOICE_KINDS:
        options = {"enum": Members([option.value for option in field.options])}
        if field.kind is Kind.CHOICE:
            return options
        rules: dict[str, Any] = {"type": "array", "items": options}
        if field.min_items:
            rules["minItems"] = field.min_items
        if field.max_items is not None:
            rules["maxItems"] = field.max_items
        return rules
    if field.kind in NUMBER_KINDS:
        bounds = {word: getattr(field, name) for name, word in _BOUNDS.items()}
        given = {word: bound for word, bound in bounds.items() if bound is not None}
        return {"type": field.kind.value, **given}
    if field.kind in TEXT_KINDS:
        return _text_rules(field)
    return {"type": "boolean"}


def _text_rules(field: Field) -> dict[str, Any]:
    rules: dict[str, Any] = {"type": "string"}
    if field.min_length:
        rules["minLength"] = field.min_length
    if field.max_length is not None:
        rules["maxLength"] = field.max_length
    if field.pattern:
        rules["pattern"] = field.pattern
    if field.kind is not Kind.STRING:
        rules["format"] = field.kind.value
    return rules
