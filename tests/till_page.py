"""The bistro's pages as a browser without any engine sees them: real requests, and the form that came."""

from __future__ import annotations

import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from email.message import Message
from html.parser import HTMLParser
from typing import Any

_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Message
    text: str


def ask(url: str, data: bytes | None = None, headers: dict[str, str] | None = None) -> Reply:
    """``GET``, or ``POST`` of ``data``."""
    request = urllib.request.Request(url, data, headers or {})
    try:
        with _OPENER.open(request, timeout=20) as response:
            return Reply(response.status, response.headers, response.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return Reply(error.code, error.headers, error.read().decode())


class Page(HTMLParser):
    """The elements of a page: ``(tag, attributes)`` in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.elements.append((tag, dict(attrs)))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def use(url: str, digits: str = "4200 1234") -> Reply:
    """Open the page, type ``digits`` into its only field, and press its only button."""
    opened = ask(url)
    assert opened.status == 200, opened
    page = Page(opened.text)
    [_], [field], [_] = page.named("form"), page.named("input"), page.named("button")
    return ask(url, urllib.parse.urlencode({str(field["name"]): digits}).encode())
