"""What a field starts with: the server's default where it is a valid answer, and its text in the form."""

from __future__ import annotations

from typing import TypeAlias, cast

from .check import fault
from .field import MISSING, NUMBER_KINDS, Default, Field, Kind
from .patterns import Allowance
from .scalar import Scalar, json_text, key

#: What a form holds for one field; ``None`` is not answered.
Draft: TypeAlias = Scalar | list[Scalar] | None


def default_of(field: Field, default: object, allowance: Allowance) -> Default:
    """The default that the field starts with; :data:`MISSING` for none, or none that is a valid answer."""
    if default is None or fault(field, default, allowance) or _repeats(default):
        return MISSING
    if isinstance(default, list):
        return tuple(default)
    if field.kind is Kind.CHOICE:
        # The option's own value: 1.0 chooses the option 1.
        return next(option.value for option in field.options if key(option.value) == key(default))
    return cast("Scalar", default)


def initial(field: Field) -> Draft:
    """The draft of an untouched field: its default, numbers as text; ``None`` without one."""
    if field.default is MISSING:
        return None
    if isinstance(field.default, tuple):
        return list(field.default)
    if field.kind in NUMBER_KINDS:
        return json_text(field.default)
    return field.default


def _repeats(default: object) -> bool:
    return isinstance(default, list) and len({key(item) for item in default}) < len(default)
