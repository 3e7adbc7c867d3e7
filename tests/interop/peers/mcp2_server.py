"""A server on mcp 2.x: plain ``ctx.elicit`` (handshake revisions only) and ``Resolve`` (every revision).

``mcp2_server.py`` serves stdio, ``mcp2_server.py --http --port N`` streamable HTTP on 127.0.0.1.
Each tool says the outcome as JSON: ``{"action": ..., "data": ...}``.
"""

from __future__ import annotations

import argparse
import json
from typing import Annotated, Any, Literal

from mcp.server.elicitation import ElicitationResult
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel, Field


class Guest(BaseModel):
    name: str = Field(description="Your name")
    age: int | None = Field(default=None, description="Only if you like")
    seat: Literal["window", "aisle"] = "aisle"


class Seat(BaseModel):
    seat: Literal["window", "aisle"]


def outcome(result: Any) -> str:
    data = getattr(result, "data", None)
    return json.dumps({"action": result.action, "data": data.model_dump() if data is not None else None})


def who() -> Elicit[Guest]:
    return Elicit("Who are you?", Guest)


app = MCPServer("mcp2")


@app.tool()
async def ask_guest(ctx: Context) -> str:
    """Asks by pushing; fails where the protocol has no pushing."""
    return outcome(await ctx.elicit("Who are you?", Guest))


@app.tool()
async def ask_twice(ctx: Context) -> str:
    """Asks two forms by pushing, one after the other."""
    first = await ctx.elicit("Who are you?", Guest)
    second = await ctx.elicit("Where would you like to sit?", Seat)
    return json.dumps([json.loads(outcome(first)), json.loads(outcome(second))])


@app.tool()
async def ask_any(guest: Annotated[ElicitationResult[Guest], Resolve(who)]) -> str:
    """Asks in every revision, by a resolver."""
    return outcome(guest)


@app.tool()
async def visit(ctx: Context) -> str:
    """Asks the person to open a URL, by pushing."""
    return outcome(await ctx.elicit_url("Please agree.", "https://example.com/consent", "visit-1"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--http", action="store_true")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    if options.http:
        app.run("streamable-http", host="127.0.0.1", port=options.port)
    else:
        app.run("stdio")
