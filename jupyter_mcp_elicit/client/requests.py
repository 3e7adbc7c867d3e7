"""The requests that we send: the list of tools with all its pages, and a call with all its rounds."""

from __future__ import annotations

from typing import Any

from mcp import Client, MCPError
from mcp_types import (
    HEADER_MISMATCH,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    InputResponses,
    PaginatedRequestParams,
)
from pydantic import TypeAdapter

from . import convert
from .calls import Call
from .eras import era_of
from .rounds import Desk, drive

MAX_PAGES = 100

_RESULT: TypeAdapter[CallToolResult | InputRequiredResult] = TypeAdapter(CallToolResult | InputRequiredResult)


async def list_tools(client: Client) -> list[dict[str, Any]]:
    """Every tool as the JSON object of the specification; at most 100 pages."""
    tools: list[dict[str, Any]] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await client.session.list_tools(params=PaginatedRequestParams(cursor=cursor))
        tools += [convert.to_json(each) for each in page.tools]
        cursor = page.next_cursor
        if cursor is None:
            break
    return tools


async def call_tool(
    client: Client,
    call: Call,
    arguments: dict[str, Any],
    desk: Desk,
) -> CallToolResult:
    """The call's result; ``desk`` gets what its rounds ask. Raises ``MCPError`` as the server sent it."""

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        if call.on_progress is not None:
            call.on_progress(progress, total, message)

    async def once(
        responses: InputResponses | None, state: str | None
    ) -> CallToolResult | InputRequiredResult:
        # Not session.call_tool: it runs the server's own output schema, patterns and all, in our process.
        params = CallToolRequestParams(
            name=call.tool, arguments=arguments, input_responses=responses, request_state=state
        )
        return await client.session.send_request(
            CallToolRequest(params=params), _RESULT, progress_callback=tell
        )

    async def send(
        responses: InputResponses | None, state: str | None
    ) -> CallToolResult | InputRequiredResult:
        try:
            return await once(responses, state)
        except MCPError as error:
            if error.code != HEADER_MISMATCH or era_of(client.protocol_version).pushes:
                raise
            # 2026-07-28 takes headers from the tool's listing: list again, then send once more.
            await list_tools(client)
            return await once(responses, state)

    return await drive(send, desk)
