"""One property, flattened: references followed, unions with null opened, constants turned into options."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .field import Option
from .refs import MAX_STEPS, Scope
from .scalar import Scalar, is_scalar, is_whole, json_text, key
from .text import one_line
from .words import TYPES, Refused, check_shapes, merged

_READ = frozenset({"type", "enum", "enumNames", "const", "$ref", "allOf", "anyOf", "oneOf"})
_MAY_BE_NULL = ("const", "default")
_EITHER = "a value of one kind or another is not allowed in an elicitation."


@dataclass(slots=True)
class Flat:
    """A property without ``$ref``, ``allOf``, ``anyOf``, ``oneOf``, ``enum`` and ``const``.

    ``words`` are its other keywords. ``types`` is ``None`` where it names none, and never
    holds ``"null"``. ``options`` are the values that it is limited to, or ``None``;
    ``unions`` names the keywords that listed them one by one.
    ``odd`` are sentences about what lies outside the specification's subset, ``faults``
    about what is wrong in any case.
    """

    words: dict[str, Any] = field(default_factory=dict)
    types: frozenset[str] | None = None
    options: list[Option] | None = None
    nullable: bool = False
    unions: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def flatten(schema: object, scope: Scope, seen: tuple[str, ...] = (), depth: int = 0) -> Flat:
    """Flattens a property's schema; raises :class:`~.words.Refused` when that cannot be done."""
    if not isinstance(schema, dict):
        raise Refused("its schema must be an object.")
    scope.step(depth)
    flat = Flat()
    # Some servers write every keyword that they have no value for as null.
    words = {word: value for word, value in schema.items() if value is not None or word in _MAY_BE_NULL}
    if len(words) < len(schema):
        flat.odd.append("Keywords that are null are ignored.")
    check_shapes(words)
    flat.words = {word: value for word, value in words.items() if word not in _READ}
    _read_types(flat, words)
    _read_constants(flat, words)
    if "$ref" in words:
        ref = words["$ref"]
        flat.odd.append('"$ref" is followed inside the schema.')
        target = flatten(scope.target(ref, seen), scope, (*seen, ref), depth + 1)
        if target.words.get("title") == ref.rpartition("/")[2]:
            # A title that only repeats the definition's name would label every field alike.
            del target.words["title"]
        flat = _both(target, flat)
    if len(words.get("allOf", ())) > MAX_STEPS:
        raise Refused("it is merged from too many rules.")
    for part in words.get("allOf", ()):
        flat.odd.append('"allOf" is merged into one rule.')
        flat = _both(flatten(part, scope, seen, depth + 1), flat)
    for word in ("anyOf", "oneOf"):
        if word in words:
            branches = [flatten(part, scope, seen, depth + 1) for part in words[word]]
            flat = _both(_opened(branches, word), flat)
    return flat


def _read_types(flat: Flat, words: dict[str, Any]) -> None:
    if "type" not in words:
        return
    named = words["type"]
    if isinstance(named, list):
        flat.odd.append('"type" is a list.')
    types = named if isinstance(named, list) else [named]
    for name in types:
        if not isinstance(name, str) or name not in TYPES:
            raise Refused('"type" must name a type of JSON.')
    flat.nullable = "null" in types
    flat.types = frozenset(types) - {"null"}


def _read_constants(flat: Flat, words: dict[str, Any]) -> None:
    if "enum" in words:
        flat.options = _options(flat, words["enum"], _labels(flat, words))
    elif "enumNames" in words:
        flat.faults.append('"enumNames" without "enum" is ignored.')
    if "const" in words:
        flat.odd.append('"const" is shown as a choice with one option.')
        constant = _options(flat, [words["const"]], None)
        flat.options = constant if flat.options is None else _common(flat.options, constant)


def _labels(flat: Flat, words: dict[str, Any]) -> list[str] | None:
    names = words.get("enumNames")
    if names is None:
        return None
    if not isinstance(names, list) or len(names) != len(words["enum"]):
        flat.faults.append('"enumNames" does not fit "enum", so the values themselves are shown.')
        return None
    if not all(isinstance(name, str) for name in names):
        flat.faults.append('"enumNames" holds what is no text, so the values themselves are shown.')
        return None
    return names


