from __future__ import annotations

import copy
from typing import Any

import pytest

from jupyter_mcp_elicit.core import Field, LocalError, Option, RemoteError, RequestedSchema
from jupyter_mcp_elicit.core.field import MISSING


def form(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def field(schema: Any, *, required: bool = False) -> Field:
    (only,) = RequestedSchema.parse(form(*(["x"] if required else []), x=schema)).fields
    return only


def refusal(requested: Any, **options: Any) -> str:
    with pytest.raises(RemoteError) as caught:
        RequestedSchema.parse(requested, **options)
    assert caught.value.code == -32602
    return caught.value.message


def options(schema: Any) -> list[tuple[Any, str]]:
    return [(option.value, option.label) for option in field(schema).options]


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "string"),
        ({"type": "string", "format": "email"}, "email"),
        ({"type": "string", "format": "uri"}, "uri"),
        ({"type": "string", "format": "date"}, "date"),
        ({"type": "string", "format": "date-time"}, "date-time"),
        ({"type": "integer"}, "integer"),
        ({"type": "number"}, "number"),
        ({"type": "boolean"}, "boolean"),
        ({"type": "string", "enum": ["a"]}, "choice"),
        ({"type": "string", "enum": ["a"], "enumNames": ["A"]}, "choice"),
        ({"type": "string", "oneOf": [{"const": "a", "title": "A"}]}, "choice"),
        ({"type": "string", "anyOf": [{"const": "a", "title": "A"}]}, "choice"),
        ({"type": "array", "items": {"type": "string", "enum": ["a"]}}, "choices"),
        ({"type": "array", "items": {"enum": ["a"]}}, "choices"),
        ({"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}}, "choices"),
        ({"type": "array", "items": {"oneOf": [{"const": "a", "title": "A"}]}}, "choices"),
    ],
)
def test_every_kind_of_property_becomes_its_kind_of_field(schema: Any, kind: str) -> None:
    assert field(schema).kind == kind


