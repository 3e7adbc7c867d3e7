"""Numbers from what was typed: exactly that number, or a sentence that says why not."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from .scalar import MAX_DIGITS

#: What HTML calls a valid floating-point number; ASCII digits only.
_NUMBER = re.compile(r"-?(?P<whole>[0-9]*)(?P<point>\.[0-9]+)?(?P<exponent>[eE][+-]?[0-9]+)?")
_COMMA = re.compile(r"\+?(-?[0-9]{1,20}),([0-9]{1,20})")

#: Digits of an exponent that is worth looking at: a float ends at 308.
_MAX_EXPONENT_DIGITS = 4


class NotTyped(Exception):
    """Text that is no number that can be sent; the text is one sentence, "" where the field's own will do."""


def typed(text: str, *, whole: bool) -> int | float:
    """The number that ``text`` writes; ``whole`` asks for an ``int``. Raises :class:`NotTyped`.

    Without point and exponent it is an ``int`` of any size up to 4300 digits. ``3.0``
    and ``3e0`` are the whole number 3. A decimal that a float cannot carry is refused,
    for another number than the typed one would be sent.
    """
    text = text.strip()
    if len(text) > 2 * MAX_DIGITS:
        raise NotTyped(f"A number can have at most {MAX_DIGITS} digits.")
    match = _NUMBER.fullmatch(text)
    if match is None or not (match["whole"] or match["point"]):
        raise NotTyped(_comma(text, whole=whole))
    if len(match["whole"]) > MAX_DIGITS:
        raise NotTyped(f"A number can have at most {MAX_DIGITS} digits.")
    if match["point"] is None and match["exponent"] is None:
        return int(text)
    # A long exponent would choose the cost of everything below.
    if match["exponent"] and len(match["exponent"].lstrip("eE+-").lstrip("0")) > _MAX_EXPONENT_DIGITS:
        raise NotTyped("This number is too large or too small to be sent.")
    value = float(text)
    if not math.isfinite(value):
        raise NotTyped("This number is too large to be sent.")
    written = Decimal(text)
    if whole:
        # Finite as a float, so at most 309 digits before the point.
        if written != written.to_integral_value():
            raise NotTyped("")
        return int(written)
    if written != Decimal(repr(value)):
        raise NotTyped(f"This number cannot be sent as typed; the nearest that can is {value!r}.")
    return value


def _comma(text: str, *, whole: bool) -> str:
    """How a number with a comma is written here; "" when it is none."""
    match = _COMMA.fullmatch(text)
    if match is None:
        return ""
    before, behind = match.groups()
    thousands = f"{before}{behind}" if len(behind) == 3 else ""
    if whole:
        return f"Write it without a comma: {thousands}." if thousands else ""
    if thousands:
        return f"Use a point for decimals ({before}.{behind}), and nothing between thousands ({thousands})."
    return f"Use a point: {before}.{behind}."
