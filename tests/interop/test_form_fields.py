"""The thirteen fields of the reference server: what is typed arrives, and nothing else does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .page import Page

pytestmark = pytest.mark.interop

TOOL = "trigger-elicitation-request"
BOTH = pytest.mark.parametrize("server", ["everything-stdio", "everything-http"])

#: What the form holds untouched, as the server wrote it.
DEFAULTS = {
    "firstLine": "It was a dark and stormy night.",
    "integer": 42,
    "number": 3.14,
    "untitledSingleSelectEnum": "Monica",
    "untitledMultipleSelectEnum": ["Guitar"],
    "titledSingleSelectEnum": "hero-1",
    "titledMultipleSelectEnum": ["fish-1"],
    "legacyTitledEnum": "pet-1",
}


def received(said: str) -> Any:
    """The answer as the server prints it."""
    return json.loads(said.partition("Raw result: ")[2])


@BOTH
def test_all_thirteen_fields_arrive_as_they_were_filled_in(page: Page, server: str) -> None:
    cell = page.call(server, TOOL)
    card = page.question(cell)
    assert card["message"] == "Please provide inputs for the following fields:"
    page.accept(
        card,
        {
            "String": " Grace Brewster Hopper ",
            "Boolean": False,
            "String with default": "Call me Ishmael.",
            "String with email format": "grace@example.org",
            "String with uri format": "https://example.org/~grace?a=1&b=%20#top",
            "String with date format": "1906-12-09",
            "Integer": "7",
            "Number in range 1-1000": "0.1",
            "Untitled Single Select Enum": "Ross",
            "Untitled Multiple Select Enum": ["Bass", "Piano"],
            "Titled Single Select Enum": "Wonder Woman",
            "Titled Multiple Select Enum": ["Trout", "Tuna", "Salmon"],
            "Legacy Titled Single Select Enum": "Reptiles",
        },
    )
    said = page.said(cell)
    assert "✅ User provided the requested information!" in said
    assert "- Agreed to terms: false\n" in said
    assert received(said) == {
        "action": "accept",
        "content": {
            "name": " Grace Brewster Hopper ",
            "check": False,
            "firstLine": "Call me Ishmael.",
            "email": "grace@example.org",
            "homepage": "https://example.org/~grace?a=1&b=%20#top",
            "birthdate": "1906-12-09",
            "integer": 7,
            "number": 0.1,
            "untitledSingleSelectEnum": "Ross",
            "untitledMultipleSelectEnum": ["Piano", "Bass"],
            "titledSingleSelectEnum": "hero-3",
            "titledMultipleSelectEnum": ["fish-1", "fish-2", "fish-3"],
            "legacyTitledEnum": "pet-5",
        },
    }


@BOTH
def test_with_only_the_required_field_filled_in_the_defaults_go_along_and_the_rest_is_left_out(
    page: Page, server: str
) -> None:
    cell = page.call(server, TOOL)
    page.accept(page.question(cell), {"String": "Grace"})
    assert received(page.said(cell)) == {"action": "accept", "content": {"name": "Grace", **DEFAULTS}}


def test_untouched_defaults_are_sent_byte_for_byte(page: Page) -> None:
    cell = page.call("everything-stdio", TOOL)
    page.accept(page.question(cell), {"String": "Grace"})
    page.said(cell)
    content = json.dumps({"name": "Grace", **DEFAULTS}, separators=(",", ":"))
    assert f'"content":{content}' in page.sent("everything-stdio")


@BOTH
def test_cleared_defaults_are_not_filled_in_again(page: Page, server: str) -> None:
    cell = page.call(server, TOOL)
    card = page.question(cell)
    cleared = dict.fromkeys(DEFAULTS)
    page.accept(card, {"name": "Grace", **cleared, "firstLine": ""})
    # A story may begin with nothing at all: the schema takes the empty text.
    assert received(page.said(cell)) == {"action": "accept", "content": {"name": "Grace", "firstLine": ""}}


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_no_content_goes_along_with_a_refusal(page: Page, action: str) -> None:
    for server in ("everything-stdio", "everything-http"):
        cell = page.call(server, TOOL)
        page.press(page.question(cell), action)
        assert received(page.said(cell)) == {"action": action}
    assert page.sent_answer("everything-stdio") == {"action": action}


@BOTH
def test_what_does_not_fit_stays_here_until_it_is_corrected(page: Page, server: str) -> None:
    cell = page.call(server, TOOL)
    card = page.question(cell)
    wrong = {
        "name": None,
        "email": "grace at example.org",
        "homepage": "not a uri",
        "birthdate": "1906-02-30",
        "integer": "101",
        "number": "1,5",
        "untitledMultipleSelectEnum": [],
        "titledMultipleSelectEnum": [],
    }
    draft = {**dict(card["draft"]), **wrong}
    status, shape = page.send(card, "accept", draft=[list(pair) for pair in draft.items()])
    assert status == 422
    assert [name for name, _ in shape["problems"]] == list(wrong)
    assert all(sentence.endswith(".") for _, sentence in shape["problems"])
    assert page.jupyter.card(card["id"])["outcome"] is None
    assert cell.reply is None
    page.accept(card, {"name": "Grace", "integer": "100", "number": "1.5"})
    content = {"name": "Grace", **DEFAULTS, "integer": 100, "number": 1.5}
    assert received(page.said(cell)) == {"action": "accept", "content": content}
