"""What holds of every schema and every draft, tried on generated ones."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from jupyter_mcp_elicit.core import RemoteError, RequestedSchema

WORDS = st.text(alphabet="abz \u00e9\U0001f600\n0", max_size=6)
NAMES = st.text(max_size=8) | st.sampled_from(["__proto__", "constructor", "", "a.b", "a"])
NUMBERS = st.integers(-20, 20) | st.sampled_from([0.5, 2.0, 1e20, 2**60, -1.25])
VALUES = st.lists(WORDS, min_size=1, max_size=4, unique=True)


def with_some(fixed: dict[str, Any], **optional: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A schema with the ``fixed`` keywords, and any of the optional ones."""
    texts = {"title": WORDS, "description": WORDS}
    return st.fixed_dictionaries({}, optional={**texts, **optional}).map(lambda drawn: {**fixed, **drawn})


def titled(values: list[Any]) -> list[dict[str, Any]]:
    return [{"const": value, "title": f"T {value}"} for value in values]


LENGTHS = {"minLength": st.integers(0, 4), "maxLength": st.integers(0, 6)}
BOUNDS = {"minimum": NUMBERS, "maximum": NUMBERS}
COUNTS = {"minItems": st.integers(0, 2), "maxItems": st.integers(0, 4)}
FORMATS = st.sampled_from(["email", "uri", "date", "date-time"])

SPECIFIED = st.one_of(
    with_some({"type": "string"}, default=WORDS, **LENGTHS),
    FORMATS.flatmap(lambda name: with_some({"type": "string", "format": name}, default=WORDS)),
    with_some({"type": "integer"}, default=NUMBERS, **BOUNDS),
    with_some({"type": "number"}, default=NUMBERS, **BOUNDS),
    with_some({"type": "boolean"}, default=st.booleans()),
    VALUES.flatmap(lambda some: with_some({"type": "string", "enum": some}, default=st.sampled_from(some))),
    VALUES.flatmap(lambda some: with_some({"type": "string", "oneOf": titled(some)}, default=WORDS)),
    VALUES.flatmap(
        lambda some: with_some(
            {"type": "array", "items": {"type": "string", "enum": some}},
            default=st.lists(st.sampled_from(some), unique=True),
            **COUNTS,
        )
    ),
    VALUES.flatmap(lambda some: with_some({"type": "array", "items": {"anyOf": titled(some)}}, **COUNTS)),
)
MORE = st.one_of(
    with_some({"type": ["string", "null"]}, default=WORDS | st.none(), **LENGTHS),
    SPECIFIED.map(lambda schema: {"anyOf": [schema, {"type": "null"}]}),
    SPECIFIED.map(lambda schema: {"allOf": [schema], "title": "T"}),
    st.just({"$ref": "#/$defs/P", "default": "low"}),
    st.lists(WORDS | NUMBERS | st.booleans() | st.none(), min_size=1, max_size=4).map(
        lambda some: {"enum": some}
    ),
    (WORDS | st.booleans() | NUMBERS).map(lambda value: {"const": value}),
    with_some(
        {"type": "integer"}, exclusiveMinimum=NUMBERS, exclusiveMaximum=NUMBERS, multipleOf=st.integers(1, 3)
    ),
    with_some({"type": "string"}, pattern=st.sampled_from(["^a", "b$", "[0-9]", "^(a+)+$"]), default=WORDS),
)


