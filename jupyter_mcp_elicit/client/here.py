"""A server object in this process, reached over memory as if it were elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcp.client._memory import InMemoryTransport
from mcp.server import Server
from mcp.server.mcpserver import MCPServer

from ..core.errors import LocalError
from .tap import Transport


def transport_to(server: object) -> Callable[[], Transport]:
    """A maker of transports to ``server``: an ``MCPServer``, a low-level ``Server``, or a ``FastMCP``.

    Not the SDK's direct dispatch: that has no frames to see, and declares what it likes.
    """
    # FastMCP keeps the SDK's server in this attribute.
    found: Any = getattr(server, "_mcp_server", server)
    if not isinstance(found, (MCPServer, Server)):
        raise LocalError(
            f"An object of the type {type(server).__name__} is no MCP server.",
            hint="Give a server object, a URL, a list with a command, or a name from the configuration.",
        )
    return lambda: InMemoryTransport(found)