def _options(flat: Flat, values: list[Any], labels: list[str] | None) -> list[Option]:
    options: list[Option] = []
    for index, value in enumerate(values):
        if value is None:
            flat.nullable = True
        elif not is_scalar(value):
            flat.faults.append("An option that an answer cannot carry is left out.")
        else:
            options.append(Option(value, one_line(labels[index] if labels else json_text(value))))
    return _unique(flat, options)


def _unique(flat: Flat, options: list[Option]) -> list[Option]:
    first: dict[object, Option] = {}
    for option in options:
        first.setdefault(key(option.value), option)
    if len(first) < len(options):
        flat.faults.append("Options with the same value are shown once.")
    return list(first.values())


def _opened(branches: list[Flat], word: str) -> Flat:
    """What a union allows, as one flat rule: options, or the one branch that is not null."""
    real = [branch for branch in branches if not _is_null(branch)]
    result = Flat()
    if not real:
        result.types = frozenset()
    elif len(real) == 1 and (real[0].options is None or "title" not in real[0].words):
        result = real[0]
    elif all(branch.options is not None for branch in real):
        odd = _joined(*(branch.odd for branch in real))
        result.odd = [note for note in odd if not note.startswith('"const"')]
        result.faults = _joined(*(branch.faults for branch in real))
        if any(len(branch.options or ()) != 1 for branch in real):
            result.odd.append(f'"{word}" is merged into one list of options.')
        if any(branch.words.keys() != {"title"} or branch.types for branch in real):
            result.odd.append("Its options have more, or less, than a value and a title.")
        result.options = _unique(result, [option for branch in real for option in _constants(branch)])
        result.unions = [word]
    elif all(b.types and b.types <= {"integer", "number"} and not _rules(b) for b in real):
        # A whole number is a number, so these branches are one.
        result.types = frozenset({"number"})
        result.odd = [f'"{word}" is read as a number.']
    else:
        raise Refused(_EITHER)
    result.nullable = len(real) < len(branches) or any(branch.nullable for branch in real)
    if len(real) < len(branches):
        result.odd.append("Null is left out, for an answer cannot carry it.")
    return result


def _constants(branch: Flat) -> list[Option]:
    if _rules(branch):
        raise Refused("rules inside an option are not allowed in an elicitation.")
    options = [option for option in branch.options or () if admits_type(branch.types, option.value)]
    title = branch.words.get("title")
    if title is not None and len(options) == 1:
        options = [Option(options[0].value, one_line(title))]
    return options


def _rules(branch: Flat) -> set[str]:
    return branch.words.keys() - {"title", "description", "default", "examples", "deprecated", "$comment"}


def _is_null(branch: Flat) -> bool:
    if branch.options is None:
        return branch.nullable and branch.types == frozenset()
    return branch.nullable and not branch.options


def _both(first: Flat, second: Flat) -> Flat:
    """What satisfies both; where texts differ, the second's."""
    return Flat(
        words=merged(first.words, second.words),
        types=_common_types(first.types, second.types),
        options=_common(first.options, second.options),
        nullable=first.nullable or second.nullable,
        unions=_joined(first.unions, second.unions),
        odd=_joined(first.odd, second.odd),
        faults=_joined(first.faults, second.faults),
    )


def _joined(*notes: list[str]) -> list[str]:
    return list(dict.fromkeys(note for some in notes for note in some))


def _common_types(first: frozenset[str] | None, second: frozenset[str] | None) -> frozenset[str] | None:
    if first is None or second is None:
        return second if first is None else first
    common = first & second
    if "integer" in first | second and "number" in first ^ second:
        common |= {"integer"}
    return common


def _common(first: list[Option] | None, second: list[Option] | None) -> list[Option] | None:
    if first is None or second is None:
        return second if first is None else first
    keys = {key(option.value) for option in second}
    return [option for option in first if key(option.value) in keys]


def admits_type(types: frozenset[str] | None, value: Scalar) -> bool:
    """Whether a value is of one of the types; ``None`` admits any."""
    if types is None:
        return True
    if isinstance(value, bool):
        return "boolean" in types
    if isinstance(value, str):
        return "string" in types
    return "number" in types or ("integer" in types and is_whole(value))
