"""Server objects in this process: every way of asking that they have, and what is no server."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Annotated, Any

import pytest
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel

from jupyter_mcp_elicit.client.connection import Connection
from jupyter_mcp_elicit.client.here import transport_to
from jupyter_mcp_elicit.core.elicitation import Accept
from jupyter_mcp_elicit.core.errors import LocalError

from .conftest import Person, on_a_loop, text_of


class Guest(BaseModel):
    name: str


def who() -> Elicit[Guest]:
    return Elicit("Who are you?", Guest)


def own_server() -> MCPServer:
    app = MCPServer("own")

    @app.tool()
    async def push(ctx: Context) -> str:
        return str(await ctx.elicit("Who are you?", Guest))

    @app.tool()
    async def resolve(guest: Annotated[Guest, Resolve(who)]) -> str:
        return guest.name

    return app


@pytest.mark.parametrize("tool", ["push", "resolve"])
@pytest.mark.parametrize(
    "wrap", [lambda app: app, lambda app: app._lowlevel_server, lambda app: SimpleNamespace(_mcp_server=app)]
)
@on_a_loop
async def test_every_way_of_asking_works_in_the_handshake_era(tool: str, wrap: Any) -> None:
    person = Person(Accept({"name": "Ada"}))
    connection = Connection.of_server("mine", wrap(own_server()), person, era="legacy")
    try:
        assert "Ada" in text_of(await connection.call_tool(tool))
    finally:
        await connection.close()
    [asked] = person.asked
    assert (asked.asker.name, asked.asker.transport) == ("mine", "in this process")
    assert asked.asker.calls_itself == "own"


@pytest.mark.parametrize("thing", [object(), None, 7, MCPServer])
def test_what_is_no_server_is_named_by_its_type(thing: object) -> None:
    with pytest.raises(LocalError, match=f"An object of the type {type(thing).__name__} is no MCP server"):
        transport_to(thing)
