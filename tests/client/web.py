"""A web server that answers by script, for HTTP that no honest MCP server speaks."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

#: (method, JSON-RPC message or {}) and a way to write raw bytes of the response.
Script = Callable[[str, dict[str, Any], Callable[[bytes], Awaitable[None]]], Awaitable[None]]


def response(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def answer(message: dict[str, Any], result: Any, *headers: str) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": result}).encode()
    return response(body, "content-type: application/json", *headers)


def welcome(message: dict[str, Any]) -> bytes | None:
    """The answers of a handshake session, or None for what belongs to the script."""
    if message.get("method") == "initialize":
        info = {"name": "web", "version": "1"}
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
        return answer(message, result, "mcp-session-id: s1")
    if "id" not in message:
        return response(b"", status="202 Accepted")
    return None


@contextlib.asynccontextmanager
async def web(script: Script) -> AsyncIterator[str]:
    """The URL of a running server; one request a connection."""

    serving: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def write(data: bytes) -> None:
            writer.write(data)
            await writer.drain()

        task = asyncio.current_task()
        assert task is not None
        serving.add(task)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            lines = dict(line.split(": ", 1) for line in head.lower().split("\r\n") if ": " in line)
            body = await reader.readexactly(int(lines.get("content-length", 0)))
            await script(head.split()[0], json.loads(body or b"{}"), write)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            serving.discard(task)
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
