from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from jupyter_mcp_elicit.core import Reading, RequestedSchema
from jupyter_mcp_elicit.core.evaluator import Evaluator
from jupyter_mcp_elicit.core.reading import read

PERMS = {"type": "array", "items": {"type": "string", "enum": ["r", "w", "x"]}}


def parsed(*required: str, **properties: Any) -> RequestedSchema:
    return RequestedSchema.parse({"type": "object", "properties": properties, "required": list(required)})


def content(schema: Any, draft: Any, *, required: bool = False) -> Any:
    """What a form of one field ``x`` sends for it; fails when there is a problem."""
    reading = parsed(*(["x"] if required else []), x=schema).read({"x": draft})
    assert reading.problems == {}
    assert reading.content is not None
    return reading.content.get("x", "omitted")


def problem(schema: Any, draft: Any, *, required: bool = False) -> str:
    reading = parsed(*(["x"] if required else []), x=schema).read({"x": draft})
    assert reading.content is None
    assert list(reading.problems) == ["x"]
    return reading.problems["x"]


def test_an_untouched_optional_form_sends_nothing() -> None:
    schema = parsed(
        age={"type": "integer", "minimum": 18},
        tag={"type": "string"},
        ok={"type": "boolean"},
        at={"type": "string", "format": "date-time"},
        k={**PERMS, "minItems": 1},
        c={"enum": ["a", "b"]},
        only={"type": "string", "enum": ["only"]},
    )
    assert schema.read(schema.initial).content == {}
    assert schema.read({}).content == {}


def test_an_untouched_default_is_sent_as_the_server_wrote_it() -> None:
    defaults: dict[str, Any] = {
        "big": 2**60 + 1,
        "decimal": 3.10,
        "whole": 7,
        "float": 3.0,
        "tiny": 1e-7,
        "at": "2026-12-01T09:30:45.120+02:00",
        "text": " spaced\r\n text ",
        "no": False,
        "zero": 0,
        "empty": "",
        "choice": "b",
        "perms": ["x", "r"],
        "none": [],
    }
    kinds: dict[str, Any] = {
        "big": {"type": "integer"},
        "decimal": {"type": "number"},
        "whole": {"type": "number"},
        "float": {"type": "integer"},
        "tiny": {"type": "number"},
        "at": {"type": "string", "format": "date-time"},
        "text": {"type": "string"},
        "no": {"type": "boolean"},
        "zero": {"type": "integer"},
        "empty": {"type": "string"},
        "choice": {"type": "string", "enum": ["a", "b"]},
        "perms": PERMS,
        "none": PERMS,
    }
    schema = parsed(**{name: {**kinds[name], "default": defaults[name]} for name in defaults})
    assert json.dumps(schema.read(schema.initial).content) == json.dumps(defaults)


def test_a_default_with_line_breaks_of_another_system_is_untouched_in_a_text_area() -> None:
    assert content({"type": "string", "default": "a\r\nb"}, "a\nb") == "a\r\nb"


def test_a_cleared_default_is_not_put_back() -> None:
    schema = parsed(
        n={"type": "integer", "default": 3},
        b={"type": "boolean", "default": True},
        c={"enum": ["a"], "default": "a"},
        k={**PERMS, "default": ["r"]},
        e={"format": "email", "default": "a@b.de"},
    )
    assert schema.read({"n": "", "b": None, "c": None, "k": None, "e": ""}).content == {}
    assert schema.read({"k": []}).content == {"k": []}


@pytest.mark.parametrize(
    ("schema", "sent"),
    [
        ({"type": "string"}, "omitted"),
        ({"type": "string", "default": ""}, ""),
        ({"type": "string", "default": "x"}, ""),
        ({"type": "string", "default": "x", "minLength": 1}, "omitted"),
        ({"type": "string", "default": "x", "pattern": "^x"}, "omitted"),
        ({"type": "string", "default": 5}, "omitted"),
        ({"type": "string", "format": "date", "default": "2026-12-01"}, "omitted"),
        ({"type": "string", "enum": ["", "a"]}, ""),
        ({"type": "integer"}, "omitted"),
    ],
)
def test_an_empty_text_is_an_answer_only_where_the_person_made_it_one(schema: Any, sent: str) -> None:
    assert content(schema, "") == sent


