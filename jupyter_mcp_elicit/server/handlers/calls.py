"""``servers`` and ``calls``: what is configured, and calling its tools."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from jupyter_server.auth.decorator import allow_unauthenticated
from tornado import web

from ...core.wire import Json
from ..call import Asks, Call
from ..owner import Owner
from .access import ElicitHandler, admits
from .stream import StreamHandler

#: The owner of somebody with a login who names no agent.
API = "agent:api"


class ServersHandler(ElicitHandler):
    """The configured servers by name, and what is wrong with the configuration."""

    @allow_unauthenticated
    @admits(page="read", kernel=True)
    async def get(self) -> None:
        specs, problems = self.registry.servers()
        owner = self.registry.known(self.owner_id or API)
        self.reply(
            {
                "servers": [
                    {
                        "name": spec.name,
                        "transport": spec.transport,
                        "era": spec.era,
                        "state": "not started" if owner is None else owner.connection_state(spec.name),
                    }
                    for spec in specs.values()
                ],
                "problems": problems,
            }
        )


class ToolsHandler(StreamHandler):
    """The tools of one server. ``GET`` changes nothing: only ``POST`` starts the server."""

    @allow_unauthenticated
    @admits(page="read", kernel=True)
    async def get(self, name: str) -> None:
        spec = self.registry.spec(name)
        owner = self.registry.known(self.owner_id or API)
        tools = None if owner is None else owner.known_tools(spec)
        if tools is None:
            unknown = f'"{name}" has not listed its tools yet; a POST to the same address makes it.'
            self.reply({"message": unknown}, 409)
        else:
            self.reply({"tools": tools})

    @allow_unauthenticated
    @admits(page="execute", kernel=True)
    async def post(self, name: str) -> None:
        body = self.body()
        spec = self.registry.spec(name)
        owner, asks = owner_of(self, body), asks_of(body)

        async def work(emit: Callable[[Json], None]) -> Json:
            tools = await owner.list_tools(spec, Call(emit, asks=asks))
            return {"type": "result", "result": {"tools": tools}}

        await self.stream(work)


class CallsHandler(StreamHandler):
    """One tool call, as a stream of ``elicit``, ``update``, ``progress``, ``log``, ``result``, ``error``."""

    @allow_unauthenticated
    @admits(page="execute", kernel=True)
    async def post(self) -> None:
        body = self.body()
        tool, arguments = body.get("tool"), body.get("arguments", {})
        if not isinstance(tool, str) or not isinstance(arguments, dict):
            raise web.HTTPError(400, '"tool" must be a name and "arguments" a JSON object.')
        spec = self.registry.spec(str(body.get("server", "")))
        owner, asks = owner_of(self, body), asks_of(body)

        async def work(emit: Callable[[Json], None]) -> Json:
            result = await owner.call_tool(spec, tool, arguments, Call(emit, asks=asks))
            return {"type": "result", "result": result}

        await self.stream(work)


def owner_of(handler: ElicitHandler, body: dict[str, Any]) -> Owner:
    """A kernel is its own owner; somebody with a login names the agent that acts for them."""
    if handler.owner_id is not None:
        return handler.registry.owner(handler.owner_id)
    agent = body.get("agent", "api")
    if not isinstance(agent, str) or not 0 < len(agent) <= 100:
        raise web.HTTPError(400, '"agent" must be a name of at most 100 characters.')
    return handler.registry.owner(f"agent:{agent}")


def asks_of(body: dict[str, Any]) -> Asks:
    asks = body.get("asks", "page")
    if asks not in ("page", "script", "nobody"):
        raise web.HTTPError(400, '"asks" must be page, script or nobody.')
    return cast("Asks", asks)
