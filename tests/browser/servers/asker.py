"""A server that asks what its tools are named for, and says word for word what the client answered."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import ServerMessageMetadata
from pydantic import ConfigDict
from questions import MARKUP, QUESTIONS

Context = ServerRequestContext[Any, Any]


class _Raw(types.Result):
    """An answer with every key that the client sent."""

    model_config = ConfigDict(extra="allow")


async def list_tools(ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return types.ListToolsResult(
        tools=[
            types.Tool(name=name, description=f"Asks. {MARKUP}", input_schema={"type": "object"})
            for name in QUESTIONS
        ]
    )


async def call_tool(ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    question = QUESTIONS[params.name]
    result = await ctx.session.send_request(
        types.ElicitRequest(
            params=types.ElicitRequestFormParams(
                message=question["message"], requested_schema=question["requestedSchema"]
            )
        ),
        _Raw,
        metadata=ServerMessageMetadata(related_request_id=ctx.request_id),
    )
    answer = result.model_dump(by_alias=True, mode="json", exclude_unset=True)
    return types.CallToolResult(
        content=[types.TextContent(text=json.dumps(answer, ensure_ascii=False, sort_keys=True))]
    )


async def main() -> None:
    server: Server[dict[str, Any]] = Server(
        "asker", version="1", title=f"Your bank {MARKUP}", on_list_tools=list_tools, on_call_tool=call_tool
    )
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
