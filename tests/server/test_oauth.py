"""Signing in to an MCP server, with a real authorization server, through the running extension."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
import websocket
from authorization_server import AuthorizationServer, authorization_server

PAGE = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def library() -> Iterator[AuthorizationServer]:
    with authorization_server() as server:
        yield server


def visit(room: Any, url: str) -> tuple[int, str, Any]:
    """What the person's browser, which is logged in to Jupyter, comes to from ``url``."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: Any, **__: Any) -> None:
            return None

    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), Stay)
    headers: dict[str, str] = {}
    while True:
        try:
            with opener.open(urllib.request.Request(url, headers=headers), timeout=20) as response:
                return response.status, response.read().decode(), response.headers
        except urllib.error.HTTPError as error:
            with error:
                if error.code not in (302, 303, 307):
                    return error.code, error.read().decode(), error.headers
                url = error.headers["Location"]
        at_home = urlsplit(url).netloc == "{}:{}".format(*room.door.address)
        headers = {"Cookie": room.door.login().header} if at_home else {}


async def sign_in(room: Any, card: dict[str, Any]) -> tuple[int, str, Any]:
    """As a person does: the click, and what their browser then sees."""
    status, shape = await room.request(
        "POST", f"elicitations/{card['id']}/answer", {"action": "accept", "confirmed": True}, **PAGE
    )
    assert status == 200, shape
    return await asyncio.to_thread(visit, room, card["url"]["href"])


def open_page(room: Any) -> websocket.WebSocket:
    """What tells the Jupyter server under which name the person's browser knows it."""
    host, port = room.door.address
    address = f"ws://{host}:{port}{room.door.path('mcp-elicit/events')}"
    return websocket.create_connection(address, cookie=room.door.login().header, timeout=20)


@pytest.fixture
def open_library(open_room: Any, library: AuthorizationServer) -> Iterator[Any]:
    """A room with the library in its mcp.json, and a page that is open in a browser."""
    pages: list[Any] = []

    async def open_it(entry: dict[str, Any] | None = None, /, **traits: Any) -> Any:
        room = await open_room({"library": {"url": library.url, **(entry or {})}}, **traits)
        pages.append(await asyncio.to_thread(open_page, room))
        return room

    yield open_it
    for page in pages:
        page.close()


async def test_a_person_signs_in_and_the_call_goes_on(
    open_library: Any, library: AuthorizationServer
) -> None:
    room = await open_library()
    stream = await room.call("library", "shelf")
    card = await room.asked(stream)
    assert card["mode"] == "url"
    assert card["asker"]["kind"] == "jupyter"
    assert "sign in" in card["message"]
    assert card["url"]["href"].startswith(f"{library.base}/authorize?")
    status, page, _ = await sign_in(room, card)
    assert status == 200, page
    assert "goes on" in page
    assert await room.result(stream) == "Moby-Dick"
    assert (await room.card(card))["flow"] == "completed"