def test_a_required_text_that_is_empty_needs_an_answer_unless_it_was_emptied_on_purpose() -> None:
    assert problem({"type": "string"}, "", required=True) == "This needs an answer."
    assert problem({"type": "string"}, None, required=True) == "This needs an answer."
    assert problem({"type": "string", "default": "x", "minLength": 1}, "", required=True)
    assert content({"type": "string", "default": "x"}, "", required=True) == ""
    assert problem({"type": "string", "default": "x"}, None, required=True)


@pytest.mark.parametrize(
    ("schema", "sentence"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 12}, "Enter a whole number from 1 to 12."),
        ({"type": "integer"}, "Enter a whole number."),
        ({"type": "number", "minimum": 0}, "Enter a number, 0 or more."),
        ({"type": "boolean"}, "Choose yes or no."),
        ({"type": "string", "enum": ["a"]}, "Choose one of the options."),
        ({**PERMS, "minItems": 2}, "Choose at least 2 of the options."),
        ({"type": "string", "format": "email"}, "Enter an e-mail address, like name@example.org."),
        ({"type": "string", "format": "date"}, "Enter a date that exists, year-month-day, like 2026-12-31."),
    ],
)
def test_a_required_field_without_an_answer_says_what_to_do(schema: Any, sentence: str) -> None:
    assert problem(schema, None, required=True) == sentence


def test_a_required_choice_of_several_may_be_none_where_no_least_number_is_set() -> None:
    assert content(PERMS, None, required=True) == []
    assert content(PERMS, [], required=True) == []
    assert content({**PERMS, "default": ["r"]}, None, required=True) == []


def test_text_is_sent_exactly_as_typed() -> None:
    for text in (" a ", "a\r\nb\t", "\u202ea", "😀", "e\u0301", "None", "true", "0"):
        assert content({"type": "string"}, text) == text


def test_lengths_count_code_points() -> None:
    two = {"type": "string", "minLength": 2, "maxLength": 2}
    assert problem(two, "😀") == "Enter 2 characters."
    assert content(two, "😀😀") == "😀😀"
    assert problem(two, "abc")


def test_half_a_character_is_a_problem() -> None:
    assert "half a character" in problem({"type": "string"}, "a\ud83d")


@pytest.mark.parametrize("yes", [True, False])
def test_a_truth_value_is_sent_as_one_and_nothing_else_is_taken_for_one(yes: bool) -> None:
    assert content({"type": "boolean"}, yes) is yes
    for other in ("true", "yes", 1, 0, "", [], 1.0):
        assert problem({"type": "boolean"}, other) == "Choose yes or no."


def test_a_choice_respects_the_types_of_json() -> None:
    mixed = {"enum": [1, True, "1", 2.5]}
    for value in (1, True, "1", 2.5):
        sent = content(mixed, value)
        assert (type(sent), sent) == (type(value), value)
    assert content({"enum": [1]}, 1.0) == 1
    for other in (False, "2", "True", 0, [1], {"a": 1}, [], 1.5):
        assert problem(mixed, other) == "Choose one of the options."
    assert problem({"enum": [True]}, 1)
    assert problem({"enum": ["a"]}, "")


def test_several_choices_are_sent_in_the_order_of_the_schema_and_once_each() -> None:
    assert content(PERMS, ["x", "r", "x"]) == ["r", "x"]
    assert content(PERMS, ("w",)) == ["w"]
    assert content(PERMS, []) == []


@pytest.mark.parametrize("draft", ["r", "", {"r": True}, 5, True, ["r", "z"], [["r"]], [None], [1]])
def test_anything_but_a_list_of_options_is_no_multiple_choice(draft: Any) -> None:
    assert problem(PERMS, draft)


def test_the_number_of_choices_is_checked() -> None:
    some = {**PERMS, "minItems": 1, "maxItems": 2}
    assert problem(some, []) == "Choose 1 to 2 of the options."
    assert problem(some, ["r", "w", "x"])
    assert content(some, ["r"]) == ["r"]


