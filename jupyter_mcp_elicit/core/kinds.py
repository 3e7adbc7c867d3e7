"""From a flat property to a field: which kind it is, and which rules come with it."""

from __future__ import annotations

from typing import Any

from .choices import NO_CHOICE, items_of, options_of
from .defaults import default_of
from .field import MISSING, NUMBER_KINDS, TEXT_KINDS, Default, Field, Kind, Option
from .flat import Flat
from .formats import FORMATS
from .notes import UNCHECKED, Notes
from .patterns import Allowance, compiled
from .possible import refuse_impossible
from .refs import Scope
from .rules import rules_of
from .scalar import json_text
from .sensitive import asks_for_secret
from .text import one_line, quoted
from .wording import hint
from .words import ANNOTATIONS, EXTRA, RULES, Refused

_NESTED = "nested objects are not allowed in an elicitation."
_LONG_TEXT = 120
_TEXT_FORMATS = frozenset({*FORMATS, "password"})


def field_of(
    name: str, flat: Flat, scope: Scope, required: bool, notes: Notes, allowance: Allowance
) -> Field:
    """The field that a flat property becomes. Raises :class:`~.words.Refused` for what no form can ask."""
    kind, options = _kind(name, flat, scope, notes, allowance)
    words = flat.words
    read: dict[str, Any] = {
        "name": name,
        "kind": kind,
        "label": _label(name, words.get("title", "")),
        "help": words.get("description", ""),
        "required": required,
        "options": tuple(options),
        "sensitive": asks_for_secret(
            name,
            words.get("title", ""),
            words.get("description", ""),
            format=words.get("format", ""),
            write_only=words.get("writeOnly") is True,
            kind=kind,
        ),
        "placeholder": _placeholder(words),
        "nullable": flat.nullable,
        **rules_of(words, kind),
    }
    field = Field(**read)
    refuse_impossible(field)
    own = _noted(field, flat, notes)
    default = default_of(field, words.get("default"), allowance)
    if default is MISSING and words.get("default") is not None:
        notes.remark("The server's default is not a valid answer, so the field starts empty.", name)
        own.append("The server's default was not valid.")
    return Field(
        **read,
        hint=hint(field),
        note=" ".join(own),
        default=default,
        multiline=_is_long(field, default),
    )


def _kind(
    name: str, flat: Flat, scope: Scope, notes: Notes, allowance: Allowance
) -> tuple[Kind, list[Option]]:
    types = _types(name, flat, notes)
    if types == {"object"}:
        raise Refused(_NESTED)
    if types == {"array"} and flat.options is not None:
        raise Refused(NO_CHOICE)
    if types == {"array"}:
        return Kind.CHOICES, items_of(name, flat, scope, notes, allowance)
    if flat.options is not None:
        return Kind.CHOICE, options_of(name, flat, notes, allowance)
    if not types:
        raise Refused("it cannot be answered: no kind of value is allowed.")
    if types == {"integer", "number"}:
        return Kind.NUMBER, []
    if len(types) > 1:
        raise Refused("a value of one kind or another is not allowed in an elicitation.")
    (only,) = types
    form = flat.words.get("format")
    if only == "string" and form in FORMATS:
        return Kind(form), []
    return Kind(only), []


def _types(name: str, flat: Flat, notes: Notes) -> frozenset[str]:
    """The types that a property names, or that the rest of it leaves no doubt about."""
    if flat.types is not None:
        return flat.types
    notes.tolerate('"type" is missing, and is told from the rest.', name)
    if flat.options is not None:
        return frozenset()
    found = {kind for kind, words in RULES.items() if words & flat.words.keys()}
    if RULES["string"] & flat.words.keys() == {"format"} and flat.words["format"] not in _TEXT_FORMATS:
        # Another format may be a number's.
        found.remove("string")
    default = flat.words.get("default")
    if not found and default is not None:
        found = {_type_of(default)}
    if len(found) != 1:
        raise Refused("its type is missing, and nothing else tells it.")
    return frozenset(found)


def _type_of(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return "string" if isinstance(value, str) else "array" if isinstance(value, list) else "object"


def _known(kind: Kind) -> frozenset[str]:
    """The keywords that a field of this kind keeps to."""
    if kind is Kind.CHOICE:
        return RULES["string"] | RULES["number"]
    if kind in TEXT_KINDS:
        return RULES["string"]
    if kind in NUMBER_KINDS:
        return RULES["number"]
    return RULES["array"] if kind is Kind.CHOICES else frozenset()


def _noted(field: Field, flat: Flat, notes: Notes) -> list[str]:
    """Notes all that is odd; what the person should know is returned."""
    for sentence in dict.fromkeys(flat.odd):
        notes.tolerate(sentence, field.name)
    for sentence in dict.fromkeys(flat.faults):
        notes.remark(sentence, field.name)
    own: list[str] = []
    known = _known(field.kind)
    for word, value in flat.words.items():
        if word in ANNOTATIONS:
            continue
        if word not in known:
            notes.tolerate(f"{quoted(word)} is ignored.", field.name)
        elif word in EXTRA or (field.kind is Kind.CHOICE and word != "format"):
            notes.tolerate(f'"{word}" is kept to, though elicitation does not know it.', field.name)
        elif word == "format" and value not in FORMATS:
            notes.tolerate("Its format is not checked here.", field.name)
    if flat.words.get("readOnly") is True:
        own.append("The server marked this as read-only; it can be changed here all the same.")
    reason = compiled(field.pattern).reason if field.pattern else ""
    if reason:
        notes.remark(f"Its pattern is not checked here, the server will: {reason}.", field.name)
        own.append(UNCHECKED)
    return own


def _label(name: str, title: str) -> str:
    return one_line(title if title.strip() else name) or "(no name)"


def _placeholder(words: dict[str, Any]) -> str:
    examples = words.get("examples")
    if isinstance(examples, list) and examples and isinstance(examples[0], (str, int, float)):
        return one_line(json_text(examples[0]))
    return ""


def _is_long(field: Field, default: Default) -> bool:
    if field.kind is not Kind.STRING:
        return False
    long = field.max_length is not None and field.max_length > _LONG_TEXT
    return long or (isinstance(default, str) and "\n" in default)
