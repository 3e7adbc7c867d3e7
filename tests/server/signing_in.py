"""A person who signs in: their browser, logged in to Jupyter, and a page of it that is open."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

import websocket

PAGE = {"Sec-Fetch-Site": "same-origin"}


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def visit(room: Any, url: str, cookie: str = "") -> tuple[int, str, Any]:
    """What a browser comes to from ``url``: status, text and headers of the last page.

    ``cookie``: of its login at Jupyter.
    """
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _Stay)
    home = "{}:{}".format(*room.door.address)
    while True:
        headers = {"Cookie": cookie} if cookie and urlsplit(url).netloc == home else {}
        try:
            with opener.open(urllib.request.Request(url, headers=headers), timeout=20) as response:
                return response.status, response.read().decode(), response.headers
        except urllib.error.HTTPError as error:
            with error:
                if error.code not in (302, 303, 307):
                    return error.code, error.read().decode(), error.headers
                url = error.headers["Location"]


async def browse(room: Any, url: str) -> tuple[int, str, Any]:
    """The same for a browser that is logged in."""
    cookie = (await asyncio.to_thread(room.door.login)).header
    return await asyncio.to_thread(visit, room, url, cookie)


async def agree(room: Any, card: dict[str, Any]) -> None:
    """The click on the address."""
    body = {"action": "accept", "confirmed": True}
    status, shape = await room.request("POST", f"elicitations/{card['id']}/answer", body, **PAGE)
    assert status == 200, shape


async def sign_in(room: Any, card: dict[str, Any]) -> tuple[int, str, Any]:
    """The click, and what the browser then sees."""
    await agree(room, card)
    return await browse(room, card["url"]["href"])


def open_page(room: Any) -> websocket.WebSocket:
    """What tells the Jupyter server under which name the person's browser knows it."""
    host, port = room.door.address
    address = f"ws://{host}:{port}{room.door.path('mcp-elicit/events')}"
    return websocket.create_connection(address, cookie=room.door.login().header, timeout=20)


async def error_of(room: Any, stream: Any) -> str:
    """What a call that fails says to the person."""
    line = await room.end(stream)
    assert line["type"] == "error", line
    assert line["error"]["kind"] == "local"
    return f"{line['error']['message']} {line['error']['hint']}"


async def signed_in(room: Any) -> None:
    stream = await room.call("library", "shelf")
    status, page, _ = await sign_in(room, await room.asked(stream))
    assert status == 200, page
    assert await room.result(stream) == "Moby-Dick"