@pytest.mark.parametrize(
    ("draft", "sent"),
    [
        ("3", 3),
        (" 3\n", 3),
        ("3.0", 3),
        ("3e0", 3),
        ("-0", 0),
        ("007", 7),
        ("90071992547409931", 90071992547409931),
        ("9" * 4300, int("9" * 4300)),
        ("1e20", 10**20),
        (5, 5),
        (5.0, 5),
    ],
)
def test_a_whole_number_is_sent_exactly(draft: Any, sent: int) -> None:
    value = content({"type": "integer"}, draft)
    assert (type(value), value) == (int, sent)


@pytest.mark.parametrize(
    ("draft", "sent"),
    [
        ("3", 3),
        ("3.10", 3.1),
        ("0.1", 0.1),
        (".5", 0.5),
        ("-1.5e-3", -0.0015),
        ("3.0", 3.0),
        (2.5, 2.5),
        (4, 4),
    ],
)
def test_a_number_is_sent_as_typed(draft: Any, sent: float) -> None:
    value = content({"type": "number"}, draft)
    assert (type(value), value) == (type(sent), sent)


@pytest.mark.parametrize(
    "draft",
    [
        "1_000",
        "0x10",
        "NaN",
        "nan",
        "Infinity",
        "-inf",
        "1e999",
        "1e1000000000",
        "-",
        "+",
        "1e",
        "e1",
        "abc",
        ".",
        "5.",
        "+5",
        "1 000",
        "1,5",
        "1.5.5",
        "١٢",
        "²",
        "½",
        "1\x00",
        "--1",
        " ",
        "9" * 4301,
        "1" * 10**6,
        True,
        False,
        float("nan"),
        float("inf"),
        [1],
        {},
        b"1",
    ],
)
@pytest.mark.parametrize("kind", ["integer", "number"])
def test_what_is_no_number_of_json_is_a_problem(kind: str, draft: Any) -> None:
    assert problem({"type": kind}, draft)


def test_an_integer_too_long_for_json_is_a_problem() -> None:
    assert problem({"type": "integer"}, 10**4300)
    assert content({"type": "integer"}, 10**4300 - 1) == 10**4300 - 1


@pytest.mark.parametrize("draft", ["3.5", "1e-1", "0.99999999999999999999", 3.5])
def test_a_fraction_is_no_whole_number(draft: Any) -> None:
    assert problem({"type": "integer"}, draft) == "Enter a whole number."


def test_a_decimal_that_would_arrive_as_another_number_is_a_problem_that_names_the_nearest() -> None:
    sentence = problem({"type": "number"}, "3.14159265358979323846")
    assert sentence == "This number cannot be sent as typed; the nearest that can is 3.141592653589793."
    assert "1.2345678901234567e+19" in problem({"type": "number"}, "12345678901234567890.5")
    assert "0.0" in problem({"type": "number"}, "1e-400")


def test_a_comma_gets_its_own_sentence() -> None:
    assert problem({"type": "number"}, "1,5") == "Use a point: 1.5."
    assert problem({"type": "number"}, " -0,25 ") == "Use a point: -0.25."
    # Nobody knows which of the two was meant.
    either = "Use a point for decimals (1.234), and nothing between thousands (1234)."
    assert problem({"type": "number"}, "1,234") == either
    assert problem({"type": "integer"}, "1,234") == "Write it without a comma: 1234."
    assert "whole number" in problem({"type": "integer"}, "1,5")


@pytest.mark.parametrize(
    ("rules", "good", "bad"),
    [
        ({"minimum": 1, "maximum": 9}, ["1", "9"], ["0", "10"]),
        ({"exclusiveMinimum": 0, "exclusiveMaximum": 1}, ["0.5"], ["0", "1"]),
        ({"multipleOf": 0.01}, ["0.07", "1.1", "3"], ["0.075"]),
        ({"minimum": 2**53 + 1}, [str(2**53 + 1)], [str(2**53)]),
    ],
)
def test_bounds_and_steps_of_numbers_are_kept_to(rules: Any, good: list[str], bad: list[str]) -> None:
    for draft in good:
        assert Decimal(repr(content({"type": "number", **rules}, draft))) == Decimal(draft)
    for draft in bad:
        assert problem({"type": "number", **rules}, draft)


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("email", "Ada.Lovelace+mcp@mail.example.co.uk", " a@b.de"),
        ("uri", "urn:isbn:0451450523", "www.example.org"),
        ("date", "2028-02-29", "2026-02-30"),
        ("date-time", "2026-12-01T09:30:00+02:00", "2026-12-01T09:30"),
    ],
)
def test_formats_are_checked(kind: str, good: str, bad: str) -> None:
    assert content({"type": "string", "format": kind}, good) == good
    assert problem({"type": "string", "format": kind}, bad)


