from __future__ import annotations

import json
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from asked import AT, EVERY_KIND, contents, form, question, schema, url
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcp_elicit.core import Accept, Asker, Cancel, Cause, Decline, LocalError, RequestedSchema, wire
from jupyter_mcp_elicit.core.elicitation import Answer
from jupyter_mcp_elicit.core.lifecycle import ACTIONS, REASONS, Event, Handover, State
from jupyter_mcp_elicit.core.question import Question

JS = Path(__file__).parents[2] / "js" / "src"


def options(schema_of_field: Any) -> list[dict[str, Any]]:
    [field] = wire.card(question({"x": schema_of_field}))["fields"]
    found: list[dict[str, Any]] = field["options"]
    return found


def beside(*titled: tuple[Any, str]) -> list[str]:
    """What is shown beside each label of a choice."""
    return [
        each["value"]
        for each in options({"oneOf": [{"const": value, "title": label} for value, label in titled]})
    ]


def from_page(properties: dict[str, Any], pairs: Any) -> Any:
    of = schema(properties)
    return of.read(wire.draft_from_page(of, pairs))


def test_a_card_says_who_asks_what_and_why() -> None:
    asked = form(
        {"party": {"type": "integer", "title": "Party size", "minimum": 1, "maximum": 12, "default": 4}},
        "party",
        asker=Asker("bistro", transport="stdio: python -m bistro", calls_itself="Bistro"),
        cause=Cause("book_table", '{"day": "2026-12-01"}', "caused"),
    )
    origin = wire.origin("kernel:4a7c")
    assert origin == {"kind": "kernel", "id": "4a7c"}
    assert wire.card(Question(asked, created=AT), clock=wire.Clock(600, 1.5), origin=origin) == {
        "id": asked.id,
        "mode": "form",
        "state": "pending",
        "message": "Which table?",
        "asker": {
            "name": "bistro",
            "kind": "server",
            "transport": "stdio: python -m bistro",
            "callsItself": "Bistro",
        },
        "cause": {"tool": "book_table", "arguments": '{"day": "2026-12-01"}', "certainty": "caused"}
        | {"round": 0, "number": 0, "of": 0},
        "origin": origin,
        "fields": [
            {
                "name": "party",
                "kind": "integer",
                "label": "Party size",
                "help": "",
                "required": True,
                "hint": "1 to 12",
                "placeholder": "",
                "multiline": False,
                "sensitive": False,
                "note": "",
                "options": [],
            }
        ],
        "draft": [["party", "4"]],
        "notes": [],
        "created": "2026-12-01T09:30:00Z",
        "secondsLeft": 600,
        "secondsStill": 1.5,
        "mayExtend": True,
        "outcome": None,
    }


def test_a_card_of_a_url_shows_it_and_has_no_form() -> None:
    card = wire.card(Question(url("https://bank.example/pay?id=1"), created=AT))
    assert card["mode"] == "url"
    assert card["url"] == {
        "href": "https://bank.example/pay?id=1",
        "level": "ok",
        "scheme": "https",
        "host": "bank.example",
        "unicodeHost": "",
        "domain": "bank.example",
        "warnings": [],
    }
    assert card["flow"] is None
    assert card["fields"] == card["draft"] == []


def test_a_settled_card_says_how_it_ended() -> None:
    settled = question()
    settled.settle(Event.DECLINE, at=AT, answer=Decline(), channel="page", by="ada")
    settled.hand(Handover.SEND)
    card = wire.card(settled)
    assert card["state"] == "declined"
    assert card["outcome"] == {
        "action": "decline",
        "reason": "",
        "channel": "page",
        "by": "ada",
        "at": "2026-12-01T09:30:00Z",
        "trouble": "",
        "withdrawnBy": "",
        "delivery": "sent",
    }


@given(contents(), contents())
def test_a_card_is_the_same_whatever_was_answered(one: dict[str, Any], other: dict[str, Any]) -> None:
    asked = form(EVERY_KIND)
    cards = []
    for content in (one, other):
        settled = Question(asked, created=AT)
        settled.settle(Event.ACCEPT, at=AT, answer=Accept(content), channel="page", by="ada")
        cards.append(wire.card(settled))
    assert cards[0] == cards[1]
    assert "planted" not in json.dumps(cards[0])


@given(contents())
def test_a_card_is_strict_json_whatever_the_form_starts_with(defaults: dict[str, Any]) -> None:
    properties = {name: {**EVERY_KIND[name], "default": value} for name, value in defaults.items()}
    card = wire.card(question(properties), clock=wire.Clock(1.0))
    assert json.loads(json.dumps(card, allow_nan=False)) == card
    # A page's numbers are JavaScript's, so a draft has none.
    assert all(
        value is None or isinstance(value, str | bool | list)
        for _, value in wire.card(question(properties))["draft"]
    )