def test_fields_keep_the_order_and_the_names_of_the_schema() -> None:
    names = ["zeta", "alpha", "__proto__", "constructor", "toString", "", "a.b", "a[0]"]
    schema = RequestedSchema.parse(
        {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    )
    assert [each.name for each in schema.fields] == names
    assert schema.read(dict.fromkeys(names, "v")).content == dict.fromkeys(names, "v")


def test_texts_are_the_servers_words_verbatim_but_labels_are_one_line() -> None:
    text = "<b>Name</b>\n**bold** \u202e $x$"
    read = field({"type": "string", "title": text, "description": text})
    assert read.help == text
    assert read.label == "<b>Name</b> **bold** \u202e $x$"


def test_a_field_without_a_title_is_called_by_its_name() -> None:
    assert field({"type": "string"}).label == "x"
    assert field({"type": "string", "title": "  "}).label == "x"
    nameless = RequestedSchema.parse({"properties": {"": {"type": "string"}}}).fields[0]
    assert nameless.label == "(no name)"


def test_the_limits_of_a_field_are_kept_and_put_into_words() -> None:
    assert field({"type": "string", "minLength": 2, "maxLength": 5}).hint == "2 to 5 characters"
    assert field({"type": "string", "minLength": 1}).hint == "at least 1 character"
    assert field({"type": "integer", "minimum": 1, "maximum": 12}).hint == "1 to 12"
    assert field({"type": "integer"}).hint == "whole number"
    assert field({"type": "number", "exclusiveMinimum": 0, "maximum": 1.5}).hint == "1.5 or less, more than 0"
    assert (
        field({"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1, "maxItems": 2}).hint == "1 to 2"
    )
    assert field({"type": "boolean"}).hint == ""


def test_a_long_text_gets_several_lines() -> None:
    assert field({"type": "string", "maxLength": 121}).multiline
    assert field({"type": "string", "default": "a\nb"}).multiline
    assert not field({"type": "string", "maxLength": 120}).multiline


def test_options_keep_their_json_type_their_label_and_their_order() -> None:
    assert options({"type": "integer", "enum": [3, 1, 2]}) == [(3, "3"), (1, "1"), (2, "2")]
    mixed = options({"enum": ["auto", 2, True, None, 1.5]})
    assert [(type(value), label) for value, label in mixed] == [
        (str, "auto"),
        (int, "2"),
        (bool, "true"),
        (float, "1.5"),
    ]
    assert options({"type": "string", "enum": ["#f00"], "enumNames": ["Red"]}) == [("#f00", "Red")]
    assert options({"oneOf": [{"const": "", "title": "None\nat all"}]}) == [("", "None at all")]


def test_names_that_do_not_fit_the_values_are_ignored_with_a_note() -> None:
    schema = RequestedSchema.parse(form(x={"type": "string", "enum": ["a", "b"], "enumNames": ["A"]}))
    assert schema.fields[0].options == (Option("a", "a"), Option("b", "b"))
    assert schema.notes == (
        'Field "x": "enumNames" does not fit "enum", so the values themselves are shown.',
    )
    assert field({"type": "string", "enumNames": ["Red"]}).kind == "string"


def test_options_with_the_same_value_are_shown_once() -> None:
    assert options({"type": "string", "enum": ["a", "b", "a"]}) == [("a", "a"), ("b", "b")]
    assert options({"enum": [1, True, 1.0]}) == [(1, "1"), (True, "true")]


def test_an_option_that_breaks_the_other_rules_is_left_out() -> None:
    assert options({"type": "string", "enum": ["a", 1, "bbb"], "maxLength": 2}) == [("a", "a")]
    assert options({"type": "integer", "enum": [1, 2.5, 30], "maximum": 10}) == [(1, "1")]
    assert options({"enum": ["a", {"b": 1}, ["c"]]}) == [("a", "a")]


def test_a_constant_is_a_choice_with_one_option_that_nobody_has_made() -> None:
    schema = RequestedSchema.parse(
        form(
            "agree", "ok", agree={"type": "string", "const": "I agree"}, ok={"type": "boolean", "const": True}
        )
    )
    assert [each.kind for each in schema.fields] == ["choice", "choice"]
    assert schema.fields[1].options == (Option(True, "Yes"),)
    assert schema.initial == {"agree": None, "ok": None}
    assert set(schema.read(schema.initial).problems) == {"agree", "ok"}
    assert schema.read({"agree": "I agree", "ok": True}).content == {"agree": "I agree", "ok": True}
    assert "ok" in schema.read({"agree": "I agree", "ok": 1}).problems


def test_a_reference_inside_the_schema_is_followed() -> None:
    schema = {
        "type": "object",
        "$defs": {
            "P": {"type": "string", "enum": ["low", "high"], "title": "P"},
            "a/b~c d": {"type": "integer"},
        },
        "definitions": {"Q": {"$ref": "#/$defs/P"}},
        "properties": {
            "p": {"$ref": "#/$defs/P"},
            "q": {"allOf": [{"$ref": "#/definitions/Q"}], "default": "low", "title": "Second"},
            "n": {"$ref": "#/$defs/a~1b~0c%20d", "minimum": 3},
        },
    }
    p, q, n = RequestedSchema.parse(schema).fields
    assert [option.value for option in p.options] == ["low", "high"]
    assert p.label == "p"
    assert (q.label, q.default, len(q.options)) == ("Second", "low", 2)
    assert (n.kind, n.minimum) == ("integer", 3)


def test_rules_beside_a_reference_narrow_those_behind_it() -> None:
    read = RequestedSchema.parse(
        {
            "$defs": {"S": {"type": "string", "minLength": 2, "maxLength": 9, "description": "far"}},
            "properties": {"x": {"$ref": "#/$defs/S", "minLength": 1, "maxLength": 5, "description": "near"}},
        }
    ).fields[0]
    assert (read.min_length, read.max_length, read.help) == (2, 5, "near")


def test_a_whole_schema_may_be_a_reference() -> None:
    schema = {
        "$ref": "#/$defs/M",
        "$defs": {"M": {"type": "object", "properties": {"a": {"type": "string"}}}},
    }
    assert [each.name for each in RequestedSchema.parse(schema).fields] == ["a"]


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"$ref": "http://127.0.0.1:9/x.json"}, "never followed"),
        ({"$ref": "file:///etc/passwd"}, "never followed"),
        ({"$ref": "#"}, "refers to itself"),
        ({"$ref": "#/properties/x"}, "refers to itself"),
        ({"$ref": "#/$defs/a"}, "refers to itself"),
        ({"$ref": "#/$defs/none"}, "leads nowhere"),
        ({"$ref": "#anchor"}, "leads nowhere"),
        ({"$dynamicRef": "#a"}, "not allowed"),
    ],
)
def test_a_reference_to_anywhere_else_is_refused(schema: Any, reason: str) -> None:
    circle = {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}}
    message = refusal({"type": "object", "$defs": circle, "properties": {"x": schema}})
    assert message.startswith('Field "x": ')
    assert reason in message


