"""What the bistro wants to know: a flat form, and a check of what came back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

_FORMATS = FormatChecker(formats=("date", "email"))
_DATE_TIME = re.compile(
    "([0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2})([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
)


def _is_date_time(value: object) -> bool:
    if not isinstance(value, str):
        return True
    found = _DATE_TIME.fullmatch(value)
    # Without the fraction, which Python 3.10 reads only at three or six digits.
    return found is not None and bool(datetime.fromisoformat(found[1].upper()))


def _is_uri(value: object) -> bool:
    return (
        not isinstance(value, str)
        or re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+", value) is not None
    )


# jsonschema checks these two only beside optional packages, which a bare server lacks.
_FORMATS.checks("date-time", raises=ValueError)(_is_date_time)
_FORMATS.checks("uri")(_is_uri)


@dataclass(frozen=True)
class Form:
    """Fields by name, each a property schema of the elicitation subset; ``required`` names some of them.

    ``instead`` are the tool arguments to name to a client that cannot show a form;
    without it they are the required fields.
    """

    fields: Mapping[str, Mapping[str, Any]]
    required: tuple[str, ...] = ()
    instead: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The ``requestedSchema``, field order kept."""
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {name: dict(spec) for name, spec in self.fields.items()},
        }
        if self.required:
            schema["required"] = list(self.required)
        return schema

    @cached_property
    def arguments(self) -> dict[str, dict[str, Any]]:
        """The same fields as optional arguments of a tool; defaults stay the form's business."""
        specs = {**self.fields, **self.instead}
        return {name: {k: v for k, v in spec.items() if k != "default"} for name, spec in specs.items()}

    def without(self, known: Mapping[str, Any]) -> Form | None:
        """The form without what is known already, or ``None`` when nothing required is left to ask."""
        required = tuple(name for name in self.required if name not in known)
        if not required:
            return None
        return Form(
            {name: spec for name, spec in self.fields.items() if name not in known}, required, self.instead
        )


def mismatch(schema: Mapping[str, Any], value: Any) -> str:
    """Why ``value`` does not fit ``schema``, one sentence, or ``""`` when it does."""
    validator = Draft202012Validator(dict(schema), format_checker=_FORMATS)
    error = next(iter(sorted(validator.iter_errors(value), key=lambda e: list(map(str, e.path)))), None)
    if error is None:
        return ""
    where = ".".join(str(step) for step in error.path)
    return f"{where}: {error.message}" if where else error.message
