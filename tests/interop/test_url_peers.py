"""Addresses that servers which nobody here wrote want opened: what the person chose, told by the server."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_process import wait_until
from kernel_client import Cell

from .page import Card, Page
from .url_example import UrlExample, url_example

pytestmark = pytest.mark.interop

ADDRESS = "https://shop.example.org/pay?order=7"

_numbers = itertools.count()

EVERYTHING = [
    "✅ User completed the URL elicitation flow.",
    "❌ User declined to open the URL",
    "⚠️ User cancelled the URL elicitation",
]

#: Servers, tool, arguments, the address, and what the server says of accept, decline and cancel.
ASKING: list[tuple[str, str, dict[str, Any], str, list[Any]]] = [
    (
        "everything-stdio everything-http",
        "trigger-url-elicitation",
        {"url": ADDRESS, "message": "Please pay."},
        ADDRESS,
        EVERYTHING,
    ),
    (
        "ts2-stdio ts2-stdio-legacy ts2-http",
        "visit",
        {},
        "https://example.com/consent",
        [{"page": {"action": action}} for action in ("accept", "decline", "cancel")],
    ),
    (
        "mcp1-stdio mcp1-http mcp2-stdio-legacy mcp2-http-legacy",
        "visit",
        {},
        "https://example.com/consent",
        [{"action": action, "data": None} for action in ("accept", "decline", "cancel")],
    ),
]

#: Servers with a tool that fails with -32042 before it works. fastmcp makes a plain failure of that error.
NEEDING = ["mcp1-stdio", "mcp1-http"]

EACH = [
    (server, tool, arguments, address, action, said[number])
    for servers, tool, arguments, address, said in ASKING
    for server in servers.split()
    for number, action in enumerate(("accept", "decline", "cancel"))
]


@pytest.fixture(scope="module")
def example(page: Page, peers: dict[str, Any]) -> Iterator[UrlExample]:
    """The TypeScript SDK's example of URL mode, configured as ``sdk-url-example``."""
    node, preload, loopback, script = peers["sdk-form-example"].http
    with url_example((node, preload, loopback), Path(script).parents[6]) as running:
        page.configure("sdk-url-example", running.entry)
        yield running


@pytest.mark.parametrize(
    ("server", "tool", "arguments", "address", "action", "expected"),
    EACH,
    ids=[f"{server} {tool} {action}" for server, tool, _, _, action, _ in EACH],
)
def test_what_the_person_says_to_an_address_arrives(
    page: Page, server: str, tool: str, arguments: dict[str, Any], address: str, action: str, expected: Any
) -> None:
    cell = page.call(server, tool, arguments)
    card = page.question(cell)
    assert card["mode"] == "url"
    assert card["url"]["href"] == address
    assert card["asker"]["name"] == server
    if action == "accept":
        page.agree(card)
    else:
        page.press(card, action)
    if isinstance(expected, str):
        said = page.said(cell)
        assert expected in said
        # No content goes with an address, whatever was said.
        assert '"content"' not in said
    else:
        assert page.said_json(cell) == expected


@pytest.mark.parametrize("server", NEEDING)
def test_a_call_that_needs_an_address_first_is_sent_again_when_the_person_is_done(
    page: Page, server: str
) -> None:
    cell = page.call(server, "needs_url", {"key": f"again-{server}-{next(_numbers)}"})
    card = _opened(page, cell)
    assert card["url"]["href"] == "https://example.com/consent"
    page.finish(card)
    assert page.said_json(cell) == {"action": "done"}


@pytest.mark.parametrize("server", NEEDING)
@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_call_that_needs_an_address_first_fails_when_the_person_does_not_want_it(
    page: Page, server: str, action: str
) -> None:
    cell = page.call(server, "needs_url", {"key": f"not-{server}-{next(_numbers)}"})
    page.press(page.question(cell), action)
    assert "RemoteError" in page.said(cell)


@pytest.mark.parametrize("server", ["everything-stdio", "everything-http"])
def test_after_the_address_that_an_error_named_the_same_call_asks_for_its_own(
    page: Page, server: str
) -> None:
    arguments = {"url": f"{ADDRESS}&n={next(_numbers)}", "errorPath": True}
    cell = page.call(server, "trigger-url-elicitation", arguments)
    first = _opened(page, cell)
    assert first["url"]["domain"] == "modelcontextprotocol.io"
    page.finish(first)
    second = _opened(page, cell)
    assert second["url"]["href"] == arguments["url"]
    assert EVERYTHING[0] in page.said(cell)


def test_the_word_of_the_server_that_a_page_is_done_is_enough(page: Page, example: UrlExample) -> None:
    """The TypeScript SDK's own example says it five seconds later, on its own, for each call."""
    cell = page.call("sdk-url-example", "third-party-auth", {"param1": "x"})
    card = _opened(page, cell)
    assert card["url"]["href"] == "https://www.example.com/oauth/authorize"
    wait_until(lambda: page.jupyter.card(card["id"])["flow"] == "completed", "word of the server", 20)
    # It asks the same again, for ever: the second address is declined.
    page.press(page.question(cell), "decline")
    assert "RemoteError" in page.said(cell)


def test_a_payment_on_a_page_of_the_server_completes_the_card(page: Page, example: UrlExample) -> None:
    cell = page.call("sdk-url-example", "payment-confirm", {"cartId": "c7"})
    card = _opened(page, cell)
    address = card["url"]["href"]
    shown = example.visit(address)
    fields = dict(re.findall(r'name="(session|elicitation|cartId)" value="([^"]*)"', shown))
    assert fields["cartId"] == "c7"
    example.visit(address.partition("?")[0], {**fields, "action": "confirm"})
    wait_until(lambda: page.jupyter.card(card["id"])["flow"] == "completed", "word of the server")
    page.press(page.question(cell), "decline")
    assert "RemoteError" in page.said(cell)


def test_the_example_is_signed_in_to_by_ourselves(page: Page, example: UrlExample) -> None:
    page.configure("sdk-url-example-signed-in", {"url": example.url})
    cell = page.call("sdk-url-example-signed-in", "payment-confirm", {"cartId": "c8"})
    card = _opened(page, cell)
    assert card["asker"]["kind"] == "jupyter"
    assert "goes on" in example.sign_in(card["url"]["href"], page.jupyter)
    question = page.question(cell)
    assert question["asker"]["name"] == "sdk-url-example-signed-in"
    page.press(question, "decline")
    assert "RemoteError" in page.said(cell)


def _opened(page: Page, cell: Cell) -> Card:
    """The address that waits, agreed to."""
    card = page.question(cell)
    page.agree(card)
    assert page.jupyter.card(card["id"])["flow"] == "opened"
    return card
