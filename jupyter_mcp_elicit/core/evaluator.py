"""JSON Schema's own verdict on a value, as the last of all checks: nothing fetched, nothing unbounded."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from .formats import FORMATS
from .patterns import Allowance, Verdict, compiled
from .scalar import is_multiple, is_number, key

#: Twice the seconds for one pattern; the field's own check has given it more time before.
_TEST = 0.02


class Members(list[Any]):
    """The values of an ``enum`` of scalars, found at once however many they are."""

    def __init__(self, values: list[Any]) -> None:
        super().__init__(values)
        self.keys = frozenset(key(value) for value in values)


class Evaluator:
    """Checks values against one schema. ``jsonschema`` is imported when the first one is made."""

    def __init__(self, schema: Any) -> None:
        from referencing import Registry

        validator, formats = _machinery()
        self._validator = validator(schema, registry=Registry(), format_checker=formats)

    def faults(self, value: Any) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Where ``value`` breaks the schema, and by which keyword."""
        for error in self._validator.iter_errors(value):
            yield tuple(error.absolute_path), str(error.validator)

    def admits(self, value: Any) -> bool:
        """Whether ``value`` keeps to the schema."""
        return next(self.faults(value), None) is None


@lru_cache(maxsize=1)
def _machinery() -> tuple[Any, Any]:
    from jsonschema import Draft202012Validator, FormatChecker, ValidationError
    from jsonschema.validators import extend

    def pattern(validator: Any, source: str, value: Any, schema: Any) -> Iterator[ValidationError]:
        if isinstance(value, str) and compiled(source).test(value, Allowance(_TEST)) is Verdict.NO_MATCH:
            yield ValidationError("no match")

    def multiple_of(validator: Any, step: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        if is_number(value) and not is_multiple(value, step):
            yield ValidationError("no multiple")

    def unique_items(validator: Any, unique: bool, value: Any, schema: Any) -> Iterator[ValidationError]:
        if unique and isinstance(value, list) and len({_identity(item) for item in value}) < len(value):
            yield ValidationError("an item twice")

    def enum(validator: Any, values: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
        if isinstance(values, Members):
            found = key(value) in values.keys
        else:
            found = any(_identity(each) == _identity(value) for each in values)
        if not found:
            yield ValidationError("not in the list")

    formats = FormatChecker(formats=())
    for name, check in FORMATS.items():
        formats.checks(name)(lambda value, check=check: not isinstance(value, str) or check(value))
    rules = {"pattern": pattern, "multipleOf": multiple_of, "uniqueItems": unique_items, "enum": enum}
    return extend(Draft202012Validator, rules), formats


def _identity(value: Any) -> Any:
    """What JSON compares, of any value, as something that a set can hold."""
    if isinstance(value, list):
        return ("array", tuple(_identity(item) for item in value))
    if isinstance(value, dict):
        return ("object", frozenset((name, _identity(inner)) for name, inner in value.items()))
    return key(value)
