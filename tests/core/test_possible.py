from __future__ import annotations

from typing import Any

import pytest

from jupyter_mcp_elicit.core import RemoteError, RequestedSchema


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "minLength": 3, "maxLength": 2},
        {"type": "string", "format": "date", "maxLength": 9},
        {"type": "string", "format": "date", "minLength": 11},
        {"type": "string", "format": "date-time", "maxLength": 19},
        {"type": "integer", "minimum": 2, "maximum": 1},
        {"type": "integer", "minimum": 1.2, "maximum": 1.8},
        {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2},
        {"type": "integer", "minimum": 1, "maximum": 4, "multipleOf": 5},
        {"type": "integer", "minimum": 1, "maximum": 2, "multipleOf": 1.5},
        {"type": "number", "minimum": 2, "maximum": 1},
        {"type": "number", "exclusiveMinimum": 1, "maximum": 1},
        {"type": "number", "minimum": 0.11, "maximum": 0.19, "multipleOf": 0.1},
        {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 3},
        {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2, "maxItems": 1},
        {"type": "string", "enum": []},
        {"type": "string", "enum": [None]},
        {"type": "string", "enum": [1, 2]},
        {"enum": ["abc"], "maxLength": 2},
        {"type": "array", "items": {"enum": []}},
        {"allOf": [{"enum": ["a"]}, {"enum": ["b"]}]},
        {"allOf": [{"type": "string"}, {"type": "integer"}]},
        {"type": "null"},
    ],
)
@pytest.mark.parametrize("required", [True, False])
def test_a_field_that_nothing_can_answer_is_refused(schema: Any, required: bool) -> None:
    requested = {"type": "object", "properties": {"x": schema}, "required": ["x"] if required else []}
    with pytest.raises(RemoteError, match=r'^Field "x": it cannot be answered: '):
        RequestedSchema.parse(requested)


@pytest.mark.parametrize(
    ("schema", "draft"),
    [
        ({"type": "string", "minLength": 2, "maxLength": 2}, "ab"),
        ({"type": "string", "format": "date", "minLength": 10, "maxLength": 10}, "2026-12-01"),
        ({"type": "integer", "minimum": 1, "maximum": 1}, "1"),
        ({"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 3}, "2"),
        ({"type": "integer", "minimum": 0.5, "maximum": 1.5}, "1"),
        ({"type": "integer", "minimum": 1, "maximum": 5, "multipleOf": 5}, "5"),
        ({"type": "integer", "minimum": 1, "maximum": 3, "multipleOf": 1.5}, "3"),
        ({"type": "number", "minimum": 1, "maximum": 1}, "1"),
        ({"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.1, "maximum": 0.1}, "0.1"),
        ({"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2}, ["a", "b"]),
        ({"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 0}, []),
    ],
)
def test_a_field_with_one_answer_is_asked(schema: Any, draft: Any) -> None:
    reading = RequestedSchema.parse({"properties": {"x": schema}, "required": ["x"]}).read({"x": draft})
    assert reading.problems == {}
