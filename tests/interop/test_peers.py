"""The peers themselves, by a plain SDK client: each starts, stays on the loopback address, and asks."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import anyio
import mcp_types as types
import psutil
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

pytestmark = pytest.mark.interop

LIMIT = 60.0

GUEST = {"name": "Grace"}
REGISTRATION = {
    "username": "grace",
    "email": "grace@example.org",
    "password": "not a secret",
    "interests": ["backend"],
}

#: Peer, ways, mode and then: tool, what to accept with, and a word of the tool's answer.
ASKING = [
    ("everything", "stdio http", "legacy", "trigger-elicitation-request", [GUEST], "Grace"),
    ("sdk-form-example", "http", "legacy", "register_user", [REGISTRATION], "grace@example.org"),
    ("ts2", "stdio", "legacy", "two_rounds", [GUEST, {"day": "2026-12-24"}], "2026-12-24"),
    ("ts2", "stdio http", "2026-07-28", "two_rounds", [GUEST, {"day": "2026-12-24"}], "2026-12-24"),
    ("ts2", "stdio http", "2026-07-28", "two_at_once", [GUEST, {"day": "2026-12-24"}], "2026-12-24"),
    ("fastmcp", "stdio http", "legacy", "ask_trip", [{"city": "Lyon", "days": 3}], "Lyon"),
    ("mcp1", "stdio http", "legacy", "ask_twice", [GUEST, {"seat": "aisle"}], "aisle"),
    ("mcp2", "stdio http", "legacy", "ask_twice", [GUEST, {"seat": "aisle"}], "aisle"),
    ("mcp2", "stdio http", "2026-07-28", "ask_any", [GUEST], "Grace"),
]


@pytest.mark.parametrize(
    ("name", "way", "mode", "tool", "contents", "word"),
    [(name, way, *rest) for name, ways, *rest in ASKING for way in ways.split()],
)
def test_it_asks_and_works_with_the_answer(
    peers: dict[str, Any],
    serving: Callable[[str], str],
    name: str,
    way: str,
    mode: str,
    tool: str,
    contents: list[dict[str, Any]],
    word: str,
) -> None:
    peer = peers[name]
    target = (
        serving(name)
        if way == "http"
        else StdioServerParameters(command=peer.stdio[0], args=list(peer.stdio[1:]))
    )
    left = list(contents)

    async def answer(ctx: Any, params: Any) -> types.ElicitResult:
        # Two questions of one round may come in either order: the fields tell.
        content = next(c for c in left if c.keys() <= params.requested_schema["properties"].keys())
        left.remove(content)
        return types.ElicitResult(action="accept", content=content)

    async def scenario() -> None:
        with anyio.fail_after(LIMIT):
            async with Client(target, mode=mode, elicitation_callback=answer) as client:
                result = await client.call_tool(tool, {})
                said = json.dumps([block.model_dump() for block in result.content])
                assert not result.is_error, said
                assert word in said
                assert left == []

    anyio.run(scenario)


@pytest.mark.parametrize("name", ["everything", "sdk-form-example", "ts2", "fastmcp", "mcp1", "mcp2"])
def test_its_server_listens_on_the_loopback_address_only(serving: Callable[[str], str], name: str) -> None:
    port = int(serving(name).split(":")[2].split("/")[0])
    listening = {
        c.laddr.ip
        for c in psutil.net_connections("tcp")
        if c.status == psutil.CONN_LISTEN and c.laddr.port == port
    }
    assert listening == {"127.0.0.1"}


def test_optional_fields_of_the_older_python_sdk_admit_null(peers: dict[str, Any]) -> None:
    seen: list[dict[str, Any]] = []

    async def answer(ctx: Any, params: Any) -> types.ElicitResult:
        seen.append(params.requested_schema["properties"]["age"])
        return types.ElicitResult(action="decline")

    async def scenario() -> None:
        argv = peers["mcp1"].stdio
        target = StdioServerParameters(command=argv[0], args=list(argv[1:]))
        with anyio.fail_after(LIMIT):
            async with Client(target, mode="legacy", elicitation_callback=answer) as client:
                await client.call_tool("ask_guest", {})

    anyio.run(scenario)
    assert seen[0]["anyOf"] == [{"type": "integer"}, {"type": "null"}]
