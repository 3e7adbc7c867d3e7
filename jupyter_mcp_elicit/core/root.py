"""The object around the properties: its texts, what is required, and what it may not say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .errors import RemoteError
from .limits import MAX_DEPTH
from .notes import Notes
from .refs import Scope
from .scalar import is_text, is_whole
from .text import quoted
from .words import Refused

_DIALECTS = (
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema",
    "http://json-schema.org/draft-06/schema",
)
_KNOWN = frozenset({"$schema", "type", "properties", "required", "title", "description"})
_BETWEEN_FIELDS = (
    *("allOf", "anyOf", "oneOf", "not", "if", "dependentRequired", "dependentSchemas", "dependencies"),
    *("patternProperties", "propertyNames", "enum", "const", "$dynamicRef", "$recursiveRef"),
)


@dataclass(frozen=True, slots=True)
class Root:
    """The parts of a requested schema; ``document`` is what references point into."""

    document: dict[str, Any]
    properties: dict[str, Any]
    required: frozenset[str]
    title: str
    description: str


def root_of(document: dict[str, Any], notes: Notes) -> Root:
    """Takes the document apart. Raises :class:`RemoteError` for what no flat form can keep to."""
    schema = _followed(document, notes)
    _check_type(schema, notes)
    _check_dialect(schema, notes)
    properties = schema.get("properties")
    if properties is None:
        notes.tolerate('"properties" is missing, so there is nothing to fill in.')
        properties = {}
    if not isinstance(properties, dict):
        raise RemoteError('The "properties" of the requested schema must be an object.')
    for name in properties:
        if not is_text(name):
            raise RemoteError(f"Field {quoted(name)}: its name has half a character in it.")
    required = _required(schema, properties)
    _check_rules(schema, properties, required, notes)
    return Root(document, properties, required, _text(schema, "title"), _text(schema, "description"))


def _followed(document: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """The root itself, or the definition that it is only a reference to."""
    schema = document
    seen: list[str] = []
    while "$ref" in schema:
        ref = schema["$ref"]
        notes.tolerate('"$ref" is followed inside the schema.')
        try:
            if not isinstance(ref, str) or len(seen) > MAX_DEPTH:
                raise Refused("its reference leads nowhere.")
            target = Scope(document).target(ref, tuple(seen))
        except Refused as refusal:
            raise RemoteError(f"The requested schema cannot be read: {refusal.reason}") from None
        seen.append(ref)
        own = {word: value for word, value in schema.items() if word not in ("$ref", "$defs")}
        schema = {**target, **own}
    return schema


def _check_type(schema: dict[str, Any], notes: Notes) -> None:
    if "type" not in schema:
        notes.tolerate('"type" is missing, and is taken as "object".')
    elif schema["type"] != "object":
        raise RemoteError('The requested schema must be of type "object".')


def _check_dialect(schema: dict[str, Any], notes: Notes) -> None:
    dialect = schema.get("$schema")
    if dialect is not None and (not isinstance(dialect, str) or dialect.rstrip("#") not in _DIALECTS):
        notes.remark('"$schema" names a dialect that is not known here; it is read like all others.')


def _required(schema: dict[str, Any], properties: dict[str, Any]) -> frozenset[str]:
    required = schema.get("required")
    if required is None:
        return frozenset()
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        raise RemoteError('The "required" of the requested schema must be a list of names.')
    for name in required:
        if name not in properties:
            raise RemoteError(f"Field {quoted(name)}: it is required, but there is no such property.")
    return frozenset(required)


def _check_rules(
    schema: dict[str, Any], properties: dict[str, Any], required: frozenset[str], notes: Notes
) -> None:
    for word in _BETWEEN_FIELDS:
        if word in schema:
            raise RemoteError(f'Rules over all fields ("{word}") are not allowed in an elicitation.')
    for word, harmless in (("minProperties", len(required)), ("maxProperties", len(properties))):
        if word in schema:
            count = schema[word]
            if not is_whole(count) or (count > harmless if word == "minProperties" else count < harmless):
                raise RemoteError(f'Rules over all fields ("{word}") are not allowed in an elicitation.')
    for word in schema:
        if word not in _KNOWN and word not in ("$defs", "definitions"):
            notes.tolerate(f"{quoted(word)} is ignored.")
        elif word in ("$defs", "definitions"):
            notes.tolerate(f'"{word}" is outside of the subset.')


def _text(schema: dict[str, Any], word: str) -> str:
    text = schema.get(word)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise RemoteError(f'The "{word}" of the requested schema must be text.')
    return text
