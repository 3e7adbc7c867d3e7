"""Every answer, mode and era through the running Jupyter server: what the MCP server received, to the key."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import Room, form, raw

pytestmark = pytest.mark.timeout(60)

PAGE = {"Sec-Fetch-Site": "same-origin"}
ACTIONS = ("accept", "decline", "cancel")
ERAS = ("2025-06-18", "2025-11-25", "2026-07-28")
URL = {"mode": "url", "message": "Sign in", "url": "https://bank.example/login", "elicitationId": "e"}
PEER = Path(__file__).parents[1] / "client" / "peers" / "asker.py"
#: A default that is left alone, and an optional field that is not touched.
FORM = form(name={"type": "string"}, size={"type": "string", "default": "large "}, note={"type": "string"})
FILLED = [["name", " Ada"], ["size", "large "], ["note", None]]


def entry(era: str) -> dict[str, Any]:
    return {**raw("modern" if era == "2026-07-28" else "legacy"), "era": era}


async def put(room: Room, era: str, params: dict[str, Any], answer: dict[str, Any]) -> Any:
    """What the server got for its question, once a page has answered it."""
    if era == "2026-07-28":
        asks = {"k": {"method": "elicitation/create", "params": params}}
        stream = await room.call("raw", "rounds", {"rounds": 1, "requests": asks, "state": 'é"\\ 1.50'})
    else:
        stream = await room.call("raw", "push", {"params": params})
    card = await room.asked(stream)
    status, shape = await room.request("POST", f"elicitations/{card['id']}/answer", answer, **PAGE)
    assert status == 200, shape
    told = await room.result(stream)
    if era != "2026-07-28":
        [got] = told
        return got
    assert told["state"] == '1:é"\\ 1.50'
    return told["responses"]["k"]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("action", ACTIONS)
async def test_a_form_is_answered_with_content_only_when_accepted(
    action: str, era: str, open_room: Any
) -> None:
    room: Room = await open_room({"raw": entry(era)})
    answer = {"action": action, **({"draft": FILLED} if action == "accept" else {})}
    content = {"content": {"name": " Ada", "size": "large "}} if action == "accept" else {}
    assert await put(room, era, FORM, answer) == {"action": action, **content}


@pytest.mark.parametrize("era", ERAS[1:])
@pytest.mark.parametrize("action", ACTIONS)
async def test_an_address_is_answered_without_content(action: str, era: str, open_room: Any) -> None:
    room: Room = await open_room({"raw": entry(era)})
    assert await put(room, era, URL, {"action": action}) == {"action": action}


@pytest.fixture(scope="module")
def http() -> Iterator[str]:
    command = [sys.executable, str(PEER), "http", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    port = process.stdout.readline().split()[1]
    yield f"http://127.0.0.1:{port}/mcp"
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("action", ACTIONS)
async def test_over_http_a_form_gives_the_same(action: str, era: str, http: str, open_room: Any) -> None:
    room: Room = await open_room({"web": {"url": http, "era": era}})
    if era == "2026-07-28":
        stream = await room.call("web", "ask_any", {"who_hint": "it"})
    else:
        stream = await room.call("web", "ask", {})
    card = await room.asked(stream)
    draft = {"draft": [["name", "Ada"]]} if action == "accept" else {}
    assert (await room.request("POST", f"elicitations/{card['id']}/answer", {"action": action, **draft}))[
        0
    ] == 200
    text = await room.result(stream)
    assert text == ("accept Ada" if action == "accept" else action) or f"elicitation was {action}" in text


@pytest.mark.parametrize("action", ACTIONS)
async def test_over_http_an_address_gives_the_same(action: str, http: str, open_room: Any) -> None:
    room: Room = await open_room({"web": {"url": http, "era": "2025-11-25"}})
    stream = await room.call("web", "ask_url", {"url": "https://bank.example/login"})
    card = await room.asked(stream)
    answer = {"action": action}
    assert (await room.request("POST", f"elicitations/{card['id']}/answer", answer, **PAGE))[0] == 200
    assert await room.result(stream) == action