@given(contents())
def test_an_untouched_form_comes_back_from_the_page_as_it_went_there(defaults: dict[str, Any]) -> None:
    of = schema({name: {**EVERY_KIND[name], "default": value} for name, value in defaults.items()})
    pairs = json.loads(json.dumps(wire.draft_to_page(of, of.initial)))
    assert wire.draft_from_page(of, pairs) == of.initial
    assert of.read(wire.draft_from_page(of, pairs)).content == defaults


@given(contents())
def test_what_code_filled_in_comes_back_from_the_page(content: dict[str, Any]) -> None:
    of = schema(EVERY_KIND)
    pairs = json.loads(json.dumps(wire.draft_to_page(of, content)))
    assert of.read(wire.draft_from_page(of, pairs)).content == content


def test_a_draft_names_every_field_in_order() -> None:
    names = ["z", "__proto__", "a", "constructor"]
    of = schema({name: {"type": "string"} for name in names})
    assert wire.draft_to_page(of, {}) == [[name, None] for name in names]


def test_numbers_reach_the_page_as_text_for_javascript_would_round_them() -> None:
    of = schema({"n": {"type": "integer", "default": 2**63 + 1}, "d": {"type": "number"}})
    assert wire.draft_to_page(of, of.initial) == [["n", "9223372036854775809"], ["d", None]]
    assert wire.draft_to_page(of, {"n": 2**70, "d": 1e-7}) == [["n", str(2**70)], ["d", "1e-07"]]


def test_options_travel_by_their_place_since_a_value_may_be_any_json() -> None:
    of = {"enum": ["1", 1, True, "true", 2**60 + 1]}
    assert [each["key"] for each in options(of)] == ["0", "1", "2", "3", "4"]
    for place, value in enumerate(of["enum"]):
        reading = from_page({"x": of}, [["x", str(place)]])
        assert reading.content == {"x": value}
        assert type(reading.content["x"]) is type(value)
        assert wire.draft_to_page(schema({"x": of}), {"x": value}) == [["x", str(place)]]


def test_several_options_travel_as_a_list_of_places() -> None:
    of = {"type": "array", "items": {"enum": ["r", "w", "x"]}}
    assert from_page({"x": of}, [["x", ["2", "0"]]]).content == {"x": ["r", "x"]}
    assert from_page({"x": of}, [["x", []]]).content == {"x": []}
    assert from_page({"x": of}, [["x", None]]).content == {}
    assert wire.draft_to_page(schema({"x": of}), {"x": ["x", "r"]}) == [["x", ["2", "0"]]]


@pytest.mark.parametrize("key", ["3", "-1", "", "low", "1.0", "٠", "9" * 5000, 0, 1.0, True, [], ["0"], {}])
def test_an_option_that_does_not_exist_is_a_problem_of_its_field(key: Any) -> None:
    one = {"enum": ["low", 1, True]}
    assert list(from_page({"x": one}, [["x", key]]).problems) == ["x"]
    many = {"type": "array", "items": {"enum": ["low", "high"]}}
    if key != ["0"] and key != []:
        assert list(from_page({"x": many}, [["x", key]]).problems) == ["x"]
    assert list(from_page({"x": many}, [["x", ["0", key]]]).problems) == ["x"]


@pytest.mark.parametrize("value", ["low", 7, True, {"a": 1}, None])
def test_a_draft_of_code_that_fits_no_option_ticks_none(value: Any) -> None:
    of = schema({"one": {"enum": ["a", "b"]}, "many": {"type": "array", "items": {"enum": ["a", "b"]}}})
    draft = dict(wire.draft_to_page(of, {"one": value, "many": value}))
    assert draft["one"] is None
    assert draft["many"] in (None, [])


def test_the_value_stays_away_where_the_label_is_enough() -> None:
    assert beside(("low", "Low"), ("high", "High")) == ["", ""]
    assert beside(("cpp", "C++"), ("cs", "C#"), ("c", "C")) == ["", "", ""]


@pytest.mark.parametrize(
    "label",
    [
        "Submit",
        " CANCEL ",
        "Decline",
        "accept",
        "OK",
        "o.k.",
        "Ａｃｃｅｐｔ",
        "[Submit]",
        "Acc\u200bept",
        "Cancel…",
    ],
)
def test_a_label_that_imitates_one_of_our_buttons_shows_its_value(label: str) -> None:
    assert beside(("everything", label), ("one", "Only one")) == ["everything", ""]


def test_labels_that_look_the_same_show_their_values() -> None:
    assert beside(("a", "Berlin"), ("b", "berlin "), ("c", "Bonn")) == ["a", "b", ""]
    assert beside(("a", "Bonn"), ("b", "Bo\u200bnn")) == ["a", "b"]


