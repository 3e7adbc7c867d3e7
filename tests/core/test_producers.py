"""Schemas as the libraries behind real servers write them."""

from __future__ import annotations

import datetime
import enum
from typing import Annotated, Any, Literal, Optional

import pytest
from pydantic import BaseModel, Field

from jupyter_mcp_elicit.core import RequestedSchema


class Level(str, enum.Enum):
    """How much."""

    low = "low"
    high = "high"


class Number(enum.IntEnum):
    one = 1
    two = 2


class Booking(BaseModel):
    """A table for some people."""

    name: str = Field(min_length=2, max_length=5, description="Who comes?")
    party: Annotated[int, Field(ge=1, le=12)] = 2
    level: Level
    maybe: Optional[Level] = None  # noqa: UP045  # the older spelling is what many servers have
    nick: str | None = Field(None, pattern="^[a-z]+$")
    drink: Literal["tea", "coffee"] = "tea"
    extras: list[Level] = []
    some: set[Literal["a", "b"]] = Field(default_factory=set, max_length=1)
    number: Number = Number.two
    day: datetime.date | None = None
    at: datetime.datetime | None = None
    share: float = Field(0.5, gt=0, lt=1)
    agree: Literal[True]


@pytest.fixture
def booking() -> RequestedSchema:
    return RequestedSchema.parse(Booking.model_json_schema())


def test_a_pydantic_model_becomes_a_form(booking: RequestedSchema) -> None:
    assert {field.name: field.kind.value for field in booking.fields} == {
        "name": "string",
        "party": "integer",
        "level": "choice",
        "maybe": "choice",
        "nick": "string",
        "drink": "choice",
        "extras": "choices",
        "some": "choices",
        "number": "choice",
        "day": "date",
        "at": "date-time",
        "share": "number",
        "agree": "choice",
    }
    assert [field.name for field in booking.fields if field.required] == ["name", "level", "agree"]
    assert booking.title == "Booking"
    labels = {field.name: field.label for field in booking.fields}
    assert (labels["name"], labels["level"], labels["drink"]) == ("Name", "level", "Drink")


def test_what_the_form_sends_is_what_the_model_takes(booking: RequestedSchema) -> None:
    draft = booking.fill(
        {"name": "Ada", "level": "high", "agree": True, "extras": ["high", "low"], "nick": "ada"}
    )
    content = booking.read(draft).content
    assert content == {
        "name": "Ada",
        "party": 2,
        "level": "high",
        "nick": "ada",
        "drink": "tea",
        "extras": ["low", "high"],
        "number": 2,
        "share": 0.5,
        "agree": True,
    }
    made = Booking.model_validate(content)
    assert (made.level, made.number, made.maybe) == (Level.high, Number.two, None)


def test_what_the_model_refuses_the_form_refuses(booking: RequestedSchema) -> None:
    bad = {
        "name": "A",
        "party": "13",
        "level": "mid",
        "nick": "ADA",
        "share": "1",
        "agree": False,
        "some": ["a", "b"],
    }
    assert set(booking.read(booking.fill(bad)).problems) == set(bad)


def test_a_schema_of_zod_becomes_a_form() -> None:
    limit = 9007199254740991
    email = (
        r"^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$"
    )
    properties: dict[str, Any] = {
        "email": {"type": "string", "format": "email", "pattern": email},
        "count": {"type": "integer", "minimum": -limit, "maximum": limit},
        "kind": {"type": "string", "const": "a"},
        "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "port": {"type": "integer", "exclusiveMinimum": 0, "maximum": 65535},
    }
    draft7 = "http://json-schema.org/draft-07/schema#"
    schema = RequestedSchema.parse(
        {
            "$schema": draft7,
            "type": "object",
            "properties": properties,
            "required": ["email"],
            "additionalProperties": False,
        }
    )
    assert [field.hint for field in schema.fields][1:] == [
        "whole number",
        "",
        "",
        "65535 or less, more than 0",
    ]
    assert schema.read({"email": "ada@example.org"}).content == {"email": "ada@example.org"}
    assert schema.read({"email": "a..b@example.org"}).problems


def test_a_schema_of_go_becomes_a_form() -> None:
    tags = {"type": ["null", "array"], "items": {"type": "string", "enum": ["a", "b"]}}
    schema = RequestedSchema.parse(
        {"type": "object", "properties": {"tags": tags, "n": {"type": ["null", "integer"]}}}
    )
    assert [(field.kind, field.nullable) for field in schema.fields] == [("choices", True), ("integer", True)]


def test_a_schema_with_null_for_every_unused_keyword_becomes_a_form() -> None:
    unused = {"title": None, "description": None, "minimum": None, "maximum": None, "default": None}
    schema = RequestedSchema.parse(
        {"type": "object", "properties": {"n": {"type": "number", **unused}}, "required": None}
    )
    assert (schema.fields[0].kind, schema.initial) == ("number", {"n": None})