def test_references_that_multiply_are_refused_and_not_followed_to_the_end() -> None:
    bomb = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 10} for n in range(14)}
    bomb["d14"] = {"type": "string"}
    assert "too many steps" in refusal({"$defs": bomb, "properties": {"x": {"$ref": "#/$defs/d0"}}})
    large = {"L": {"type": "string", "description": "d" * 500_000}}
    many = {f"x{n}": {"$ref": "#/$defs/L"} for n in range(50)}
    assert "too long" in refusal({"$defs": large, "properties": many})


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"type": "string", "maxLength": 5}, {"type": "null"}], "default": None, "title": "Nick"},
        {"oneOf": [{"type": "null"}, {"type": "string", "maxLength": 5}], "title": "Nick"},
        {"type": ["string", "null"], "maxLength": 5, "title": "Nick"},
    ],
)
def test_a_value_or_null_is_an_optional_field(schema: Any) -> None:
    read = field(schema)
    assert (read.kind, read.max_length, read.label, read.nullable) == ("string", 5, "Nick", True)
    assert read.default is MISSING


def test_null_is_never_an_option_and_never_sent() -> None:
    schema = RequestedSchema.parse(
        form(
            "must",
            a={"enum": ["x", None]},
            b={"anyOf": [{"enum": ["x", "y"]}, {"type": "null"}], "default": None},
            c={"anyOf": [{"const": "x", "title": "X"}, {"const": None, "title": "Nothing"}]},
            must={"type": ["integer", "null"]},
        )
    )
    assert [[o.value for o in each.options] for each in schema.fields] == [["x"], ["x", "y"], ["x"], []]
    assert schema.fields[2].options[0].label == "X"
    reading = schema.read(schema.initial)
    assert (reading.content, set(reading.problems)) == (None, {"must"})
    assert schema.read({"must": "1"}).content == {"must": 1}


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"minLength": 1}, "string"),
        ({"pattern": "a"}, "string"),
        ({"format": "email"}, "email"),
        ({"minimum": 1}, "number"),
        ({"enum": ["a"]}, "choice"),
        ({"const": "a"}, "choice"),
        ({"oneOf": [{"const": "a", "title": "A"}]}, "choice"),
        ({"items": {"enum": ["a"]}}, "choices"),
        ({"default": True}, "boolean"),
        ({"default": "a"}, "string"),
    ],
)
def test_a_missing_type_is_told_from_the_rest_where_that_leaves_no_doubt(schema: Any, kind: str) -> None:
    read = RequestedSchema.parse(form(x=schema))
    assert read.fields[0].kind == kind
    assert any('"type" is missing' in note for note in read.notes)


@pytest.mark.parametrize("schema", [{}, {"title": "T"}, {"minLength": 1, "minimum": 1}, {"format": "int32"}])
def test_a_missing_type_that_nothing_tells_is_refused(schema: Any) -> None:
    assert refusal(form(x=schema)) == 'Field "x": its type is missing, and nothing else tells it.'


def test_annotations_and_unknown_formats_are_ignored_with_a_note() -> None:
    schema = RequestedSchema.parse(
        form(
            n={
                "type": "string",
                "examples": ["Ada"],
                "deprecated": True,
                "readOnly": True,
                "x-order": 2,
                "$comment": "c",
                "format": "phone",
            }
        )
    )
    read = schema.fields[0]
    assert (read.kind, read.placeholder) == ("string", "Ada")
    assert "read-only" in read.note
    assert schema.read({"n": "anything"}).content == {"n": "anything"}
    assert 'Field "n": "x-order" is ignored.' in schema.notes
    assert 'Field "n": Its format is not checked here.' in schema.notes


def test_keywords_that_are_null_are_as_good_as_absent() -> None:
    read = field({"type": "string", "title": None, "description": None, "enum": None, "minLength": None})
    assert (read.kind, read.label, read.help) == ("string", "x", "")


