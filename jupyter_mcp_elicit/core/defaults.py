"""What a field starts with: the server's default where it is a valid answer, and its text in the form."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, cast

from .check import fault
from .field import MISSING, NUMBER_KINDS, Field, Kind
from .notes import Notes
from .patterns import Allowance
from .scalar import Scalar, json_text, key

#: What a form holds for one field; ``None`` is not answered.
Draft: TypeAlias = Scalar | list[Scalar] | None


def with_default(field: Field, default: object, notes: Notes, allowance: Allowance) -> Field:
    """The field with its default; one that is no valid answer is noted and not used."""
    if default is None:
        return field
    if fault(field, default, allowance) or _repeats(field, default):
        notes.remark("The server's default is not a valid answer, so the field starts empty.", field.name)
        own = "The server's default was not valid."
        return replace(field, note=f"{field.note} {own}" if field.note else own)
    if isinstance(default, list):
        return replace(field, default=tuple(default))
    if field.kind is Kind.CHOICE:
        # The option's own value: 1.0 chooses the option 1.
        default = next(option.value for option in field.options if key(option.value) == key(default))
    return replace(field, default=cast("Scalar", default))


def initial(field: Field) -> Draft:
    """The draft of an untouched field: its default, numbers as text; ``None`` without one."""
    if field.default is MISSING:
        return None
    if isinstance(field.default, tuple):
        return list(field.default)
    if field.kind in NUMBER_KINDS:
        return json_text(field.default)
    return field.default


def _repeats(field: Field, default: object) -> bool:
    return isinstance(default, list) and len({key(item) for item in default}) < len(default)
