"""The websocket that tells pages: what it says, to whom, and that it listens to nobody."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import struct
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
import websocket
from door import Door, Kernel, Stream
from jupyter_process import JupyterProcess, wait_until

from .conftest import Room, form

pytestmark = pytest.mark.timeout(60)

QUESTION = {**form("What is your name?"), "deadline": None}


class Page:
    """An open page: what it was told, in order."""

    def __init__(self, house: JupyterProcess) -> None:
        self.socket = house.websocket("mcp-elicit/events")
        self.socket.settimeout(20)
        self.told: list[dict[str, Any]] = []
        self.snapshot = self.hear("snapshot")["elicitations"]

    def hear(self, kind: str = "card") -> dict[str, Any]:
        event: dict[str, Any] = json.loads(self.socket.recv())
        self.told.append(event)
        assert event["type"] == kind, event
        return event

    def states_until(self, last: str) -> list[tuple[str, str]]:
        """State and delivery of each card that comes, up to ``last``."""
        states: list[tuple[str, str]] = []
        while not states or last not in states[-1]:
            card = self.hear()["card"]
            states.append((card["state"], (card["outcome"] or {}).get("delivery", "")))
        return states

    def close(self) -> None:
        self.socket.close()


@pytest.fixture
def page(house: JupyterProcess) -> Iterator[Page]:
    with closing(Page(house)) as page:
        yield page


def ask(door: Door, **more: Any) -> tuple[Stream, str]:
    stream = door.stream("mcp-elicit/elicitations", {**QUESTION, **more})
    return stream, stream.next("elicit")["card"]["id"]


def answer(house: JupyterProcess, question: str, action: str = "decline", **more: Any) -> None:
    status, shape = house.answer(question, action, **more)
    assert status == 200, shape


def test_a_page_hears_of_a_question_at_each_change(house: JupyterProcess, door: Door, page: Page) -> None:
    assert page.snapshot == []
    stream, question = ask(door)
    with closing(stream):
        card = page.hear()["card"]
        assert card == {**house.card(question), "secondsLeft": None}
        house.request("POST", f"mcp-elicit/elicitations/{question}/shown", {})
        assert page.hear()["card"]["state"] == "shown"
        answer(house, question, "accept", draft=[["name", "Ada"]])
        assert page.states_until("done") == [("accepted", "owed"), ("accepted", "sent"), ("accepted", "done")]


def test_a_snapshot_holds_what_is_open_and_nothing_that_is_over(house: JupyterProcess, door: Door) -> None:
    streams = [ask(door, message=f"Number {number}?") for number in range(3)]
    answer(house, streams[1][1])
    with closing(Page(house)) as page:
        assert [each["message"] for each in page.snapshot] == ["Number 0?", "Number 2?"]
    for stream, _ in streams:
        stream.close()
    wait_until(lambda: not house.open_cards(), "end of the questions")


def test_a_page_learns_which_agent_asks(house: JupyterProcess, door: Door, page: Page) -> None:
    stream, _ = ask(door, agent="the: housekeeper")
    with closing(stream):
        assert page.hear()["card"]["origin"] == {"kind": "agent", "id": "the: housekeeper"}


def test_two_pages_hear_the_same(house: JupyterProcess, door: Door, page: Page) -> None:
    with closing(Page(house)) as other:
        stream, question = ask(door)
        with closing(stream):
            answer(house, question)
            assert page.states_until("done") == other.states_until("done")
        assert page.told == other.told


def test_a_page_that_comes_back_knows_what_it_missed(house: JupyterProcess, door: Door) -> None:
    first = Page(house)
    stream, question = ask(door)
    assert first.hear()["card"]["id"] == question
    # As when a laptop sleeps: no goodbye.
    first.socket.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    first.socket.sock.close()
    late, second = ask(door, message="Missed?")
    with closing(stream), closing(late), closing(Page(house)) as back:
        assert [each["id"] for each in back.snapshot] == [question, second]
        answer(house, question)
        assert back.states_until("done")[-1] == ("declined", "done")
        answer(house, second)
    assert "never retrieved" not in house.log()


async def test_a_page_that_vanishes_between_two_messages_leaves_nothing_behind(
    open_room: Any, caplog: pytest.LogCaptureFixture
) -> None:
    room: Room = await open_room()
    address = f"ws://127.0.0.1:{room.door.address[1]}{room.door.path('mcp-elicit/events')}"
    page = await asyncio.to_thread(websocket.create_connection, address, header=room.door.token, timeout=20)
    await asyncio.to_thread(page.recv)
    [told] = room.extension.sockets
    page.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    page.sock.close()
    # Before the server can notice.
    for _ in range(3):
        told._send({"type": "card", "card": {}})

    async def forgotten() -> bool:
        return not room.extension.sockets and not room.extension.registry._listeners

    await room.until(forgotten, "page that is forgotten")
    gc.collect()
    assert "never retrieved" not in caplog.text


def test_what_a_page_says_is_not_heard(house: JupyterProcess, door: Door, page: Page) -> None:
    stream, question = ask(door)
    page.hear()
    for said in (
        {"type": "answer", "id": question, "action": "accept", "draft": [["name", "Ada"]]},
        {"type": "shown", "id": question},
        {"jsonrpc": "2.0", "id": 1, "method": "answer", "params": {"id": question}},
    ):
        page.socket.send(json.dumps(said))
    page.socket.send("not JSON")
    page.socket.send_binary(b"\x00\xff" * 1000)
    page.socket.ping()
    # The pong comes after all of that was read.
    assert page.socket.recv_data(control_frame=True)[0] == websocket.ABNF.OPCODE_PONG
    assert house.card(question)["state"] == "pending"
    with closing(stream):
        answer(house, question)
        assert [state for state, _ in page.states_until("done")] == ["declined"] * 3


def test_pages_hear_of_every_owner(
    house: JupyterProcess, door: Door, kernels: tuple[Kernel, Kernel], page: Page
) -> None:
    streams = [each.stream("mcp-elicit/elicitations", QUESTION) for each in kernels]
    asked = [stream.next("elicit")["card"]["id"] for stream in streams]
    cards = [page.hear()["card"] for _ in asked]
    assert [card["id"] for card in cards] == asked
    assert [card["origin"] for card in cards] == [{"kind": "kernel", "id": each.id} for each in kernels]
    for stream in streams:
        stream.close()
    assert {page.hear()["card"]["state"] for _ in asked} == {"withdrawn"}


def test_no_event_holds_what_was_answered(house: JupyterProcess, door: Door, page: Page) -> None:
    planted = "planted-value-7e1d"
    call = {"server": "raw", "tool": "push", "arguments": {"params": form()}}
    stream = door.stream("mcp-elicit/calls", call)
    question = stream.next("elicit")["card"]["id"]
    status, _ = house.answer(question, "accept", draft=[["name", [planted]]])
    assert status == 422
    answer(house, question, "accept", draft=[["name", planted]])
    with closing(stream):
        assert page.states_until("done")[-1] == ("accepted", "done")
        last = stream.end()
        assert planted in json.dumps(last)
    assert planted not in json.dumps(page.told)
    assert planted not in json.dumps(stream.lines[:-1])
    with closing(Page(house)) as late:
        assert planted not in json.dumps(late.told)


def test_a_page_of_another_origin_hears_nothing(house: JupyterProcess, door: Door) -> None:
    address = house.url.replace("http", "ws", 1) + "mcp-elicit/events"
    for options in (
        {"cookie": door.login().header, "origin": "https://evil.example"},
        {"cookie": door.login().header, "origin": "null"},
        {"suppress_origin": True},
        {"header": ["Authorization: token nonsense"]},
    ):
        with pytest.raises(websocket.WebSocketBadStatusException, match="403"):
            websocket.create_connection(address, timeout=20, **options)
    opened = websocket.create_connection(address, timeout=20, cookie=door.login().header)
    opened.close()


def test_who_asks_hears_that_a_page_of_ours_is_open(house: JupyterProcess, door: Door, page: Page) -> None:
    stream = door.stream("mcp-elicit/elicitations", QUESTION)
    with closing(stream):
        assert stream.next("elicit")["labextension"] is True
    page.hear()


async def test_who_asks_hears_that_no_page_of_ours_was_ever_open(open_room: Any) -> None:
    room: Room = await open_room()
    stream = await room.call("raw", "push", {"params": form("Your name?")})
    assert (await room.next_of(stream, "elicit"))["labextension"] is False
    stream.close()
