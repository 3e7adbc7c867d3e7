"""The requests that we send: lists with all their pages, and whatever may take several rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from mcp import Client, MCPError
from mcp_types import (
    HEADER_MISMATCH,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequest,
    GetPromptRequestParams,
    GetPromptResult,
    InputRequiredResult,
    InputResponses,
    PaginatedRequestParams,
    ReadResourceRequest,
    ReadResourceRequestParams,
    ReadResourceResult,
)
from pydantic import TypeAdapter

from . import convert, tasks
from .calls import Call
from .eras import era_of
from .rounds import Desk, Final, drive

MAX_PAGES = 100

Listed: TypeAlias = Literal["tools", "prompts", "resources"]


@dataclass(frozen=True)
class Errand:
    """A request that may ask inside its results. ``name`` and ``arguments`` (JSON text) are for people.

    ``request(responses, state)`` is what to send in each round.
    """

    name: str
    arguments: str
    request: Callable[[InputResponses | None, str | None], Any]
    result: TypeAdapter[Any]
    #: Of a tool.
    given: dict[str, Any] | None = None


_TOOL: TypeAdapter[Any] = TypeAdapter(CallToolResult | InputRequiredResult)
_PROMPT: TypeAdapter[Any] = TypeAdapter(GetPromptResult | InputRequiredResult)
_RESOURCE: TypeAdapter[Any] = TypeAdapter(ReadResourceResult | InputRequiredResult)


def tool(name: str, arguments: Mapping[str, Any]) -> Errand:
    """``tools/call``. ``LocalError`` when the arguments are no JSON."""
    given = dict(arguments)

    # Not session.call_tool: it runs the server's own output schema, patterns and all, in our process.
    def request(responses: InputResponses | None, state: str | None) -> CallToolRequest:
        params = CallToolRequestParams(
            name=name, arguments=given, input_responses=responses, request_state=state
        )
        return CallToolRequest(params=params)

    return Errand(name, convert.argument_text(given), request, _TOOL, given)


def prompt(name: str, arguments: Mapping[str, str]) -> Errand:
    """``prompts/get``. ``LocalError`` when the arguments are no JSON."""
    given = dict(arguments)

    def request(responses: InputResponses | None, state: str | None) -> GetPromptRequest:
        params = GetPromptRequestParams(
            name=name, arguments=given, input_responses=responses, request_state=state
        )
        return GetPromptRequest(params=params)

    return Errand(name, convert.argument_text(given), request, _PROMPT)


def resource(uri: str) -> Errand:
    """``resources/read``."""

    def request(responses: InputResponses | None, state: str | None) -> ReadResourceRequest:
        params = ReadResourceRequestParams(uri=uri, input_responses=responses, request_state=state)
        return ReadResourceRequest(params=params)

    return Errand(uri, "{}", request, _RESOURCE)


async def list_all(client: Client, what: Listed) -> list[dict[str, Any]]:
    """Every tool, prompt or resource as the JSON object of the specification; at most 100 pages."""
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    send = {
        "tools": client.session.list_tools,
        "prompts": client.session.list_prompts,
        "resources": client.session.list_resources,
    }[what]
    for _ in range(MAX_PAGES):
        page: Any = await send(params=PaginatedRequestParams(cursor=cursor))
        found += [convert.to_json(each) for each in getattr(page, what)]
        cursor = page.next_cursor
        if cursor is None:
            break
    return found


async def run(client: Client, call: Call, errand: Errand, desk: Desk) -> Final:
    """Its result; ``desk`` gets what its rounds ask. Raises ``MCPError`` as the server sent it."""

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        if call.on_progress is not None:
            call.on_progress(progress, total, message)

    async def once(responses: InputResponses | None, state: str | None) -> Final | InputRequiredResult:
        request = errand.request(responses, state)
        result: Final | InputRequiredResult = await client.session.send_request(
            request, errand.result, progress_callback=tell
        )
        return result

    async def send(responses: InputResponses | None, state: str | None) -> Final | InputRequiredResult:
        try:
            return await once(responses, state)
        except MCPError as error:
            if error.code != HEADER_MISMATCH or era_of(client.protocol_version).pushes:
                raise
            # 2026-07-28 takes headers from the tool's listing: list again, then send once more.
            await list_all(client, "tools")
            return await once(responses, state)

    if errand.given is not None and tasks.may_need(client):
        listed = await list_all(client, "tools")
        if any(each["name"] == errand.name and _needs_task(each) for each in listed):
            return await tasks.run(client, call, errand.given)
    return await drive(send, desk)


def _needs_task(listed: dict[str, Any]) -> bool:
    return (listed.get("execution") or {}).get("taskSupport") == "required"
