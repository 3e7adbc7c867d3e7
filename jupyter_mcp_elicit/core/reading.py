"""From a draft, what a form holds, to the content that is sent, or to a problem for each field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, cast

from .check import fault
from .defaults import initial
from .evaluator import Evaluator
from .field import MISSING, NUMBER_KINDS, TEXT_KINDS, Field, Kind, Missing
from .notes import UNCHECKED
from .number import NotTyped, typed
from .patterns import Allowance
from .scalar import Scalar, is_number, is_whole, key
from .wording import demand

#: What goes over the wire for one field.
Content = Scalar | list[Scalar]


@dataclass(frozen=True, slots=True)
class Reading:
    """``content`` to send, or ``None`` with one sentence per field in ``problems``.

    A sentence without a field of its own stands under "". ``notes`` say of which answers
    a rule was not checked; they stop nothing. No content is in the repr.
    """

    content: dict[str, Any] | None
    problems: dict[str, str] = dataclass_field(default_factory=dict)
    notes: dict[str, str] = dataclass_field(default_factory=dict)

    def __repr__(self) -> str:
        # A repr lands in notebooks and logs: names only, never what was answered.
        if self.content is None:
            return f"Reading(problems: {', '.join(self.problems)})"
        return f"Reading({', '.join(self.content) or 'no answers'})"


class _Problem(Exception):
    """What is wrong with one field's draft, in a sentence for the person."""


def read(fields: Sequence[Field], draft: object, evaluator: Evaluator) -> Reading:
    """Reads a draft; a missing name is not answered, a name that is no field is a problem. Never raises."""
    if not isinstance(draft, Mapping):
        return Reading(None, {"": "The form could not be read."})
    held = dict(draft)
    allowance = Allowance()
    content: dict[str, Any] = {}
    problems: dict[str, str] = {}
    notes: dict[str, str] = {}
    for field in fields:
        unchecked = allowance.unchecked
        value, sentence = _answer(field, held.pop(field.name, None), allowance)
        if allowance.unchecked > unchecked:
            notes[field.name] = UNCHECKED
        if sentence:
            problems[field.name] = sentence
        elif value is not MISSING:
            content[field.name] = value
    for name in held:
        unknown = name if isinstance(name, str) else f"({type(name).__name__})"
        problems[unknown] = "This form has no such field."
    if not problems:
        problems = _last_check(fields, content, evaluator)
    return Reading(None, problems) if problems else Reading(content, {}, notes)


def _answer(field: Field, raw: object, allowance: Allowance) -> tuple[Content | Missing, str]:
    """What one field sends, and what is wrong with it in a sentence, or ""."""
    try:
        return _content(field, raw, allowance), ""
    except _Problem as problem:
        return MISSING, str(problem)


def _content(field: Field, raw: object, allowance: Allowance) -> Content | Missing:
    if _is_untouched(field, raw):
        return list(field.default) if isinstance(field.default, tuple) else field.default
    typed_in = field.kind in TEXT_KINDS | NUMBER_KINDS
    if raw is None or (typed_in and isinstance(raw, str) and not raw and not _admits_empty(field, allowance)):
        return _unanswered(field)
    value = _value(field, raw)
    sentence = fault(field, value, allowance)
    if sentence:
        raise _Problem(sentence)
    return value


def _is_untouched(field: Field, raw: object) -> bool:
    """Whether the draft is still the default, which is then sent as the server wrote it."""
    start = initial(field)
    if start is None or type(raw) is not type(start):
        return False
    if isinstance(raw, list) and isinstance(start, list):
        return [key(item) for item in raw] == [key(item) for item in start]
    if isinstance(raw, str) and field.kind is Kind.STRING:
        # A text area turns every line break into a line feed.
        return raw == start or raw == str(start).replace("\r\n", "\n")
    return key(raw) == key(start)


def _admits_empty(field: Field, allowance: Allowance) -> bool:
    """Whether "" is an answer: only where a person took a default away and nothing forbids it."""
    return isinstance(field.default, str) and field.kind in TEXT_KINDS and not fault(field, "", allowance)


def _unanswered(field: Field) -> list[Scalar] | Missing:
    if not field.required:
        return MISSING
    if field.kind is Kind.CHOICES and field.min_items == 0:
        # Nothing ticked is what the person sees, and the only way to say so.
        return []
    raise _Problem("This needs an answer." if field.kind is Kind.STRING else demand(field))


def _value(field: Field, raw: object) -> Content:
    if field.kind in NUMBER_KINDS:
        return _number(field, raw)
    if field.kind in (Kind.CHOICE, Kind.CHOICES):
        return _chosen(field, raw)
    if field.kind is Kind.BOOLEAN and isinstance(raw, bool):
        return raw
    if field.kind in TEXT_KINDS and isinstance(raw, str):
        return str.__str__(raw)
    raise _Problem(demand(field))


def _number(field: Field, raw: object) -> int | float:
    whole = field.kind is Kind.INTEGER
    if isinstance(raw, str):
        try:
            return typed(raw, whole=whole)
        except NotTyped as reason:
            raise _Problem(str(reason) or demand(field)) from None
    if not is_number(raw):
        raise _Problem(demand(field))
    # A subclass (an IntEnum, a numpy float) becomes the plain number that JSON has.
    if isinstance(raw, int) or (whole and is_whole(raw)):
        return int(cast("int | float", raw))
    return float(cast(float, raw))


def _chosen(field: Field, raw: object) -> Content:
    """The options' own values, in the order of the schema and once each."""
    wanted = raw if isinstance(raw, (list, tuple)) and field.kind is Kind.CHOICES else [raw]
    keys = {key(item) for item in wanted}
    chosen = [option.value for option in field.options if key(option.value) in keys]
    if len(chosen) < len(keys) or (field.kind is Kind.CHOICES and wanted is not raw):
        raise _Problem(demand(field))
    return chosen if field.kind is Kind.CHOICES else chosen[0]


def _last_check(fields: Sequence[Field], content: dict[str, Any], evaluator: Evaluator) -> dict[str, str]:
    """JSON Schema's own verdict on the whole answer, for what the checks above did not see."""
    by_name = {field.name: field for field in fields}
    problems: dict[str, str] = {}
    for path, _ in evaluator.faults(content):
        name = str(path[0]) if path else ""
        problems.setdefault(name, demand(by_name[name]) if name in by_name else "The form is not complete.")
    return problems