def test_an_invalid_default_is_no_value_and_the_field_says_so() -> None:
    schema = RequestedSchema.parse(
        form(
            c={"type": "string", "enum": ["#f00", "#0f0"], "default": "Green"},
            n={"type": "integer", "default": "7"},
            r={"type": "integer", "default": 70, "maximum": 9},
            b={"type": "boolean", "default": "yes"},
            e={"type": "string", "format": "email", "default": "nope"},
            m={"type": "array", "items": {"type": "string", "enum": ["a"]}, "default": "a"},
            t={"type": "array", "items": {"type": "string", "enum": ["a"]}, "default": ["a", "a"]},
            s={"type": "string", "default": "\ud800"},
        )
    )
    assert set(schema.initial.values()) == {None}
    assert all(each.note == "The server's default was not valid." for each in schema.fields)
    assert len(schema.notes) == len(schema.fields)
    assert schema.read(schema.initial).content == {}


def test_falsy_defaults_are_defaults() -> None:
    schema = RequestedSchema.parse(
        form(
            force={"type": "boolean", "default": False},
            retries={"type": "integer", "default": 0},
            tag={"type": "string", "default": ""},
            perms={"type": "array", "items": {"type": "string", "enum": ["a"]}, "default": []},
            none={"type": "string", "default": None},
        )
    )
    assert schema.initial == {"force": False, "retries": "0", "tag": "", "perms": [], "none": None}
    assert schema.notes == ()


@pytest.mark.parametrize(
    "requested", [{}, {"type": "object"}, {"properties": {}}, {"type": "object", "properties": {}}]
)
def test_a_schema_without_properties_is_a_confirmation(requested: Any) -> None:
    schema = RequestedSchema.parse(requested)
    assert schema.fields == ()
    assert schema.read({}).content == {}


def test_texts_of_the_whole_form_and_any_dialect_are_fine() -> None:
    draft = "https://json-schema.org/draft/2020-12/schema"
    schema = RequestedSchema.parse(
        {"$schema": draft, "title": "T", "description": "D", **form(a={"type": "string"})}
    )
    assert (schema.title, schema.description, schema.notes) == ("T", "D", ())
    assert RequestedSchema.parse({"$schema": "http://json-schema.org/draft-07/schema#", **form()}).notes == ()
    assert "dialect" in RequestedSchema.parse({"$schema": "https://example.org/mine", **form()}).notes[0]


def test_what_is_ignored_at_the_root_is_noted() -> None:
    notes = RequestedSchema.parse(
        {**form(a={"type": "string"}), "additionalProperties": False, "x-ui": {}}
    ).notes
    assert notes == ('"additionalProperties" is ignored.', '"x-ui" is ignored.')


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "object", "properties": {"a": {"type": "string"}}},
        {"properties": {"a": {"type": "string"}}},
        {"anyOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "null"}]},
        {"type": "array", "items": {"type": "string"}},
    ],
)
def test_a_field_that_no_form_can_ask_is_refused_even_where_it_is_optional(wrong: dict[str, Any]) -> None:
    assert refusal(form("n", cfg=wrong, n={"type": "string"})).startswith('Field "cfg": ')


def test_a_required_field_that_no_form_can_ask_is_refused_by_name() -> None:
    nested = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert (
        refusal(form("cfg", cfg=nested)) == 'Field "cfg": nested objects are not allowed in an elicitation.'
    )
    assert refusal(form("t", t={"type": "array", "items": {"type": "string"}})).startswith(
        'Field "t": a list of free'
    )
    assert refusal(form("t", t={"type": "array"})).startswith('Field "t": a list of free')
    assert refusal(form("t", t={"type": "array", "items": {"enum": [1, 2]}})).startswith(
        'Field "t": a multiple choice'
    )
    assert refusal(form("ghost")) == 'Field "ghost": it is required, but there is no such property.'


def test_a_name_required_twice_is_required() -> None:
    assert RequestedSchema.parse(form("a", "a", a={"type": "string"})).fields[0].required


