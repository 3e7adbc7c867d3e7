"""Whether anything at all can answer a field; a server's contradiction is told before a person meets it."""

from __future__ import annotations

import math
from fractions import Fraction

from .field import Field, Kind
from .scalar import exact
from .words import Refused

#: Shortest and longest text of a format, in characters.
_LENGTHS: dict[Kind, tuple[int, int | None]] = {
    Kind.DATE: (10, 10),
    Kind.DATE_TIME: (20, None),
    Kind.EMAIL: (3, 64 + 1 + 255),
    Kind.URI: (2, None),
}


def refuse_impossible(field: Field) -> None:
    """Raises :class:`~.words.Refused` when the field's rules contradict each other."""
    if field.kind in (Kind.INTEGER, Kind.NUMBER):
        _refuse_numbers(field)
    elif field.kind is Kind.CHOICES:
        if field.max_items is not None and field.min_items > field.max_items:
            raise _impossible("minItems is above maxItems")
        if field.min_items > len(field.options):
            raise _impossible("minItems is above the number of options")
    else:
        shortest, longest = _LENGTHS.get(field.kind, (0, None))
        least = max(field.min_length, shortest)
        if field.max_length is not None and least > field.max_length:
            raise _impossible("no text is long enough and short enough")
        if longest is not None and field.min_length > longest:
            raise _impossible("minLength is too long")


def _refuse_numbers(field: Field) -> None:
    lower = [_bound(each) for each in (field.minimum, field.exclusive_minimum) if each is not None]
    upper = [_bound(each) for each in (field.maximum, field.exclusive_maximum) if each is not None]
    step = _step(field)
    if not lower or not upper:
        return
    least, most = max(lower), min(upper)
    if step is None:
        open_end = least in _open(field.exclusive_minimum) or most in _open(field.exclusive_maximum)
        if least > most or (least == most and open_end):
            raise _impossible("its minimum is above its maximum")
        return
    first, last = math.ceil(least / step), math.floor(most / step)
    if first * step in _open(field.exclusive_minimum):
        first += 1
    if last * step in _open(field.exclusive_maximum):
        last -= 1
    if first > last:
        raise _impossible("no number is within its bounds")


def _bound(number: int | float) -> int | Fraction:
    return number if isinstance(number, int) else exact(number)


def _step(field: Field) -> Fraction | None:
    if field.multiple_of is None:
        return Fraction(1) if field.kind is Kind.INTEGER else None
    step = exact(field.multiple_of)
    # The whole numbers among the multiples of p/q are the multiples of p.
    return Fraction(step.numerator) if field.kind is Kind.INTEGER else step


def _open(bound: int | float | None) -> tuple[Fraction, ...]:
    return () if bound is None else (exact(bound),)


def _impossible(why: str) -> Refused:
    return Refused(f"it cannot be answered: {why}.")
