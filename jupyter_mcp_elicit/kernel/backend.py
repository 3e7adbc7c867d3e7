"""Where an MCP connection lives: in the Jupyter server, or in this kernel."""

from __future__ import annotations

from typing import Protocol

from ..core.wire import Json
from ..trace import Entry
from .desk import Desk, Events
from .link import Link


class Backend(Protocol):
    """Calls tools of one MCP server. Methods may be called from any thread."""

    desk: Desk

    def list_tools(self, asks: str) -> Events:
        """``elicit``, ``update``, then ``result`` with ``tools``."""
        ...

    def call_tool(self, tool: str, arguments: Json, asks: str) -> Events:
        """``elicit``, ``update``, ``progress``, ``log``, then ``result`` or ``error``."""
        ...

    def run(self, kind: str, name: str, arguments: Json, asks: str) -> Events:
        """The same for a ``prompt``, a ``resource`` by its URI, or a ``list`` of either."""
        ...

    def trace(self) -> list[Entry]:
        """The frames of the connection, oldest first."""
        ...

    def close(self) -> None:
        """End the connection, where it is this kernel's own."""
        ...

    def let_go(self) -> None:
        """The same without waiting: nobody uses it any more."""
        ...


class ServerBackend:
    """A configured server, connected to in the Jupyter server."""

    def __init__(self, link: Link, desk: Desk, name: str) -> None:
        self.desk = desk
        self._link = link
        self._name = name

    def list_tools(self, asks: str) -> Events:
        return self._link.stream(f"servers/{self._name}/tools", {"asks": asks})

    def call_tool(self, tool: str, arguments: Json, asks: str) -> Events:
        body = {"server": self._name, "tool": tool, "arguments": arguments, "asks": asks}
        return self._link.stream("calls", body)

    def run(self, kind: str, name: str, arguments: Json, asks: str) -> Events:
        body = {"server": self._name, kind: name, "arguments": arguments, "asks": asks}
        return self._link.stream("calls", body)

    def trace(self) -> list[Entry]:
        shape = self._link.request("GET", f"trace/{self._name}")
        return [Entry.of_json(each) for each in shape["frames"]]

    def close(self) -> None:
        """The Jupyter server keeps the connection for this kernel until the kernel ends."""

    def let_go(self) -> None:
        """As :meth:`close`."""
