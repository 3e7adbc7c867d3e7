"""Our own words for the limits of a field: a short hint beside it, and a sentence when they are not kept."""

from __future__ import annotations

from .field import Field, Kind

_HUGE = 2**53 - 1
_EXAMPLES = {
    Kind.EMAIL: "like name@example.org",
    Kind.URI: "like https://example.org/page",
    Kind.DATE: "year-month-day, like 2026-12-31",
    Kind.DATE_TIME: "with its offset, like 2026-12-31T09:30:00+02:00",
}
_DEMANDS = {
    Kind.EMAIL: "Enter an e-mail address",
    Kind.URI: "Enter a full address with its scheme",
    Kind.DATE: "Enter a date that exists",
    Kind.DATE_TIME: "Enter a date and time",
}


def hint(field: Field) -> str:
    """The limits in a few words, "" where there are none: "2 to 5 characters", "1 to 12", "whole number"."""
    if field.kind is Kind.STRING:
        return _length(field)
    if field.kind is Kind.INTEGER:
        return _bounds(field) or "whole number"
    if field.kind is Kind.NUMBER:
        return _bounds(field) or "number"
    if field.kind is Kind.CHOICES:
        return _count(field)
    example = _EXAMPLES.get(field.kind, "")
    length = _length(field)
    return f"{example}; {length}" if example and length else example or length


def demand(field: Field) -> str:
    """What the person should do, in one sentence: "Enter a whole number from 1 to 12."."""
    if field.kind is Kind.BOOLEAN:
        return "Choose yes or no."
    if field.kind is Kind.CHOICE:
        return "Choose one of the options."
    if field.kind is Kind.CHOICES:
        return f"Choose {_count(field) or 'any number'} of the options."
    if field.kind in (Kind.INTEGER, Kind.NUMBER):
        noun = "whole number" if field.kind is Kind.INTEGER else "number"
        bounds = _bounds(field)
        joint = "" if not bounds else " from " if " to " in bounds.partition(",")[0] else ", "
        return f"Enter a {noun}{joint}{bounds}."
    if field.kind is Kind.STRING:
        return f"Enter {_length(field) or 'text'}."
    return f"{_DEMANDS[field.kind]}, {hint(field)}."


def _length(field: Field) -> str:
    return _range(field.min_length, field.max_length, "character")


def _count(field: Field) -> str:
    return _range(field.min_items, field.max_items, "")


def _range(least: int, most: int | None, noun: str) -> str:
    def counted(number: int) -> str:
        return f"{number} {noun}{'' if number == 1 else 's'}" if noun else str(number)

    if most is None:
        return f"at least {counted(least)}" if least else ""
    if least == most:
        return counted(most)
    return f"{least} to {counted(most)}" if least else f"at most {counted(most)}"


def _bounds(field: Field) -> str:
    parts: list[str] = []
    least, most = _told(field.minimum), _told(field.maximum)
    if least is not None and most is not None:
        parts.append(f"{least} to {most}" if least != most else f"exactly {least}")
    elif least is not None:
        parts.append(f"{least} or more")
    elif most is not None:
        parts.append(f"{most} or less")
    if field.exclusive_minimum is not None:
        parts.append(f"more than {_plain(field.exclusive_minimum)}")
    if field.exclusive_maximum is not None:
        parts.append(f"less than {_plain(field.exclusive_maximum)}")
    if field.multiple_of is not None and not (field.kind is Kind.INTEGER and field.multiple_of == 1):
        parts.append(f"a multiple of {_plain(field.multiple_of)}")
    return ", ".join(parts)


def _told(bound: int | float | None) -> int | float | None:
    # Some libraries bound every whole number by what a JavaScript number can hold; that limits nobody.
    return None if bound is not None and abs(bound) >= _HUGE else _plain(bound)


def _plain(number: int | float | None) -> int | float | None:
    """``12`` for ``12.0``, as people write it."""
    return int(number) if isinstance(number, float) and number.is_integer() and abs(number) < 1e15 else number
