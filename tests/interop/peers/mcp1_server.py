"""A server on mcp 1.x, as many people run today. Optional fields become ``anyOf`` with ``null``.

``mcp1_server.py`` serves stdio, ``mcp1_server.py --http --port N`` streamable HTTP on 127.0.0.1.
Each tool says the outcome as JSON: ``{"action": ..., "data": ...}``.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from mcp.server.fastmcp import Context, FastMCP
from mcp.server.session import ServerSession
from mcp.shared.exceptions import UrlElicitationRequiredError
from mcp.types import ElicitRequestURLParams
from pydantic import BaseModel, Field

Ctx = Context[ServerSession, None]

URL = "https://example.com/consent"


class Guest(BaseModel):
    name: str = Field(description="Your name")
    age: int | None = Field(default=None, description="Only if you like")
    nickname: str | None = None
    vegetarian: bool = False


class Seat(BaseModel):
    # Not Literal: mcp 1.x takes primitive types only.
    seat: str = Field(json_schema_extra={"enum": ["window", "aisle"]})


def outcome(result: Any) -> str:
    data = getattr(result, "data", None)
    return json.dumps({"action": result.action, "data": data.model_dump() if data is not None else None})


def server(port: int) -> FastMCP:
    app = FastMCP("mcp1", host="127.0.0.1", port=port, log_level="WARNING")

    @app.tool()
    async def ask_guest(ctx: Ctx) -> str:
        """Asks for one required and three optional fields."""
        return outcome(await ctx.elicit("Who are you?", Guest))

    @app.tool()
    async def ask_twice(ctx: Ctx) -> str:
        """Asks two forms, one after the other."""
        first = await ctx.elicit("Who are you?", Guest)
        second = await ctx.elicit("Where would you like to sit?", Seat)
        return json.dumps([json.loads(outcome(first)), json.loads(outcome(second))])

    @app.tool()
    async def visit(ctx: Ctx) -> str:
        """Asks the person to open a URL."""
        return outcome(await ctx.elicit_url("Please agree.", URL, "visit-1"))

    seen: set[str] = set()

    @app.tool()
    async def needs_url(key: str, ctx: Ctx) -> str:
        """Fails with -32042 the first time it hears ``key``, and works the next time."""
        if key in seen:
            return json.dumps({"action": "done"})
        seen.add(key)
        page = ElicitRequestURLParams(message="Please agree first.", url=URL, elicitationId=f"needs-{key}")
        raise UrlElicitationRequiredError([page])

    return app


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--http", action="store_true")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    server(options.port).run("streamable-http" if options.http else "stdio")