def test_values_that_look_the_same_are_written_as_json() -> None:
    assert beside((1, "One"), ("1", "One"), (True, "One")) == ["1", '"1"', "true"]
    assert beside(("", "None"), ("  ", "None"), ("none", "None")) == ['""', '"  "', "none"]


@pytest.mark.parametrize(
    "pairs", [None, "name", 5, {"name": "Ada"}, [["a"]], [["a", 1, 2]], [[1, "a"]], ["ab"]]
)
def test_a_page_sends_pairs(pairs: Any) -> None:
    with pytest.raises(LocalError, match="pairs"):
        wire.draft_from_page(schema({"a": {"type": "string"}}), pairs)


def test_a_page_sends_each_field_once() -> None:
    with pytest.raises(LocalError, match="two values"):
        wire.draft_from_page(schema({"a": {"type": "string"}}), [["a", "1"], ["a", "2"]])


def test_a_name_that_is_no_field_is_kept_for_the_reading_to_refuse() -> None:
    assert list(from_page({"a": {"type": "string"}}, [["b", "1"]]).problems) == ["b"]


_ANSWERS: st.SearchStrategy[Answer] = st.one_of(
    contents().map(Accept),
    st.just(Accept()),
    st.just(Decline()),
    st.sampled_from(REASONS).map(Cancel),
)


@given(_ANSWERS)
def test_an_answer_crosses_the_wire_unchanged(given_answer: Answer) -> None:
    shape = json.loads(json.dumps(wire.answer(given_answer), allow_nan=False))
    assert wire.read_answer(shape) == given_answer


@given(_ANSWERS)
def test_content_goes_with_an_accepted_form_and_with_nothing_else(given_answer: Answer) -> None:
    shape = wire.answer(given_answer)
    assert shape["action"] == given_answer.action
    assert ("content" in shape) == (isinstance(given_answer, Accept) and given_answer.content is not None)


@pytest.mark.parametrize(
    "shape",
    [
        {},
        {"action": None},
        {"action": "Accept"},
        {"action": ["accept"]},
        {"action": "accept", "content": "Ada"},
        {"action": "accept", "content": [["name", "Ada"]]},
        {"action": "cancel", "reason": "bored"},
        {"action": "cancel", "reason": None},
        {"action": "cancel", "reason": ["expired"]},
    ],
)
def test_anything_else_is_no_answer(shape: dict[str, Any]) -> None:
    with pytest.raises(LocalError):
        wire.read_answer(shape)


def test_times_are_written_in_utc() -> None:
    berlin = timezone(timedelta(hours=2))
    assert wire.stamp(datetime(2026, 7, 1, 1, 30, 5, 999, tzinfo=berlin)) == "2026-06-30T23:30:05Z"


@pytest.mark.parametrize(("left", "told"), [(None, None), (0.0, 0), (-3.0, 0), (1.23456, 1.235), (1e9, 1e9)])
def test_the_time_that_is_left_is_never_negative(left: float | None, told: float | None) -> None:
    clock = None if left is None else wire.Clock(left)
    assert wire.card(question(), clock=clock)["secondsLeft"] == told


def test_the_page_knows_every_state_action_and_kind_of_field() -> None:
    parse = (JS / "parse.ts").read_text(encoding="utf-8")

    def listed(name: str) -> list[str]:
        found = re.search(rf"const {name}: [^=]*= \[(.*?)\]", parse, re.DOTALL)
        assert found is not None
        return re.findall(r"'([^']+)'", found[1])

    assert listed("STATES") == [state.value for state in State]
    assert sorted(listed("ACTIONS")) == sorted(set(ACTIONS.values()))
    for name in EVERY_KIND:
        assert f"'{name}'" in (JS / "wire.ts").read_text(encoding="utf-8")


def test_the_page_reads_every_key_of_a_card() -> None:
    parse = (JS / "parse.ts").read_text(encoding="utf-8")
    settled = question(EVERY_KIND)
    settled.settle(Event.EXPIRE, at=AT)
    card = wire.card(settled)
    form_card = [card, card["asker"], card["cause"], card["outcome"], *card["fields"]]
    url_card = wire.card(Question(url(), created=AT))
    for shape in (*form_card, url_card, url_card["url"]):
        for key in shape:
            assert f"'{key}'" in parse, key


def test_a_schema_that_crosses_the_wire_reads_the_same_there() -> None:
    of = schema(EVERY_KIND, "integer")
    other = RequestedSchema.parse(json.loads(json.dumps(of.source)))
    assert wire.draft_to_page(other, other.initial) == wire.draft_to_page(of, of.initial)
    assert other.fields == of.fields
