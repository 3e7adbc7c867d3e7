"""The server of the suite's tools and its one prompt."""

from __future__ import annotations

from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError

from ..asking import CannotAsk, NextRound, NotAnswered, Visit
from ..completion import Completions
from ..house import House
from ..journal import Journal
from .forms import CONTEXT
from .tools import TOOLS, Round, input_schema, said

NAME = "bistro-conformance"
PROMPT = "test_input_required_result_prompt"


def conformance_server(journal: Journal | None = None, *, patience: float = 3600.0) -> Server[dict[str, Any]]:
    """A server with the suite's tools and its prompt; ``patience`` in seconds, as for the bistro."""
    journal = journal or Journal()
    completions = Completions(House().till, journal)

    def visit(
        ctx: ServerRequestContext[Any, Any],
        params: types.CallToolRequestParams | types.GetPromptRequestParams,
    ) -> Visit:
        # The suite answers before it was asked, and wants such an answer taken.
        return Visit(ctx, params, journal, completions, early_answers=True)

    async def list_tools(
        ctx: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=name, description="Asks as the suite wants it.", input_schema=input_schema(name)
                )
                for name in TOOLS
            ]
        )

    async def call_tool(
        ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")
        try:
            text, failed = await tool(visit(ctx, params), Round.of(ctx, params)), False
        except NextRound as round_:
            return round_.result
        except (CannotAsk, NotAnswered) as trouble:
            text, failed = str(trouble), True
        return types.CallToolResult(content=[types.TextContent(text=text)], is_error=failed)

    async def list_prompts(
        ctx: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[types.Prompt(name=PROMPT)])

    async def get_prompt(
        ctx: ServerRequestContext[Any, Any], params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        if params.name != PROMPT:
            raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {params.name}")
        try:
            answer = await visit(ctx, params).ask(
                "user_context", "What context should the prompt use?", CONTEXT
            )
        except NextRound as round_:
            return round_.result
        except (CannotAsk, NotAnswered) as trouble:
            raise MCPError(types.INVALID_PARAMS, str(trouble)) from None
        content = types.TextContent(text=said(answer))
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])

    server: Server[dict[str, Any]] = Server(
        NAME,
        version="1.0",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )
    security = RequestStateSecurity.ephemeral(ttl=patience)
    server.middleware.append(RequestStateBoundary(security, default_audience=NAME))
    return server
