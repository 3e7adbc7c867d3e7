"""Which servers there are, what is wrong with the configuration, and whose question is whose."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from .conftest import Room, configure, form, raw

pytestmark = pytest.mark.timeout(60)


async def named(room: Room) -> dict[str, str]:
    """Server names and their state."""
    _, shape = await room.request("GET", "servers")
    return {each["name"]: each["state"] for each in shape["servers"]}


async def problems(room: Room) -> str:
    _, shape = await room.request("GET", "servers")
    return "\n".join(shape["problems"])


async def test_the_trait_servers_adds_to_the_file_and_goes_before_it(open_room: Any) -> None:
    room: Room = await open_room(
        {"raw": raw(), "twice": {"command": "from the file"}},
        servers={"of the trait": raw(), "twice": {"url": "http://127.0.0.1:1/mcp"}},
    )
    _, shape = await room.request("GET", "servers")
    assert {each["name"]: each["transport"].split()[0] for each in shape["servers"]} == {
        "of the trait": "stdio:",
        "raw": "stdio:",
        "twice": "http:",
    }
    assert await room.result(await room.call("of the trait", "cancelled")) == []


async def test_a_file_that_changes_is_read_anew(open_room: Any, jp_config_dir: Path) -> None:
    room: Room = await open_room({"raw": raw()})
    assert list(await named(room)) == ["raw"]
    configure(jp_config_dir, {"raw": raw(), "second": raw()})
    assert list(await named(room)) == ["raw", "second"]
    assert await room.result(await room.call("second", "cancelled")) == []


async def test_an_unknown_server_is_named_together_with_those_there_are(open_room: Any) -> None:
    room: Room = await open_room({"raw": raw(), "other": raw()})
    for path, body in (("calls", {"server": "rwa", "tool": "x"}), ("servers/rwa/tools", {})):
        status, shape = await room.request("POST", path, body)
        assert status == 404
        assert (
            'There is no MCP server "rwa" in the configuration (configured: other, raw).' in shape["message"]
        )
        assert "mcp.json" in shape["message"]


async def test_a_server_that_cannot_be_used_says_why_and_the_others_work(open_room: Any) -> None:
    room: Room = await open_room(
        {
            "raw": raw(),
            "both": {"command": "a", "url": "http://127.0.0.1:1/mcp"},
            "needy": raw(env={"KEY": "${env:SURELY_NOT_SET}"}),
            "curious": raw(env={"KEY": "${env:JUPYTER_TOKEN}"}),
            "relative": {"command": "./server"},
            "a/b": raw(),
            "odd": raw(colour="blue"),
        }
    )
    assert list(await named(room)) == ["raw", "odd"]
    told = await problems(room)
    for words in (
        'The server "both" has both a command and a url.',
        'The server "needy" needs the environment variable SURELY_NOT_SET',
        'The server "curious" asks for the variable JUPYTER_TOKEN',
        'The server "relative" has the relative command "./server"',
        '"a/b"',
        'The server "odd" has the key "colour", which is not known and was ignored.',
        "mcp.json",
    ):
        assert words in told
    status, shape = await room.request("POST", "calls", {"server": "needy", "tool": "x"})
    assert status == 404
    assert "SURELY_NOT_SET" in shape["message"]
    assert await room.result(await room.call("raw", "cancelled")) == []


async def test_the_state_of_a_server_is_the_callers_own(open_room: Any) -> None:
    room: Room = await open_room({"raw": raw(), "broken": {"command": "/no/such/command"}})
    assert await named(room) == {"raw": "not started", "broken": "not started"}
    for name in ("raw", "broken"):
        await room.end(await room.call(name, "cancelled"))
    states = await named(room)
    assert states["raw"] == "ready"
    assert states["broken"].startswith("failed: cannot be started.")
    kernel = room.door.kernel(await room.app.kernel_manager.start_kernel())
    reply = await room.as_kernel(kernel, "GET", "servers")
    assert {each["state"] for each in reply.json["servers"]} == {"not started"}


async def test_a_disabled_server_is_listed_and_not_started(open_room: Any) -> None:
    room: Room = await open_room({"raw": raw(disabled=True)})
    last = await room.end(await room.call("raw", "cancelled"))
    assert 'The server "raw" is disabled.' in last["error"]["message"]


@pytest.mark.parametrize(
    ("break_it", "words"),
    [
        (lambda path: path.chmod(0o666), "others can write it"),
        (lambda path: path.write_text("{"), "is not JSON"),
        (lambda path: path.write_text('{"mcpServers": {"a": {}, "a": {}}}'), "appears twice"),
    ],
)
async def test_a_file_that_cannot_be_trusted_or_read_starts_nothing(
    break_it: Any, words: str, open_room: Any, jp_config_dir: Path
) -> None:
    room: Room = await open_room({"raw": raw()})
    break_it(jp_config_dir / "mcp.json")
    assert await named(room) == {}
    assert words in await problems(room)
    status, shape = await room.request("POST", "calls", {"server": "raw", "tool": "cancelled"})
    assert status == 404
    assert words in shape["message"]


async def test_a_files_beside_notebooks_are_no_configuration(open_room: Any, jp_root_dir: Path) -> None:
    for name in ("mcp.json", ".mcp.json", ".vscode/mcp.json", ".jupyter/mcp.json"):
        (jp_root_dir / name).parent.mkdir(exist_ok=True)
        configure((jp_root_dir / name).parent, {"planted": raw()})
        (jp_root_dir / name).write_bytes((jp_root_dir / name).parent.joinpath("mcp.json").read_bytes())
    room: Room = await open_room({"raw": raw()})
    assert list(await named(room)) == ["raw"]


async def test_no_request_can_bring_a_command_or_an_address(open_room: Any) -> None:
    room: Room = await open_room({"raw": raw()})
    entry = {"command": "sh", "args": ["-c", "id"], "url": "http://127.0.0.1:1/mcp"}
    for body in (
        {**entry, "tool": "x"},
        {"server": entry, "tool": "x"},
        {"server": "sh", "tool": "x", "servers": {"sh": entry}, "mcpServers": {"sh": entry}},
    ):
        assert (await room.request("POST", "calls", body))[0] == 404
    for verb in ("POST", "PUT", "PATCH", "DELETE"):
        assert (await room.request(verb, "servers", {"mcpServers": {"sh": entry}}))[0] == 405
        assert (await room.request(verb, "servers/sh", entry))[0] == 404


async def test_agents_have_their_own_questions_and_connections(open_room: Any) -> None:
    room: Room = await open_room({"raw": raw()})
    streams = [await room.call("raw", "push", {"params": form()}, agent=agent) for agent in ("ada", "bob")]
    cards = [await room.asked(stream) for stream in streams]
    assert [line["card"]["id"] for line in streams[0].lines] == [cards[0]["id"]]
    assert cards[0]["id"] != cards[1]["id"]
    _, shape = await room.request("GET", "elicitations")
    assert [each["id"] for each in shape["elicitations"]] == [each["id"] for each in cards]
    for card, name in zip(cards, ("Ada", "Bob"), strict=True):
        await room.answer(card, "accept", draft=[["name", name]])
    for stream, name in zip(streams, ("Ada", "Bob"), strict=True):
        assert await room.result(stream) == [{"action": "accept", "content": {"name": name}}]


async def test_a_closed_registry_starts_nothing_any_more(open_room: Any) -> None:
    room: Room = await open_room({"raw": raw()})
    stream = await room.call("raw", "push", {"params": form()})
    card = await room.asked(stream)
    await room.extension.registry.close()
    last = await room.end(stream)
    assert last["type"] == "error"
    assert stream.lines[-2]["card"]["state"] == "withdrawn"
    assert (await room.request("GET", f"elicitations/{card['id']}"))[0] == 404
    status, shape = await room.request("POST", "calls", {"server": "raw", "tool": "cancelled"})
    assert (status, shape["message"]) == (400, "The Jupyter server is stopping.")


async def test_calls_that_wait_to_start_a_server_start_none_after_the_end(
    open_room: Any, jp_config_dir: Path
) -> None:
    room: Room = await open_room({"raw": raw()})
    await room.end(await room.call("raw", "cancelled"))
    configure(jp_config_dir, {"raw": raw("legacy", "changed")})
    waiting = [await room.call("raw", "cancelled") for _ in range(3)]
    card = await room.asked(waiting[0])
    assert card["asker"]["kind"] == "jupyter"
    owner = room.extension.registry.known("agent:api")
    await asyncio.gather(room.extension.registry.close(), room.answer(card, "accept"))
    for stream in waiting:
        assert "start" in (await room.end(stream))["error"]["message"]
    assert owner.connection_state("raw") == "not started"
