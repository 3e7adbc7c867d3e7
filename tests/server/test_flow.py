"""Addresses that a person opens: a click of their own, an end of its own, and no call without end."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
import websocket
from door import Stream

from .conftest import Room, form, raw

pytestmark = pytest.mark.timeout(60)

PAGE = {"Sec-Fetch-Site": "same-origin"}


def address(url: str = "https://bank.example/login?for=ada", name: str = "e") -> dict[str, Any]:
    return {"mode": "url", "message": "Sign in", "url": url, "elicitationId": name}


def required(*urls: str) -> dict[str, Any]:
    """What a tool answers that does nothing before the addresses were opened."""
    listed = [address(url, name=f"e{number}") for number, url in enumerate(urls)]
    return {"error": {"code": -32042, "message": "Open these first", "data": {"elicitations": listed}}}


async def ask(room: Room, **more: Any) -> tuple[Stream, dict[str, Any]]:
    stream = await room.call("raw", "push", {"params": address(**more)})
    return stream, await room.asked(stream)


async def click(room: Room, card: dict[str, Any], **more: Any) -> tuple[int, Any]:
    """As a page does, on the person's own click."""
    body = {"action": "accept", **more}
    return await room.request("POST", f"elicitations/{card['id']}/answer", body, **PAGE)


async def come_back(room: Room, card: dict[str, Any], action: str) -> tuple[int, Any]:
    return await room.request("POST", f"elicitations/{card['id']}/flow", {"action": action})


async def snapshot(room: Room, **more: Any) -> list[dict[str, Any]]:
    """What a page that opens now is told first."""

    def listen() -> list[dict[str, Any]]:
        where = f"ws://127.0.0.1:{room.door.address[1]}{room.door.path('mcp-elicit/events')}"
        page = websocket.create_connection(where, header=room.door.token, timeout=20, **more)
        try:
            told = json.loads(page.recv())
        finally:
            page.close()
        assert told["type"] == "snapshot"
        return list(told["elicitations"])

    return await asyncio.to_thread(listen)


async def test_only_a_page_consents_to_an_address(open_room: Any) -> None:
    room: Room = await open_room()
    kernel = room.door.kernel(await room.app.kernel_manager.start_kernel())
    arguments = {"params": address()}
    stream = await room.stream("calls", {"server": "raw", "tool": "push", "arguments": arguments}, kernel)
    card = await room.asked(stream)
    assert card["url"]["href"] == "https://bank.example/login?for=ada"
    assert (card["fields"], card["draft"], card["flow"]) == ([], [], None)
    path = f"elicitations/{card['id']}/answer"
    for body in ({"action": "accept"}, {"action": "accept", "content": {}, "scripted": True}):
        for reply in (
            await room.as_kernel(kernel, "POST", path, body),
            await room.request("POST", path, body),
        ):
            status, shape = reply if isinstance(reply, tuple) else (reply.status, reply.json)
            assert status == 422
            assert "Only a person can agree to open an address" in shape["message"]
    assert (await room.card(card))["state"] == "pending"
    assert (await click(room, card))[1]["card"]["flow"] == "opened"
    # Consent is all that the server gets: no content, no address, nothing typed.
    assert await room.result(stream) == [{"action": "accept"}]


@pytest.mark.parametrize(
    ("action", "flow", "told"), [("finish", "finished", "accept"), ("cancel", "abandoned", "cancel")]
)
async def test_the_person_says_what_became_of_it_once_and_the_server_hears_it(
    action: str, flow: str, told: str, open_room: Any, caplog: pytest.LogCaptureFixture
) -> None:
    room: Room = await open_room()
    stream, card = await ask(room)
    await click(room, card)
    await room.end(stream)
    status, shape = await come_back(room, card, action)
    assert (status, shape["card"]["flow"], shape["card"]["state"]) == (200, flow, "accepted")
    for again in ("finish", "cancel"):
        status, shape = await come_back(room, card, again)
        assert (status, shape["card"]["flow"]) == (409, flow)

    async def heard() -> Any:
        return await room.result(await room.call("raw", "completions"))

    assert await room.until(heard, "completion") == [{"elicitationId": "e", "action": told}]
    # Too late to change anything, and no fault either.
    done = {"method": "notifications/elicitation/complete", "params": [{"elicitationId": "e"}]}
    await room.end(await room.call("raw", "notify", done))
    assert (await room.card(card))["flow"] == flow
    assert not [each for each in caplog.records if each.exc_info]


async def test_the_server_says_that_it_is_done_and_others_cannot(open_room: Any) -> None:
    room: Room = await open_room({"raw": raw(), "other": raw()})
    stream, card = await ask(room)
    await click(room, card)
    await room.end(stream)
    done = {"method": "notifications/elicitation/complete", "params": [{"elicitationId": "e"}]}
    await room.end(await room.call("other", "notify", done))
    await room.end(await room.call("raw", "notify", {**done, "params": [{"elicitationId": "f"}, {}]}))
    assert (await room.card(card))["flow"] == "opened"
    await room.end(await room.call("raw", "notify", done))
    assert (await room.card(card))["flow"] == "completed"
    assert (await come_back(room, card, "cancel"))[0] == 409