@pytest.mark.parametrize(
    "schema",
    [
        True,
        False,
        5,
        None,
        {"type": ["integer", "string"]},
        {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        {"oneOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]},
        {"anyOf": [{"const": "a"}, {"type": "string"}]},
        {"type": "file"},
        {"type": 5},
        {"type": "string", "minLength": -1},
        {"type": "string", "minLength": "2"},
        {"type": "string", "minLength": True},
        {"type": "string", "pattern": 5},
        {"type": "string", "title": 5},
        {"type": "string", "format": ["email"]},
        {"type": "integer", "minimum": "1"},
        {"type": "integer", "exclusiveMinimum": True},
        {"type": "integer", "multipleOf": 0},
        {"type": "string", "enum": "ab"},
        {"anyOf": []},
        {"anyOf": {"const": 1}},
        {"allOf": [5]},
        {"type": "string", "not": {"const": "a"}},
        {"type": "string", "if": {}, "then": {}},
        {"type": "array", "items": {"enum": ["a"]}, "contains": {"const": "a"}},
        {"type": "array", "items": {"enum": ["a"]}, "uniqueItems": "yes"},
        {"$ref": 5},
    ],
)
def test_a_malformed_or_ambiguous_property_is_refused_whether_required_or_not(schema: Any) -> None:
    assert refusal(form(x=schema)).startswith('Field "x": ')
    assert refusal(form("x", x=schema)).startswith('Field "x": ')


@pytest.mark.parametrize(
    "requested",
    [
        None,
        [],
        "x",
        True,
        {"type": "string"},
        {"type": ["object"]},
        {"type": "object", "properties": []},
        {"type": "object", "properties": {}, "required": "a"},
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": [5]},
        {"type": "object", "properties": {}, "title": 5},
        {"type": "object", "properties": {}, "anyOf": [{"required": ["a"]}]},
        {"type": "object", "properties": {"a": {"type": "string"}}, "dependentRequired": {"a": ["b"]}},
        {"type": "object", "properties": {"a": {"type": "string"}}, "minProperties": 1},
        {"$ref": "#"},
        {"$ref": "https://example.org/schema.json"},
        {"type": "object", "properties": {5: {"type": "string"}}},
        {"type": "object", "properties": {"a": {"type": "string", "default": float("nan")}}},
        {"type": "object", "properties": {"a": {"type": "integer", "default": 10**5000}}},
        {"type": "object", "properties": {"a\ud800": {"type": "string"}}},
        {"type": "object", "properties": {"a": {"type": "string", "default": object()}}},
    ],
)
def test_a_malformed_schema_is_refused(requested: Any) -> None:
    assert refusal(requested)


def test_counts_of_fields_that_change_nothing_are_put_up_with() -> None:
    schema = {**form("a", a={"type": "string"}), "minProperties": 1, "maxProperties": 1}
    assert [each.name for each in RequestedSchema.parse(schema).fields] == ["a"]


def test_what_is_over_a_limit_is_refused_with_the_limit() -> None:
    text = {"type": "string"}
    fields = {f"f{n}": text for n in range(1000)}
    assert len(RequestedSchema.parse(form(**fields)).fields) == 1000
    assert "1000 fields" in refusal(form(**fields, more=text))
    values = [f"v{n}" for n in range(20_000)]
    assert len(field({"type": "string", "enum": values}).options) == 20_000
    assert "20000 options" in refusal(form(x={"enum": [*values, "more"]}))
    assert "20000 options" in refusal(form(x={"enum": values}, y={"enum": ["more"]}))
    assert "1048576 characters" in refusal(form(x={**text, "default": "d" * 1024 * 1024}))


def test_deep_input_is_refused_without_deep_recursion() -> None:
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"type": "object", "properties": {"a": deep}}
    assert "deep" in refusal(deep)
    listed: list[Any] = []
    for _ in range(100_000):
        listed = [listed]
    assert "deep" in refusal(form(x={"type": "string", "default": listed}))
    circle: dict[str, Any] = {"type": "object"}
    circle["properties"] = {"a": circle}
    assert "deep" in refusal(circle)


def test_the_given_schema_is_neither_changed_nor_kept() -> None:
    given = form(
        "m", m={"type": "array", "items": {"enum": ["a", "b"]}, "default": ["a"]}, e={"format": "email"}
    )
    before = copy.deepcopy(given)
    schema = RequestedSchema.parse(given)
    schema.read(schema.initial)
    assert given == before
    given["properties"]["m"]["items"]["enum"].append("c")
    given["properties"]["m"]["default"].append("c")
    schema.initial["m"].append("c")  # type: ignore[union-attr]
    schema.compiled["properties"]["m"]["items"]["enum"].append("c")
    schema.source["properties"]["m"]["items"]["enum"].append("c")
    assert [option.value for option in schema.fields[0].options] == ["a", "b"]
    assert schema.initial["m"] == ["a"]
    assert schema.compiled["properties"]["m"] == {"type": "array", "items": {"enum": ["a", "b"]}}
    assert schema.source == before


def test_filling_overlays_the_untouched_form() -> None:
    schema = RequestedSchema.parse(
        form(a={"type": "string", "default": "x"}, n={"type": "integer", "default": 3})
    )
    assert schema.fill({}) == {"a": "x", "n": "3"}
    assert schema.fill({"n": 5}) == {"a": "x", "n": 5}
    assert schema.read(schema.fill({"n": 5})).content == {"a": "x", "n": 5}
    assert schema.read(schema.fill({"a": None})).content == {"n": 3}
    assert "other" in schema.read(schema.fill({"other": 1})).problems


def test_a_specified_schema_passes_the_strict_policy_without_a_note() -> None:
    schema = RequestedSchema.parse(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **form(
                "s",
                s={
                    "type": "string",
                    "title": "T",
                    "description": "D",
                    "minLength": 1,
                    "maxLength": 9,
                    "default": "d",
                },
                e={"type": "string", "format": "email"},
                n={"type": "integer", "minimum": 1, "maximum": 9, "default": 2},
                b={"type": "boolean", "default": True},
                o={"type": "string", "enum": ["a"], "enumNames": ["A"], "default": "a"},
                t={"type": "string", "oneOf": [{"const": "a", "title": "A"}]},
                m={
                    "type": "array",
                    "items": {"type": "string", "enum": ["a"]},
                    "minItems": 0,
                    "default": ["a"],
                },
                u={"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}, "maxItems": 1},
            ),
        },
        policy="strict",
    )
    assert (len(schema.fields), schema.notes) == (8, ())


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "a"},
        {"type": "string", "format": "phone"},
        {"type": "string", "examples": ["a"]},
        {"type": "string", "const": "a"},
        {"type": ["string", "null"]},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"enum": ["a"]},
        {"type": "integer", "enum": [1]},
        {"type": "integer", "multipleOf": 2},
        {"type": "string", "anyOf": [{"const": "a", "title": "A"}]},
        {"type": "string", "oneOf": [{"const": "a"}]},
        {"type": "array", "items": {"oneOf": [{"const": "a", "title": "A"}]}},
        {"type": "array", "items": {"enum": ["a"]}},
        {"type": "array", "items": {"type": "string", "enum": ["a"]}, "uniqueItems": True},
        {"$ref": "#/properties/y"},
    ],
)
def test_the_strict_policy_refuses_all_that_the_specification_does_not_know(schema: Any) -> None:
    requested = form(x=schema, y={"type": "string"})
    RequestedSchema.parse(requested)
    assert 'Field "x": ' in refusal(requested, policy="strict")


