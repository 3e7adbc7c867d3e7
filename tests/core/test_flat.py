"""How rules and options that stand in several places become one."""

from __future__ import annotations

from typing import Any

import pytest

from jupyter_mcp_elicit.core import Field, RemoteError, RequestedSchema


def field(schema: Any, **definitions: Any) -> Field:
    requested = {"type": "object", "$defs": definitions, "properties": {"x": schema}}
    return RequestedSchema.parse(requested).fields[0]


def values(schema: Any) -> list[Any]:
    return [option.value for option in field(schema).options]


def reason(schema: Any) -> str:
    with pytest.raises(RemoteError) as caught:
        field(schema)
    return caught.value.message


def test_rules_that_hold_together_become_the_narrower() -> None:
    both = field(
        {"allOf": [{"type": "number", "minimum": 1, "maximum": 9}, {"minimum": 3, "exclusiveMaximum": 5}]}
    )
    assert (both.minimum, both.maximum, both.exclusive_maximum) == (3, 9, 5)
    wider = field(
        {"type": "string", "minLength": 1, "maxLength": 20, "allOf": [{"minLength": 2, "maxLength": 9}]}
    )
    assert (wider.min_length, wider.max_length) == (2, 9)
    assert field({"type": "number", "allOf": [{"type": "integer"}]}).kind == "integer"
    assert field({"type": ["string", "integer"], "allOf": [{"type": "string"}]}).kind == "string"
    same = {"type": "string", "pattern": "a"}
    assert field({"allOf": [same, same]}).pattern == "a"
    choice = {"type": "array", "items": {"enum": ["a"]}}
    assert (
        field({"allOf": [{**choice, "uniqueItems": True}, {**choice, "uniqueItems": False}]}).kind
        == "choices"
    )


def test_two_rules_that_cannot_be_one_are_refused() -> None:
    two = {"type": "string", "allOf": [{"pattern": "a"}, {"pattern": "b"}]}
    assert reason(two) == 'Field "x": two rules "pattern" for one field are not allowed in an elicitation.'
    assert "too many rules" in reason({"allOf": [{"type": "string"}] * 17})


def test_options_that_hold_together_are_those_of_both() -> None:
    assert values({"enum": ["a", "b", "c"], "allOf": [{"enum": ["c", "b"]}]}) == ["c", "b"]
    assert values({"enum": ["a", "b"], "const": "b"}) == ["b"]
    titled = field({"enum": ["a", "b"], "oneOf": [{"const": "b", "title": "B"}]})
    assert [(option.value, option.label) for option in titled.options] == [("b", "B")]


def test_lists_in_a_union_become_one_list() -> None:
    union = {"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"const": "c", "title": "C"}, {"enum": ["a"]}]}
    assert [(option.value, option.label) for option in field(union).options] == [
        ("a", "a"),
        ("b", "b"),
        ("c", "C"),
    ]
    assert values({"oneOf": [{"type": "integer", "enum": [1, 2.5]}, {"type": "string", "const": "a"}]}) == [
        1,
        "a",
    ]


def test_a_union_with_one_branch_is_that_branch() -> None:
    assert field({"anyOf": [{"type": "integer", "minimum": 2}]}).minimum == 2
    only = field({"oneOf": [{"const": "a", "title": "A"}], "title": "T"})
    assert (only.label, [option.label for option in only.options]) == ("T", ["A"])


def test_a_whole_number_or_a_number_is_a_number() -> None:
    assert field({"anyOf": [{"type": "integer"}, {"type": "number"}]}).kind == "number"
    assert field({"type": ["integer", "number"]}).kind == "number"
    assert "one kind or another" in reason({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "number"}]})


def test_nothing_but_null_cannot_be_answered() -> None:
    assert "cannot be answered" in reason({"anyOf": [{"type": "null"}, {"const": None}]})


def test_rules_inside_one_option_are_refused() -> None:
    assert "inside an option" in reason(
        {"oneOf": [{"const": "a", "title": "A", "maxLength": 1}, {"const": "b"}]}
    )


def test_labels_that_are_no_text_are_not_used() -> None:
    assert [o.label for o in field({"type": "string", "enum": ["a"], "enumNames": [5]}).options] == ["a"]
    assert [o.label for o in field({"type": "string", "enum": ["a"], "enumNames": "A"}).options] == ["a"]


@pytest.mark.parametrize(
    "schema", [{"type": "array", "enum": [["a"]]}, {"type": "array", "items": {"type": "array"}}]
)
def test_lists_of_lists_are_no_choice(schema: dict[str, Any]) -> None:
    with pytest.raises(RemoteError, match='Field "x": a list'):
        RequestedSchema.parse({"properties": {"x": schema, "y": {"type": "string"}}})


def test_a_default_tells_the_type_of_a_number() -> None:
    assert field({"default": 5}).kind == "number"


def test_a_reference_may_point_into_a_list() -> None:
    schema = {"properties": {"x": {"$ref": "#/$defs/all/1"}}, "$defs": {"all": [{}, {"type": "boolean"}]}}
    assert RequestedSchema.parse(schema).fields[0].kind == "boolean"
    for ref in ("#/$defs/all/2", "#/$defs/all/-1", "#/$defs/all/x", "#/$defs/all/1/type/x"):
        with pytest.raises(RemoteError, match="leads nowhere"):
            RequestedSchema.parse({**schema, "properties": {"x": {"$ref": ref}}})


def test_a_definitions_own_title_labels_the_field_unless_it_is_only_its_name() -> None:
    named, titled = {"type": "string", "title": "Level"}, {"type": "string", "title": "How high"}
    assert field({"$ref": "#/$defs/Level"}, Level=named).label == "x"
    assert field({"$ref": "#/$defs/Level"}, Level=titled).label == "How high"