def forms(properties: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    def requiring(drawn: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
        names = st.lists(st.sampled_from(sorted(drawn)), unique=True) if drawn else st.just([])
        return names.map(lambda required: {"type": "object", "properties": drawn, "required": required})

    return st.dictionaries(NAMES, properties, max_size=4).flatmap(requiring)


DEFINITIONS = {"$defs": {"P": {"type": "string", "enum": ["low", "high"]}}}
LENIENT = forms(SPECIFIED | MORE).map(lambda form: {**DEFINITIONS, **form})

TYPED = st.sampled_from(
    ["", "3", "3.0", "-1", "1e2", "0.5", "a", "b", "a@b.de", "urn:x", "2026-12-01", "low", "  7 "]
)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats() | WORDS | TYPED,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


def parsed(requested: dict[str, Any]) -> RequestedSchema:
    try:
        return RequestedSchema.parse(requested)
    except RemoteError:
        assume(False)
        raise


def outcome(requested: Any, policy: Any) -> RequestedSchema | RemoteError:
    try:
        return RequestedSchema.parse(requested, policy=policy)
    except RemoteError as error:
        return error


def drafts(schema: RequestedSchema) -> st.SearchStrategy[dict[str, Any]]:
    """Drafts as people make them, and any other."""
    kinds: dict[str, st.SearchStrategy[Any]] = {}
    for field in schema.fields:
        values = [option.value for option in field.options] or [True, False]
        likely = st.sampled_from(values) | st.lists(st.sampled_from(values), max_size=3) | TYPED | WORDS
        kinds[field.name] = st.none() | likely | st.just(schema.initial[field.name]) | JSON
    return st.fixed_dictionaries({}, optional=kinds)


@given(LENIENT, st.data())
@settings(max_examples=200)
def test_what_is_accepted_is_valid_under_the_schema_that_was_sent(
    requested: dict[str, Any], data: st.DataObject
) -> None:
    schema = parsed(requested)
    reading = schema.read(data.draw(drafts(schema)))
    if reading.content is None:
        assert reading.problems
        return
    assert list(Draft202012Validator(requested).iter_errors(reading.content)) == []
    json.dumps(reading.content, allow_nan=False).encode()
    for value in reading.content.values():
        assert type(value) in (str, int, float, bool, list)
        assert not isinstance(value, list) or all(type(item) is str for item in value)


@given(LENIENT, st.data())
def test_content_that_is_read_again_is_the_same(requested: dict[str, Any], data: st.DataObject) -> None:
    schema = parsed(requested)
    content = schema.read(data.draw(drafts(schema))).content
    if content is not None:
        again = schema.read(content)
        assert (json.dumps(again.content), again.problems) == (json.dumps(content), {})


@given(LENIENT)
def test_an_untouched_form_sends_its_defaults_and_nothing_else(requested: dict[str, Any]) -> None:
    schema = parsed(requested)
    reading = schema.read(schema.initial)
    started = {field.name for field in schema.fields if schema.initial[field.name] is not None}
    assert not started & reading.problems.keys()
    if reading.content is not None:
        answered = {name for name, value in reading.content.items() if value != []}
        assert answered <= started


@given(forms(SPECIFIED))
def test_the_strict_policy_takes_all_that_is_specified(requested: dict[str, Any]) -> None:
    lenient = parsed(requested)
    assert RequestedSchema.parse(requested, policy="strict").fields == lenient.fields


@given(st.dictionaries(st.text(max_size=4), JSON, max_size=4), LENIENT)
def test_a_draft_of_anything_is_read_without_an_exception(
    draft: dict[str, Any], requested: dict[str, Any]
) -> None:
    schema = parsed(requested)
    assert (schema.read(draft).content is None) is bool(schema.read(draft).problems)


_KEYWORDS = st.sampled_from(
    [
        *(
            "type",
            "enum",
            "enumNames",
            "const",
            "anyOf",
            "oneOf",
            "allOf",
            "$ref",
            "$defs",
            "items",
            "format",
            "default",
        ),
        *(
            "properties",
            "required",
            "minLength",
            "maximum",
            "pattern",
            "minItems",
            "multipleOf",
            "title",
            "not",
            "x",
        ),
    ]
)
_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
_ANY_SCHEMA = st.recursive(
    _LEAVES | st.sampled_from(["string", "object", "array", "null", "#/$defs/a", "#", "email", "object"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(_KEYWORDS | st.text(max_size=2), inner, max_size=5)
    ),
    max_leaves=25,
)


@given(_ANY_SCHEMA, st.sampled_from(["lenient", "strict"]), st.data())
@settings(max_examples=300)
def test_a_schema_of_anything_is_a_form_or_a_reason(schema: Any, policy: Any, data: st.DataObject) -> None:
    requested = data.draw(st.sampled_from([schema, {"properties": {"a": schema}}, {"properties": schema}]))
    before = copy.deepcopy(requested)
    form = outcome(requested, policy)
    if isinstance(form, RemoteError):
        assert form.code == -32602
        assert form.message
    else:
        form.read(form.initial)
        json.dumps(form.compiled)
    assert json.dumps(requested) == json.dumps(before)


@pytest.mark.parametrize("text", ["\ud800", "a\udfff"])
def test_what_utf_8_cannot_carry_is_never_sent(text: str) -> None:
    schema = RequestedSchema.parse(
        {"properties": {"x": {"type": "string", "enum": ["a", text]}, "y": {"type": "string"}}}
    )
    assert [option.value for option in schema.fields[0].options] == ["a"]
    assert set(schema.read({"x": text, "y": text}).problems) == {"x", "y"}