def test_the_strict_policy_minds_the_root_as_well() -> None:
    assert "strict" in refusal({"properties": {}}, policy="strict")
    assert "strict" in refusal({**form(), "additionalProperties": False}, policy="strict")


def test_an_unknown_policy_is_the_callers_fault() -> None:
    with pytest.raises(LocalError, match="no policy"):
        RequestedSchema.parse({}, policy="kind")  # type: ignore[arg-type]


def test_a_patterns_beyond_the_hundredth_is_not_checked_and_noted() -> None:
    schema = RequestedSchema.parse(
        form(**{f"f{n}": {"type": "string", "pattern": "^a$"} for n in range(101)})
    )
    assert (schema.fields[99].pattern, schema.fields[100].pattern) == ("^a$", "")
    assert "not checked here" in schema.fields[100].note
    draft = {each.name: "b" for each in schema.fields}
    assert set(schema.read(draft).problems) == {f"f{n}" for n in range(100)}


def test_a_repr_names_the_fields_and_nothing_else() -> None:
    schema = RequestedSchema.parse(form(a={"type": "string", "default": "hidden"}))
    assert repr(schema) == 'RequestedSchema("a")'


def test_notes_are_capped_and_counted() -> None:
    schema = RequestedSchema.parse(form(x={"type": "string", **{f"x-{n}": 1 for n in range(150)}}))
    assert len(schema.notes) == 101
    assert schema.notes[-1] == "50 more notes are left out."
