"""Whether a value is an answer to a field: the field's own rules, each with a sentence for the person."""

from __future__ import annotations

from typing import cast

from .field import NUMBER_KINDS, TEXT_KINDS, Field, Kind
from .formats import FORMATS
from .patterns import Allowance, Verdict, compiled
from .scalar import is_multiple, is_number, is_text, is_whole, key
from .text import shown
from .wording import demand


def fault(field: Field, value: object, allowance: Allowance) -> str:
    """Why ``value`` is no answer to ``field``, in one sentence; "" when it is one.

    ``value`` is what would be sent: text, a number, a truth value, an option's value,
    or a list of these in a multiple choice.
    """
    if field.kind in TEXT_KINDS:
        return _text_fault(field, value, allowance)
    if field.kind in NUMBER_KINDS:
        return "" if _is_in_range(field, value) else demand(field)
    if field.kind is Kind.BOOLEAN:
        return "" if isinstance(value, bool) else demand(field)
    values = {key(option.value) for option in field.options}
    if field.kind is Kind.CHOICE:
        return "" if key(value) in values else demand(field)
    if not isinstance(value, (list, tuple)) or not all(key(item) in values for item in value):
        return demand(field)
    if len(value) < field.min_items or (field.max_items is not None and len(value) > field.max_items):
        return demand(field)
    return ""


def _text_fault(field: Field, value: object, allowance: Allowance) -> str:
    if not isinstance(value, str):
        return demand(field)
    if not is_text(value):
        return "This has half a character in it that cannot be sent."
    if len(value) < field.min_length or (field.max_length is not None and len(value) > field.max_length):
        return demand(field)
    if field.kind is not Kind.STRING and not FORMATS[field.kind.value](value):
        return demand(field)
    if field.pattern:
        verdict = compiled(field.pattern).test(value, allowance)
        if verdict is Verdict.NO_MATCH:
            return f"This does not match the pattern that the server set: {shown(field.pattern, 100)}"
        if verdict is Verdict.SLOW:
            return "This could not be checked in time against the pattern that the server set."
    return ""


def _is_in_range(field: Field, value: object) -> bool:
    if not is_number(value) or (field.kind is Kind.INTEGER and not is_whole(value)):
        return False
    return _is_within(field, cast("int | float", value))


def _is_within(field: Field, value: int | float) -> bool:
    return not (
        (field.minimum is not None and value < field.minimum)
        or (field.maximum is not None and value > field.maximum)
        or (field.exclusive_minimum is not None and value <= field.exclusive_minimum)
        or (field.exclusive_maximum is not None and value >= field.exclusive_maximum)
        or (field.multiple_of is not None and not is_multiple(value, field.multiple_of))
    )
