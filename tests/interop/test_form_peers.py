"""Forms of servers that nobody here wrote: the three answers, told by what each server says it received."""

from __future__ import annotations

from typing import Any

import pytest

from .page import Page

pytestmark = pytest.mark.interop

Answers = dict[str, Any]

GUEST = {"Name": "Grace", "Age": "36"}
TRIP = {"City": "Lyon", "Days": "3"}

#: Servers, tool, the answers to its forms in order, and what the server says when they are accepted.
ASKING: list[tuple[str, str, list[Answers], Any]] = [
    (
        "everything-stdio everything-http",
        "trigger-elicitation-request",
        [{"String": "Grace"}],
        "✅ User provided the requested information!",
    ),
    (
        "sdk-form-example-http",
        "register_user",
        [{"Username": "grace", "Email": "grace@example.org", "Password": "not a secret"}],
        "Registration successful!\n\nUsername: grace\nEmail: grace@example.org\nNewsletter: No",
    ),
    (
        "sdk-form-example-http",
        "update_shipping_address",
        [
            {
                "Full Name": "Grace",
                "Street Address": "1 Main Street",
                "City": "Arlington",
                "State/Province": "VA",
                "ZIP/Postal Code": "01234",
            }
        ],
        # Without the phone, and with the zero that a number would lose.
        '"state": "VA",\n  "zipCode": "01234"\n}',
    ),
    (
        "ts2-stdio ts2-stdio-legacy ts2-http",
        "two_rounds",
        [{"Name": "Grace"}, {"Day": "2026-12-24"}],
        {
            "who": {"action": "accept", "content": {"name": "Grace"}},
            "when": {"action": "accept", "content": {"day": "2026-12-24", "when": "pm"}},
        },
    ),
    (
        "fastmcp-stdio-legacy fastmcp-http-legacy",
        "ask_trip",
        [TRIP],
        {"action": "accept", "data": {"city": "Lyon", "days": 3, "hotel": True, "season": "summer"}},
    ),
    (
        "mcp1-stdio mcp1-http",
        "ask_guest",
        [GUEST],
        {"action": "accept", "data": {"name": "Grace", "age": 36, "nickname": None, "vegetarian": False}},
    ),
    (
        "mcp2-stdio-legacy mcp2-http-legacy",
        "ask_guest",
        [GUEST],
        {"action": "accept", "data": {"name": "Grace", "age": 36, "seat": "aisle"}},
    ),
    (
        "mcp2-stdio mcp2-http mcp2-stdio-legacy mcp2-http-legacy",
        "ask_any",
        [GUEST],
        {"action": "accept", "data": {"name": "Grace", "age": 36, "seat": "aisle"}},
    ),
]

#: What a tool says when its first form is declined, and when it is cancelled.
REFUSED: dict[str, tuple[Any, Any]] = {
    "trigger-elicitation-request": (
        "❌ User declined to provide the requested information.",
        "⚠️ User cancelled the elicitation dialog.",
    ),
    "register_user": ("Registration cancelled by user.", "Registration was cancelled."),
    "update_shipping_address": ("Address update cancelled by user.", "Address update was cancelled."),
    "two_rounds": ({"who": {"action": "decline"}}, {"who": {"action": "cancel"}}),
    "ask_trip": ({"action": "decline", "data": None}, {"action": "cancel", "data": None}),
    "ask_guest": ({"action": "decline", "data": None}, {"action": "cancel", "data": None}),
    "ask_any": ({"action": "decline", "data": None}, {"action": "cancel", "data": None}),
}

EACH = [(server, *rest) for servers, *rest in ASKING for server in servers.split()]
NAMES = [f"{server} {tool}" for server, tool, *_ in EACH]


@pytest.mark.parametrize(("server", "tool", "answers", "expected"), EACH, ids=NAMES)
def test_what_is_accepted_arrives(
    page: Page, server: str, tool: str, answers: list[Answers], expected: Any
) -> None:
    cell = page.call(server, tool)
    for each in answers:
        card = page.question(cell)
        assert card["asker"]["name"] == server
        assert card["cause"]["tool"] == tool
        page.accept(card, each)
    _check(page, cell, expected)
    assert page.jupyter.card(card["id"])["outcome"]["delivery"] == "done"


@pytest.mark.parametrize("action", ["decline", "cancel"])
@pytest.mark.parametrize(("server", "tool"), [(server, tool) for server, tool, *_ in EACH], ids=NAMES)
def test_declining_and_cancelling_are_told_apart(page: Page, server: str, tool: str, action: str) -> None:
    cell = page.call(server, tool)
    page.press(page.question(cell), action)
    _check(page, cell, REFUSED[tool][action == "cancel"])


def _check(page: Page, cell: Any, expected: Any) -> None:
    if isinstance(expected, str):
        assert expected in page.said(cell)
    else:
        assert page.said_json(cell) == expected
