"""What code puts into a form, as the draft that a form holds; the table of drafts is in the docs."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any

from ..core import wire
from ..core.errors import LocalError
from ..core.field import NUMBER_KINDS, TEXT_KINDS, Field, Kind
from ..core.scalar import json_text, key
from ..core.schema import RequestedSchema
from ..core.text import quoted, shown


def draft_of(fields: Sequence[Field], values: Mapping[str, Any]) -> dict[str, Any]:
    """``values`` as a whole draft, in field order: what is missing is ``None``, numbers are text.

    Raises ``LocalError`` for a name that is no field, and for what its field cannot hold.
    """
    names = [field.name for field in fields]
    for name in values:
        if name not in names:
            raise LocalError(f"The form has no field {quoted(str(name))}.", hint=_names(names))
    return {field.name: held(field, values.get(field.name)) for field in fields}


def held(field: Field, value: Any) -> Any:
    """``value`` as ``field`` holds it. Raises ``LocalError`` when it cannot hold such a thing.

    Text is taken as typed, whether or not it is an answer: that is for ``submit`` to say.
    """
    if value is None:
        return None
    if field.kind in TEXT_KINDS and isinstance(value, str):
        return str.__str__(value)
    if field.kind in NUMBER_KINDS and not isinstance(value, bool):
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, Integral):
            return json_text(int(value))
        if isinstance(value, Real):
            return json_text(float(value))
    if field.kind is Kind.BOOLEAN and isinstance(value, bool):
        return value
    if field.kind is Kind.CHOICE:
        return _option(field, value)
    if field.kind is Kind.CHOICES and isinstance(value, list | tuple | set | frozenset):
        wanted = {key(_option(field, each)) for each in value}
        return [option.value for option in field.options if key(option.value) in wanted]
    raise LocalError(f"The field {quoted(field.name)} holds {_NOUNS[field.kind]}, not {_a(value)}.")


def from_page(schema: RequestedSchema, pairs: object) -> dict[str, Any]:
    """What a page says its form holds, by field name; what cannot be is left out."""
    try:
        said = wire.draft_from_page(schema, pairs)
    except LocalError:
        return {}
    kept: dict[str, Any] = {}
    for field in schema.fields:
        if field.name in said:
            with contextlib.suppress(LocalError):
                kept[field.name] = held(field, said[field.name])
    return kept


def _option(field: Field, value: Any) -> Any:
    wanted = key(value)
    for option in field.options:
        if wanted is not None and key(option.value) == wanted:
            return option.value
    # What was given may be a secret that went astray: only the server's own words are repeated.
    known = ", ".join(shown(repr(option.value), 40) for option in field.options[:20])
    more = " and more" if len(field.options) > 20 else ""
    raise LocalError(
        f"The field {quoted(field.name)} has no such option.", hint=f"Its options are: {known}{more}."
    )


def _names(names: Sequence[str]) -> str:
    return f"It has: {', '.join(shown(name, 80) for name in names)}." if names else "It has no fields."


def _a(value: object) -> str:
    return f"a value of type {type(value).__name__}"


_NOUNS: dict[Kind, str] = {
    **dict.fromkeys(TEXT_KINDS, "text"),
    **dict.fromkeys(NUMBER_KINDS, "a number, or text"),
    Kind.BOOLEAN: "True, False or None",
    Kind.CHOICES: "a list of its options' values",
}
