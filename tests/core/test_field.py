from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from jupyter_mcp_elicit.core import Field, LocalError, Option
from jupyter_mcp_elicit.core.field import MISSING, Kind


def make(kind: Kind, **values: Any) -> Field:
    options = (Option("a", "A"), Option("b", "B")) if kind in (Kind.CHOICE, Kind.CHOICES) else ()
    return Field(**{"name": "x", "kind": kind, "label": "X", "options": options, **values})


def test_a_kind_is_its_name_in_the_wire() -> None:
    assert [str(kind) for kind in Kind] == [
        *("string", "email", "uri", "date", "date-time", "integer", "number", "boolean", "choice", "choices")
    ]


@pytest.mark.parametrize("kind", Kind)
def test_a_field_of_each_kind_exists_and_cannot_be_changed(kind: Kind) -> None:
    field = make(kind)
    assert (field.default, field.required, field.sensitive) == (MISSING, False, False)
    with pytest.raises(dataclasses.FrozenInstanceError):
        field.name = "y"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (Kind.CHOICE, {"options": ()}),
        (Kind.CHOICES, {"options": ()}),
        (Kind.STRING, {"options": (Option("a", "A"),)}),
        (Kind.CHOICE, {"options": (Option(1, "A"), Option(1.0, "B"))}),
        (Kind.STRING, {"default": 5}),
        (Kind.STRING, {"default": "\ud800"}),
        (Kind.INTEGER, {"default": True}),
        (Kind.INTEGER, {"default": "5"}),
        (Kind.NUMBER, {"default": float("nan")}),
        (Kind.BOOLEAN, {"default": 1}),
        (Kind.CHOICE, {"default": ("a",)}),
        (Kind.CHOICES, {"default": "a"}),
        (Kind.CHOICES, {"default": (None,)}),
    ],
)
def test_a_field_that_makes_no_sense_cannot_exist(kind: Kind, values: dict[str, Any]) -> None:
    with pytest.raises(LocalError):
        make(kind, **values)


def test_options_of_different_json_types_are_different() -> None:
    assert (
        len(make(Kind.CHOICE, options=(Option(1, "1"), Option(True, "true"), Option("1", "1"))).options) == 3
    )


def test_the_missing_default_is_no_value_of_json() -> None:
    assert repr(MISSING) == "MISSING"
    assert MISSING not in (None, "", 0, False)
