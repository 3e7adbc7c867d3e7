"""The server: tools listed and called, and every way a call can end made into a result."""

from __future__ import annotations

from datetime import date
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError

from .asking import CannotAsk, NextRound, NotAnswered, Visit
from .completion import Completions
from .form import Form, mismatch
from .house import House
from .journal import Journal
from .tool import Reply
from .tools import TOOLS

NAME = "bistro"


def bistro_server(
    journal: Journal | None = None, *, patience: float = 3600.0, today: date | None = None
) -> Server[dict[str, Any]]:
    """A bistro that has just opened.

    ``patience`` is how long, in seconds, an answer may take on 2026-07-28 before its
    state expires (the SDK's own limit, 600 s, is short for a person). ``today`` fixes the calendar.
    """
    house = House(today)
    journal = journal or Journal()
    completions = Completions(house.till, journal)

    async def list_tools(
        ctx: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool.listed() for tool in TOOLS.values()])

    async def call_tool(
        ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
        # Callers fill what they do not know with null: that is the same as leaving it out.
        arguments = {name: value for name, value in (params.arguments or {}).items() if value is not None}
        if problem := mismatch(tool.input_schema, arguments):
            return Reply(f"These arguments do not fit: {problem}.", "bad arguments", failed=True).result()
        try:
            return (await tool.run(Visit(ctx, params, journal, completions), house, arguments)).result()
        except NextRound as round_:
            return round_.result
        except CannotAsk as gate:
            text = f"{gate} Please pass these arguments instead: {_named(gate.form)}."
            return Reply(text, "needs arguments", {"missing": list(_stand_ins(gate.form))}).result()
        except NotAnswered as trouble:
            if trouble.form is None:
                return Reply(f"{trouble} Nothing was done.", "bad answer", failed=True).result()
            text = f"{trouble} Nothing was done. You can also pass arguments instead: {_named(trouble.form)}."
            return Reply(
                text, "bad answer", {"missing": list(_stand_ins(trouble.form))}, failed=True
            ).result()

    async def set_level(
        ctx: ServerRequestContext[Any, Any], params: types.SetLevelRequestParams
    ) -> types.EmptyResult:
        # Declares the logging capability; all we send is info, and dropping it is the client's choice.
        return types.EmptyResult()

    server: Server[dict[str, Any]] = Server(
        NAME,
        version="1.0",
        title="Bistro",
        instructions="A small bistro: book a table, order, cancel. It asks for what you did not say.",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, set_level)
    security = RequestStateSecurity.ephemeral(ttl=patience)
    server.middleware.append(RequestStateBoundary(security, default_audience=NAME))
    server.middleware.append(completions.hear)
    return server


def _stand_ins(form: Form) -> dict[str, Any]:
    return dict(form.instead) or {name: form.fields[name] for name in form.required}


def _named(form: Form) -> str:
    return ", ".join(f"{name} ({_kind(spec)})" for name, spec in _stand_ins(form).items())


def _kind(spec: dict[str, Any]) -> str:
    choices = spec.get("enum") or [option["const"] for option in spec.get("oneOf", ())]
    if choices:
        return "one of " + ", ".join(choices)
    if "items" in spec:
        return "a list of " + _kind(spec["items"])
    return str(spec.get("format", spec.get("type")))
