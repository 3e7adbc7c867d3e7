"""A connection to a server object in this very process, over the SDK's in-memory streams."""

from __future__ import annotations

from typing import Any

from mcp.client._memory import InMemoryTransport
from mcp.server import Server
from mcp.server.mcpserver import MCPServer

from ..core.errors import LocalError
from .connection import Connection
from .questions import Ask

WORDS = "in this process"


def connect_to(server: Any, name: str, ask: Ask, *, era: str = "legacy", **options: Any) -> Connection:
    """A connection to an ``MCPServer``, a low-level ``Server``, or an object around one, as fastmcp's.

    By default in the handshake era, where every way of asking works that such a server has, but for
    results that ask by themselves. ``options`` as :class:`Connection`. ``LocalError`` for anything else.
    """
    served = _served(server)
    return Connection.from_transport(
        name, lambda: InMemoryTransport(served), ask, transport=WORDS, era=era, **options
    )


def _served(server: Any) -> MCPServer | Server[Any]:
    for each in (server, getattr(server, "_mcp_server", None)):
        if isinstance(each, MCPServer | Server):
            return each
    raise LocalError(
        f"connect() cannot use an object of the type {type(server).__name__}.",
        hint="Give it the name of a configured server, a URL, a command as a list, or an MCP server object.",
    )
