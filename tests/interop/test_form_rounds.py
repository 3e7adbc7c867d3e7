"""Servers that ask more than once, and servers whose questions only one era can carry."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jupyter_process import wait_until

from .page import Card, Page

pytestmark = pytest.mark.interop

NAME = {"Name": "Grace"}
DAY = {"Day": "2026-12-24", "When": "Morning"}
ALL_TS2 = pytest.mark.parametrize("server", ["ts2-stdio", "ts2-stdio-legacy", "ts2-http"])


@pytest.mark.parametrize("last_first", [False, True])
@ALL_TS2
def test_two_questions_of_one_round_stand_side_by_side_and_take_answers_in_any_order(
    page: Page, server: str, last_first: bool
) -> None:
    cell = page.call(server, "two_at_once")
    cards = {card["message"]: card for card in page.questions(cell, 2)}
    who, when = cards["Who are you?"], cards["When do you come?"]
    if not server.endswith("legacy"):
        assert [(card["cause"]["number"], card["cause"]["of"]) for card in (who, when)] == [(1, 2), (2, 2)]
    answers = [(who, NAME), (when, DAY)]
    for card, answer in reversed(answers) if last_first else answers:
        assert cell.reply is None
        page.accept(card, answer)
    assert page.said_json(cell) == {
        "who": {"action": "accept", "content": {"name": "Grace"}},
        "when": {"action": "accept", "content": {"day": "2026-12-24", "when": "am"}},
    }


@ALL_TS2
def test_one_question_of_a_round_may_be_declined_and_the_other_accepted(page: Page, server: str) -> None:
    cell = page.call(server, "two_at_once")
    cards = {card["message"]: card for card in page.questions(cell, 2)}
    page.press(cards["When do you come?"], "decline")
    page.accept(cards["Who are you?"], NAME)
    assert page.said_json(cell) == {
        "who": {"action": "accept", "content": {"name": "Grace"}},
        "when": {"action": "decline"},
    }


@ALL_TS2
def test_a_second_round_may_be_about_the_answers_of_the_first(page: Page, server: str) -> None:
    cell = page.call(server, "two_rounds")
    page.accept(page.question(cell), NAME)
    second = _next(page, "When do you come, Grace?")
    page.press(second, "cancel")
    assert page.said_json(cell) == {
        "who": {"action": "accept", "content": {"name": "Grace"}},
        "when": {"action": "cancel"},
    }


def test_an_event_is_created_from_two_forms_one_after_the_other(page: Page) -> None:
    cell = page.call("sdk-form-example-http", "create_event")
    page.accept(page.question(cell), {"Event Title": "Launch"})
    second = _next(page, "Step 2: Enter date and time")
    draft = [["date", "2026-12-24"], ["startTime", "19:30"], ["duration", "14"]]
    status, shape = page.send(second, "accept", draft=draft)
    assert (status, [name for name, _ in shape["problems"]]) == (422, ["duration"])
    page.accept(second, {"Date": "2026-12-24", "Start Time": "19:30", "Duration": "15"})
    said = page.said(cell)
    event = json.loads(said.partition("Event created successfully!")[2])
    assert event == {"title": "Launch", "date": "2026-12-24", "startTime": "19:30", "duration": 15}
    # Under the cell stand two records, and neither holds what was typed.
    assert said.count("asked during create_event · accepted") == 2
    assert "Launch" not in str([each["data"] for each in cell.outputs if each["type"] == "display_data"])


@pytest.mark.parametrize("server", ["mcp1-stdio", "mcp1-http", "mcp2-stdio-legacy", "mcp2-http-legacy"])
def test_a_tool_that_asks_twice_hears_both_answers(page: Page, server: str) -> None:
    cell = page.call(server, "ask_twice")
    page.accept(page.question(cell), {"Name": "Grace"})
    page.accept(_next(page, "Where would you like to sit?"), {"Seat": "window"})
    first, second = page.said_json(cell)
    assert (first["action"], first["data"]["name"]) == ("accept", "Grace")
    assert second == {"action": "accept", "data": {"seat": "window"}}


def test_optional_fields_of_the_older_python_sdk_are_left_out_when_unanswered(page: Page) -> None:
    cell = page.call("mcp1-stdio", "ask_guest")
    card = page.question(cell)
    # Its schema says "an integer or null", with null as the default; the form only says "optional".
    assert [(field["name"], field["kind"], field["required"]) for field in card["fields"]] == [
        ("name", "string", True),
        ("age", "integer", False),
        ("nickname", "string", False),
        ("vegetarian", "boolean", False),
    ]
    page.accept(card, {"Name": "Grace"})
    assert page.said_json(cell) == {
        "action": "accept",
        "data": {"name": "Grace", "age": None, "nickname": None, "vegetarian": False},
    }
    assert page.sent_answer("mcp1-stdio") == {
        "action": "accept",
        "content": {"name": "Grace", "vegetarian": False},
    }


@pytest.mark.parametrize("server", ["fastmcp-stdio-legacy", "fastmcp-http-legacy"])
@pytest.mark.parametrize(
    ("tool", "value", "data"),
    [
        ("ask_text", "Lyon", "Lyon"),
        ("ask_number", "-3", -3),
        ("ask_choice", "large", "large"),
        ("ask_titled", "Large", "l"),
        ("ask_several", ["basil", "cheese"], ["cheese", "basil"]),
        ("ask_several", [], []),
    ],
)
def test_each_answer_type_of_fastmcp_is_one_field_and_arrives_unwrapped(
    page: Page, server: str, tool: str, value: Any, data: Any
) -> None:
    cell = page.call(server, tool)
    page.accept(page.question(cell), {"value": value})
    assert page.said_json(cell) == {"action": "accept", "data": data}


@pytest.mark.parametrize(
    ("server", "tool"),
    [
        ("fastmcp-stdio", "ask_text"),
        ("fastmcp-http", "ask_text"),
        ("mcp2-stdio", "ask_guest"),
        ("mcp2-http", "ask_guest"),
    ],
)
def test_where_the_newest_era_has_no_way_to_ask_the_cell_names_the_way_out(
    page: Page, server: str, tool: str
) -> None:
    cell = page.call(server, tool)
    card = page.question(cell)
    assert (card["asker"]["kind"], card["fields"]) == ("jupyter", [])
    assert "may be done a second time" in card["message"]
    page.press(card, "decline")
    said = page.said(cell)
    assert f'Set "era": "legacy" for the server "{server}" in mcp.json, or connect(…, era="legacy")' in said
    assert page.jupyter.open_cards() == []


def _next(page: Page, message: str) -> Card:
    """The question that comes after one that was answered."""

    def look() -> Card | None:
        return next((card for card in page.jupyter.open_cards() if card["message"] == message), None)

    return wait_until(look, f"question {message!r}")
