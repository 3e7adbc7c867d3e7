"""HTTP that no honest server speaks, and proxies that are in the way."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from jupyter_mcp_elicit.client.connection import Connection
from jupyter_mcp_elicit.client.spec import ServerSpec
from jupyter_mcp_elicit.core.elicitation import Decline
from jupyter_mcp_elicit.core.errors import LocalError, RemoteError

from .conftest import Person, connected, on_a_loop, text_of
from .web import answer, response, web, welcome

pytestmark = pytest.mark.timeout(30)

Write = Callable[[bytes], Awaitable[None]]
TEXT = {"content": [{"type": "text", "text": "done"}]}
SSE = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
QUESTION = {
    "jsonrpc": "2.0",
    "id": "q",
    "method": "elicitation/create",
    "params": {"message": "Sure?", "requestedSchema": {"type": "object", "properties": {}}},
}


def event(message: Any) -> bytes:
    return b"event: message\ndata: " + json.dumps(message).encode() + b"\n\n"


def spec_at(url: str, **more: Any) -> ServerSpec:
    return ServerSpec(name="web", url=url, era="legacy", **more)


async def never(method: str, message: dict[str, Any], write: Write) -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize("size", [4_000_000, 5_000_000])
@on_a_loop
async def test_a_json_body_is_read_up_to_the_limit_and_no_further(size: int) -> None:
    async def script(method: str, message: dict[str, Any], write: Write) -> None:
        big = {"content": [{"type": "text", "text": "x" * size}]}
        await write(welcome(message) or answer(message, big))

    async with web(script) as url, connected(spec_at(url)) as connection:
        if size < 4 * 1024 * 1024:
            assert len(text_of(await connection.call_tool("big"))) == size
        else:
            with pytest.raises(LocalError, match="sent a message of more than 4096 KiB and was disconnected"):
                await connection.call_tool("big")


@on_a_loop
async def test_an_event_over_the_limit_ends_the_call() -> None:
    async def script(method: str, message: dict[str, Any], write: Write) -> None:
        big = event({"jsonrpc": "2.0", "id": message.get("id"), "result": {"x": "x" * 5_000_000}})
        await write(welcome(message) or SSE + big)

    async with web(script) as url, connected(spec_at(url)) as connection:
        with pytest.raises(LocalError, match=r"broke off \(SSE stream failed"):
            await connection.call_tool("big")


@on_a_loop
async def test_a_compressed_body_is_refused_since_none_was_asked_for() -> None:
    asked: list[str] = []

    async def script(method: str, message: dict[str, Any], write: Write) -> None:
        body = gzip.compress(json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": TEXT}).encode())
        asked.append(method)
        await write(
            welcome(message) or response(body, "content-type: application/json", "content-encoding: gzip")
        )

    async with web(script) as url, connected(spec_at(url)) as connection:
        with pytest.raises(LocalError, match=r"compressed a message \('gzip'\)"):
            await connection.call_tool("bomb")


@on_a_loop
async def test_a_server_that_forgot_the_session_gets_the_same_call_once_more_in_a_new_one() -> None:
    sessions: list[str] = []
    calls: list[Any] = []

    async def script(method: str, message: dict[str, Any], write: Write) -> None:
        if message.get("method") == "initialize":
            sessions.append("new")
        elif message.get("method") == "tools/call":
            calls.append({key: message["params"][key] for key in ("name", "arguments")})
        gone = response(b"", status="404 Not Found")
        await write(welcome(message) or (gone if len(calls) == 1 else answer(message, TEXT)))

    async with web(script) as url, connected(spec_at(url)) as connection:
        assert text_of(await connection.call_tool("echo", {"a": 1})) == "done"
        assert connection.generation == 2
    assert len(sessions) == 2
    assert calls == [{"name": "echo", "arguments": {"a": 1}}] * 2


@on_a_loop
async def test_a_server_that_forgets_every_session_is_not_asked_for_ever() -> None:
    calls = 0

    async def script(method: str, message: dict[str, Any], write: Write) -> None:
        nonlocal calls
        calls += message.get("method") == "tools/call"
        await write(welcome(message) or response(b"", status="404 Not Found"))

    async with web(script) as url, connected(spec_at(url)) as connection:
        with pytest.raises(LocalError, match=r"during echo\. The next call connects anew"):
            await connection.call_tool("echo")
    assert calls == 2


@on_a_loop
async def test_a_server_that_does_not_take_the_answer_ends_the_call_instead_of_waiting_for_ever() -> None:
    async def script(method: str, message: dict[str, Any], write: Write) -> None:
        if message.get("method") == "tools/call":
            await write(SSE + event(QUESTION))
            await asyncio.Event().wait()
        elif "result" in message:
            await write(response(b"", status="503 Service Unavailable"))
        else:
            await write(welcome(message) or response(b"", status="405 Method Not Allowed"))

    async with web(script) as url, connected(spec_at(url), Person(Decline())) as connection:
        with pytest.raises(LocalError, match=r"did not take a message \(HTTP 503\), during ask"):
            await connection.call_tool("ask")


@pytest.mark.parametrize(
    ("status", "told"), [("401 Unauthorized", "a login"), ("502 Bad Gateway", "HTTP 502")]
)
@on_a_loop
async def test_an_http_status_is_told_as_such(status: str, told: str) -> None:
    async def at_once(method: str, message: dict[str, Any], write: Write) -> None:
        await write(response(b"<html>", "content-type: text/html", status=status))

    async def later(method: str, message: dict[str, Any], write: Write) -> None:
        await write(welcome(message) or response(b"<html>", "content-type: text/html", status=status))

    async with web(at_once) as url, connected(spec_at(url)) as connection:
        with pytest.raises(LocalError, match=told):
            await connection.open()
    async with web(later) as url, connected(spec_at(url)) as connection:
        with pytest.raises(RemoteError, match=told):
            await connection.call_tool("echo")


@on_a_loop
async def test_a_server_that_takes_the_connection_and_says_nothing_is_given_up() -> None:
    async with web(never) as url, connected(spec_at(url), open_timeout=0.5) as connection:
        with pytest.raises(LocalError, match=r"within 0\.5 seconds"):
            await connection.open()


@on_a_loop
async def test_configured_headers_go_with_every_request_and_a_redirect_elsewhere_is_not_followed() -> None:
    async def elsewhere(method: str, message: dict[str, Any], write: Write) -> None:
        stolen.append(method)

    async def script(method: str, message: dict[str, Any], write: Write) -> None:
        await write(response(b"", f"location: {other}", status="307 Temporary Redirect"))

    stolen: list[str] = []
    async with (
        web(elsewhere) as other,
        web(script) as url,
        connected(
            spec_at(url, headers={"Authorization": "Bearer ${env:T}"}), environ={"T": "x"}
        ) as connection,
    ):
        with pytest.raises(LocalError, match="Redirect to .* not followed"):
            await connection.open()
    assert stolen == []


async def test_a_connection_without_a_jupyter_server_says_who_could_sign_in() -> None:
    async def script(method: str, message: dict[str, Any], write: Any) -> None:
        await write(response(b"", status="401 Unauthorized"))

    async with web(script) as url:
        connection = Connection(ServerSpec(name="library", url=url), Person())
        with pytest.raises(LocalError, match="Only a Jupyter server signs in: enter it in mcp.json"):
            await connection.open()
