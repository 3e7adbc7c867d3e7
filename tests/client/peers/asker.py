"""A server on the official SDK that asks in every way it can. ``python asker.py [http [port]]``."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from typing import Annotated, Any

import anyio
import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel

server = MCPServer("asker-itself", title="The Asker")


class Name(BaseModel):
    name: str


class Nothing(BaseModel):
    pass


class Many(BaseModel):
    number: int
    big: int
    share: float
    sure: bool


@server.tool()
async def echo(text: str) -> str:
    return text


@server.tool()
async def ask(ctx: Context[Any, Any], message: str = "Name?") -> str:
    """Pushes elicitation/create: cannot work on 2026-07-28."""
    got = await ctx.elicit(message, Name)
    return f"{got.action} {got.data.name}" if got.action == "accept" else got.action


@server.tool()
async def confirm(ctx: Context[Any, Any]) -> str:
    return (await ctx.elicit("Sure?", Nothing)).action


@server.tool()
async def ask_url(ctx: Context[Any, Any], url: str) -> str:
    return (await ctx.elicit_url("Sign in", url, "flow-1")).action


def _who(who_hint: str) -> Elicit[Name]:
    return Elicit(f"Who is {who_hint}?", Name)


@server.tool()
async def ask_any(who_hint: str, who: Annotated[Name, Resolve(_who)]) -> str:
    """Asks in every revision: pushed up to 2025-11-25, inside the result after."""
    return f"accept {who.name}"


def _many() -> Elicit[Many]:
    return Elicit("Numbers?", Many)


@server.tool()
async def ask_numbers(many: Annotated[Many, Resolve(_many)]) -> str:
    return f"{many.number} {many.big} {many.share!r} {many.sure}"


@server.tool()
async def tell(ctx: Context[Any, Any]) -> str:
    """Progress and a log line."""
    await ctx.report_progress(1, 2, "half way")
    await ctx.info("all is well")
    return "told"


@server.tool()
async def patient_ask(ctx: Context[Any, Any], seconds: float) -> str:
    """Gives up on its own question."""
    with anyio.move_on_after(seconds):
        await ctx.elicit("Quick?", Name)
        return "answered"
    return "gave up"


@server.tool()
async def die(how: str = "exit") -> str:
    sys.stderr.write("asker: the kitchen is on fire \x1b[31m\n")
    sys.stderr.flush()
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    os._exit(3)


@server.tool()
async def pid() -> str:
    return str(os.getpid())


@server.tool()
async def environment() -> list[str]:
    return sorted(os.environ)


async def serve_http(port: int) -> None:
    listening = socket.create_server(("127.0.0.1", port))
    sys.stdout.write(f"listening {listening.getsockname()[1]}\n")
    sys.stdout.flush()
    config = uvicorn.Config(server.streamable_http_app(), log_level="critical", timeout_graceful_shutdown=0)
    await uvicorn.Server(config).serve(sockets=[listening])


if __name__ == "__main__":
    if sys.argv[1:2] == ["http"]:
        asyncio.run(serve_http(int(sys.argv[2]) if sys.argv[2:] else 0))
    else:
        server.run("stdio")
