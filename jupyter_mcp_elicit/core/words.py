"""The keywords of JSON Schema that a field may carry: which rule, which shape, which kind of value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from .scalar import is_number, is_whole


class Refused(Exception):
    """A property that cannot become a field; the text is the reason, in a sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


TYPES: Final = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})

#: Rules by the type of value that they bear on.
RULES: Final[dict[str, frozenset[str]]] = {
    "string": frozenset({"minLength", "maxLength", "pattern", "format"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
    "array": frozenset({"minItems", "maxItems", "uniqueItems", "items"}),
    "object": frozenset({"properties", "patternProperties", "additionalProperties"}),
}

#: Rules that this package keeps to although the specification's subset has them not.
EXTRA: Final = frozenset({"pattern", "multipleOf", "exclusiveMinimum", "exclusiveMaximum", "uniqueItems"})

#: Rules that no flat form can keep to, by the type of value they bear on ("" is any).
UNCHECKABLE: Final[dict[str, frozenset[str]]] = {
    "": frozenset({"not", "if", "$dynamicRef", "$recursiveRef"}),
    "array": frozenset({"prefixItems", "contains"}),
}

ANNOTATIONS: Final = frozenset({"title", "description", "default", "type"})

LOWER_BOUNDS: Final = frozenset({"minLength", "minItems", "minimum", "exclusiveMinimum"})
UPPER_BOUNDS: Final = frozenset({"maxLength", "maxItems", "maximum", "exclusiveMaximum"})


def _is_count(value: object) -> bool:
    return is_whole(value) and value >= 0  # type: ignore[operator]  # is_whole has told that it is a number


def _is_positive(value: object) -> bool:
    return is_number(value) and value > 0  # type: ignore[operator]  # as above


def _is_full_list(value: object) -> bool:
    return isinstance(value, list) and bool(value)


_COUNT: Final = (_is_count, "a whole number, 0 or more")
_NUMBER: Final = (is_number, "a number")
_TEXT: Final = (lambda value: isinstance(value, str), "text")

SHAPES: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _COUNT),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _NUMBER),
    **dict.fromkeys(("title", "description", "pattern", "format", "$ref"), _TEXT),
    "multipleOf": (_is_positive, "a number above 0"),
    "uniqueItems": (lambda value: isinstance(value, bool), "true or false"),
    "enum": (lambda value: isinstance(value, list), "a list"),
    **dict.fromkeys(("allOf", "anyOf", "oneOf"), (_is_full_list, "a list of schemas")),
}


def check_shapes(schema: dict[str, Any]) -> None:
    """Raises :class:`Refused` when a keyword that is read has a value of the wrong shape."""
    for word, value in schema.items():
        if word in SHAPES:
            fits, wanted = SHAPES[word]
            if not fits(value):
                raise Refused(f'"{word}" must be {wanted}.')
        elif word in UNCHECKABLE[""]:
            raise Refused(f'"{word}" is not allowed in an elicitation.')


def merged(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Both rule sets at once: the narrower bound, and the second's annotations."""
    result = {**first, **second}
    for word in first.keys() & second.keys():
        one, other = first[word], second[word]
        if word in LOWER_BOUNDS:
            result[word] = max(one, other)
        elif word in UPPER_BOUNDS:
            result[word] = min(one, other)
        elif word == "uniqueItems":
            result[word] = one or other
        elif word in ("pattern", "multipleOf", "format", "items") and one != other:
            raise Refused(f'two rules "{word}" for one field are not allowed in an elicitation.')
    return result
