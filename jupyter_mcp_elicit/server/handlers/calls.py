"""``servers`` and ``calls``: what is configured, and calling its tools."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from jupyter_server.auth.decorator import allow_unauthenticated
from tornado import web

from ...core.wire import Json
from ..call import KINDS, LISTS, Asks, Kind
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
            tools = await owner.list_tools(spec, self.extension.new_call(emit, asks))
            return {"type": "result", "result": {"tools": tools}}

        await self.stream(work)


class CallsHandler(StreamHandler):
    """One call of a tool, a prompt, a resource or a list of them.

    A stream of ``elicit``, ``update``, ``notice``, ``progress``, ``log``, ``result``, ``error``.
    """

    @allow_unauthenticated
    @admits(page="execute", kernel=True)
    async def post(self) -> None:
        body = self.body()
        kind, name = _about(body)
        arguments = body.get("arguments", {})
        if not isinstance(arguments, dict):
            raise web.HTTPError(400, '"arguments" must be a JSON object.')
        if kind == "prompt" and not all(isinstance(each, str) for each in arguments.values()):
            raise web.HTTPError(400, "The arguments of a prompt must be text.")
        spec = self.registry.spec(str(body.get("server", "")))
        owner, asks = owner_of(self, body), asks_of(body)

        async def work(emit: Callable[[Json], None]) -> Json:
            result = await owner.run(spec, kind, name, arguments, self.extension.new_call(emit, asks))
            return {"type": "result", "result": result}

        await self.stream(work)


def _about(body: dict[str, Any]) -> tuple[Kind, str]:
    given = [(kind, body[kind]) for kind in KINDS if kind in body]
    if len(given) != 1 or not isinstance(given[0][1], str):
        raise web.HTTPError(400, 'One of "tool", "prompt", "resource" and "list" must be a name.')
    [(kind, name)] = given
    if kind == "list" and name not in LISTS:
        raise web.HTTPError(400, f'"list" must be one of {", ".join(LISTS)}.')
    return kind, name


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