def test_a_name_that_is_no_field_is_a_problem_under_that_name() -> None:
    reading = parsed(a={"type": "string"}).read({"a": "x", "ghost": "boo"})
    assert (reading.content, reading.problems) == (None, {"ghost": "This form has no such field."})


def test_every_field_with_a_problem_gets_a_sentence() -> None:
    reading = parsed("a", a={"type": "integer"}, b={"type": "boolean"}, c={"type": "string"}).read(
        {"b": "no", "c": "fine"}
    )
    assert set(reading.problems) == {"a", "b"}


@pytest.mark.parametrize("draft", [None, 5, "x", [], [("x", "1")], True])
def test_a_draft_that_is_no_mapping_is_a_problem(draft: Any) -> None:
    assert parsed(x={"type": "string"}).read(draft).content is None


def test_names_that_are_no_text_are_problems() -> None:
    assert parsed(x={"type": "string"}).read({5: "a", None: "b"}).content is None  # type: ignore[dict-item]


class Number(enum.IntEnum):
    TWO = 2


class Text(str):
    pass


class Odd(Mapping[str, Any]):
    def __getitem__(self, name: str) -> Any:
        return {"x": Number.TWO}[name]

    def __iter__(self) -> Any:
        return iter(["x"])

    def __len__(self) -> int:
        return 1


def test_what_is_sent_is_plain_data() -> None:
    assert type(content({"type": "integer"}, Number.TWO)) is int
    assert type(content({"type": "string"}, Text("a"))) is str
    assert parsed(x={"type": "number"}).read(Odd()).content == {"x": 2}


def test_the_order_of_the_content_is_that_of_the_schema() -> None:
    schema = parsed(b={"type": "string"}, a={"type": "string"})
    assert list(schema.read({"a": "1", "b": "2"}).content or ()) == ["b", "a"]


def test_a_pattern_is_found_anywhere_in_the_text() -> None:
    assert content({"type": "string", "pattern": "[0-9]{2}"}, "ab12cd") == "ab12cd"
    assert "[0-9]{2}" in problem({"type": "string", "pattern": "[0-9]{2}"}, "ab1cd")


def test_a_pattern_that_nothing_can_evaluate_stops_no_answer_and_is_noted() -> None:
    schema = parsed("x", x={"type": "string", "pattern": "(?P<n>a"})
    assert schema.fields[0].note == "The format rule is not checked here, the server will."
    assert 'Field "x": Its pattern is not checked here' in schema.notes[1]
    reading = schema.read({"x": "b"})
    assert (reading.content, list(reading.notes)) == ({"x": "b"}, ["x"])


def test_a_text_too_long_for_a_pattern_is_sent_with_a_note() -> None:
    schema = parsed(x={"type": "string", "pattern": "^a*$"})
    reading = schema.read({"x": "b" * 10_241})
    assert reading.content is not None
    assert reading.notes == {"x": "The format rule is not checked here, the server will."}
    assert schema.read({"x": "b" * 10_240}).problems
    assert schema.read({"x": "a"}).notes == {}


def test_a_repr_tells_names_and_never_content() -> None:
    assert repr(Reading({"password": "canary"})) == "Reading(password)"
    assert repr(Reading({})) == "Reading(no answers)"
    assert repr(Reading(None, {"x": "canary"})) == "Reading(problems: x)"


def test_the_verdict_of_json_schema_is_the_last_word() -> None:
    """The checks of a field and those of JSON Schema agree; where they ever do not, the answer stays here."""
    fields = parsed(a={"type": "string"}, b={"type": "string"}).fields
    stricter = Evaluator({"properties": {"a": {"maxLength": 1}}, "required": ["b"]})
    assert read(fields, {"a": "xy"}, stricter).problems == {
        "a": "Enter text.",
        "": "The form is not complete.",
    }
