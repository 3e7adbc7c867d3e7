"""The values that an answer may hold, compared and written as JSON does."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable
from fractions import Fraction
from typing import TypeAlias

#: What one answer, or one option, may be. JSON's true is not its 1.
Scalar: TypeAlias = str | int | float | bool

#: The longest whole number that is read or written: Python's own limit on the way from and to text.
MAX_DIGITS = 4300
_TOO_LONG: int = 10**MAX_DIGITS


def key(value: object) -> Hashable | None:
    """What JSON compares: equal keys for equal scalars (``1`` and ``1.0``, never ``true``), else ``None``."""
    if isinstance(value, str):
        return ("string", value)
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, (int, float)):
        return ("number", value)
    return None


def is_number(value: object) -> bool:
    """Whether ``value`` is a number that JSON can carry."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return not is_long(value)
    return isinstance(value, float) and math.isfinite(value)


def is_whole(value: object) -> bool:
    """Whether ``value`` is what JSON Schema calls an integer; ``3.0`` is one."""
    return is_number(value) and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))


def is_long(value: int) -> bool:
    """Whether a whole number has more than :data:`MAX_DIGITS` digits."""
    # Comparing tells it without the quadratic way to text.
    return abs(value) >= _TOO_LONG


def is_text(value: object) -> bool:
    """Whether ``value`` is text that UTF-8 can carry, that is: without lone surrogates."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_scalar(value: object) -> bool:
    """Whether ``value`` can be an answer."""
    return isinstance(value, bool) or is_number(value) or is_text(value)


def json_text(value: Scalar) -> str:
    """The JSON text of a value; a text stands for itself, without quotes."""
    return value if isinstance(value, str) else json.dumps(value)


def exact(value: int | float) -> Fraction:
    """The number as it is written in JSON: ``0.1`` is a tenth, not the float beside it."""
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))


def is_multiple(value: int | float, of: int | float) -> bool:
    """Whether ``value`` is a multiple of ``of``, in the decimals that people see."""
    return (exact(value) / exact(of)).denominator == 1