async def test_no_page_is_open_for_a_form_or_before_the_click(open_room: Any) -> None:
    room: Room = await open_room()
    for stream in (
        await room.stream("elicitations", form()),
        await room.call("raw", "push", {"params": address()}),
    ):
        card = await room.asked(stream)
        for end in (None, "decline"):
            if end:
                await room.answer(card, end)
            status, shape = await come_back(room, card, "finish")
            assert (status, shape["message"]) == (
                409,
                "No page is open for this question; nothing was changed.",
            )
    assert (await come_back(room, {"id": "A" * 22}, "finish"))[0] == 404


async def test_a_dangerous_address_takes_a_second_word(open_room: Any) -> None:
    room: Room = await open_room()
    stream, card = await ask(room, url="http://bank.example/")
    assert card["url"]["level"] == "danger"
    for almost in (None, False, "yes", 1):
        status, shape = await click(room, card, confirmed=almost)
        assert (status, shape["problems"]) == (422, [["", "This address needs a second confirmation."]])
    assert (await click(room, card, confirmed=True))[0] == 200
    assert await room.result(stream) == [{"action": "accept"}]


async def test_the_notebooks_own_addresses_are_no_links(open_room: Any) -> None:
    room: Room = await open_room(server_app={"allow_remote_access": True})

    async def first(url: str) -> str:
        """The type of what the caller is told first: a question, or the result of a refusal."""
        stream = await room.call("raw", "push", {"params": address(url)})
        line = await room.next_of(stream, "elicit", "result")
        stream.close()
        if line["type"] == "result":
            assert '"code": -32602' in line["result"]["content"][0]["text"]
        return str(line["type"])

    port = room.app.port
    for refused in (f"http://localhost:{port}/x", f"https://127.0.0.1:{port}", "javascript:alert(1)"):
        assert await first(refused) == "result", refused
    # A name that only browsers know, as behind a proxy: ours from when a page has come from there.
    assert await first("https://hub.example/user/mallory") == "elicit"
    await snapshot(room, host="hub.example", origin="https://hub.example")
    assert await first("https://hub.example/user/mallory") == "result"


async def test_a_call_that_needs_an_address_is_made_again_when_the_person_is_back(open_room: Any) -> None:
    room: Room = await open_room()
    stream = await room.call("raw", "error", required("https://bank.example/a", "https://bank.example/b"))
    cards = [await room.asked(stream) for _ in range(2)]
    assert {each["cause"]["certainty"] for each in cards} == {"caused"}
    for card in cards:
        assert (await click(room, card))[0] == 200
        assert (await come_back(room, card, "finish"))[0] == 200
    # The same address once more is no new consent, only a question of patience.
    remind = await room.asked(stream)
    assert (remind["mode"], remind["asker"]["kind"]) == ("form", "jupyter")
    assert "Call it again now?" in remind["message"]
    assert (await room.answer(remind, "decline"))[0] == 200
    last = await room.end(stream)
    assert (last["error"]["code"], last["error"]["kind"]) == (-32042, "remote")
    assert "still waiting for bank.example" in last["error"]["message"]


async def test_a_server_that_asks_for_addresses_without_end_is_stopped(open_room: Any) -> None:
    room: Room = await open_room()
    stream = await room.call("raw", "error", required("https://bank.example/a"))
    card = await room.asked(stream)
    await click(room, card)
    await come_back(room, card, "finish")
    asked = 1
    while (line := await room.next_of(stream, "elicit", "error"))["type"] == "elicit":
        asked += 1
        assert (await room.answer(line["card"], "accept", draft=[]))[0] == 200
    assert asked == 5
    assert "asked 5 times" in line["error"]["message"]


@pytest.mark.parametrize("how", ["decline", "abandon"])
async def test_without_the_address_the_call_ends_and_is_not_made_again(how: str, open_room: Any) -> None:
    room: Room = await open_room()
    stream = await room.call("raw", "error", required("https://bank.example/a"))
    card = await room.asked(stream)
    if how == "decline":
        await room.answer(card, "decline")
    else:
        await click(room, card)
        await come_back(room, card, "cancel")
    last = await room.end(stream)
    assert last["error"]["code"] == -32042
    assert "not opened to the end" in last["error"]["message"]


async def test_a_page_that_is_open_when_everything_stops_is_cut(open_room: Any) -> None:
    room: Room = await open_room()
    stream, card = await ask(room)
    await click(room, card)
    await room.end(stream)
    told: list[dict[str, Any]] = []
    room.extension.registry.listen(told.append)
    await room.extension.registry.close()
    assert [(each["id"], each["flow"]) for each in told] == [(card["id"], "cut")]


async def test_a_page_that_comes_anew_is_told_of_what_a_person_has_opened(open_room: Any) -> None:
    room: Room = await open_room()
    stream, card = await ask(room)
    await click(room, card)
    await room.end(stream)
    assert [(each["id"], each["flow"]) for each in await snapshot(room)] == [(card["id"], "opened")]
    assert room.extension.registry.cards() == []
    await come_back(room, card, "finish")
    assert await snapshot(room) == []
