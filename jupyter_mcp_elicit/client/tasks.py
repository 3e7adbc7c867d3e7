"""2025-11-25: tools that only run as a task. The SDK has none of it, so its dispatcher is used as it is."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from mcp import Client
from mcp_types import CallToolResult

from ..core.elicitation import mint
from ..core.errors import RemoteError
from .calls import Call

VERSION = "2025-11-25"
#: Milliseconds that we ask the server to keep a task; its own word is what counts.
TTL = 1_800_000
#: Milliseconds between two looks where the server names none, and the least whatever it names.
INTERVAL = 1000
LEAST_INTERVAL = 50
#: No number of a task that we read is larger.
MAX_NUMBER = 1e15
#: Seconds that a server may take to hear that a task is not wanted any more.
LAST_WORD = 2.0

_UNFINISHED = ("working", "input_required")

#: The tasks that run, by the token of their progress. It outlives the request that made the task, and
#: with that all that the SDK knows of it.
_told: dict[str, Call] = {}


def may_need(client: Client) -> bool:
    """Whether the server has tools that run as tasks."""
    opened = client.session.initialize_result
    tasks = None if opened is None else opened.capabilities.tasks
    return (
        client.protocol_version == VERSION
        and tasks is not None
        and tasks.requests is not None
        and tasks.requests.tools is not None
        and tasks.requests.tools.call is not None
    )


async def run(client: Client, call: Call, arguments: dict[str, Any]) -> CallToolResult:
    """The result of a tool that needs a task. While it is fetched, the server may ask.

    ``call`` learns the task's id and when the server forgets it, and is told how far it has come:
    by numbers, or only by the words of its status. Cancelled: so is the task.
    """
    token = mint()
    _told[token] = call
    try:
        return await _run(client, call, arguments, token)
    finally:
        del _told[token]


def progressed(params: Any) -> None:
    """The params of a ``notifications/progress``; those that belong to no task say nothing here."""
    token = params.get("progressToken") if isinstance(params, dict) else None
    call = _told.get(token) if isinstance(token, str) else None
    if call is not None:
        _tell(call, params.get("progress"), params.get("total"), params.get("message"))


async def _run(client: Client, call: Call, arguments: dict[str, Any], token: str) -> CallToolResult:
    asked = {"ttl": TTL}
    params = {"name": call.tool, "arguments": arguments, "task": asked, "_meta": {"progressToken": token}}
    task = _task((await _send(client, "tools/call", params)).get("task"))
    call.task = task["taskId"]
    if kept := _number(task.get("ttl")):
        call.ends = asyncio.get_running_loop().time() + kept / 1000
    about = {"taskId": call.task}
    try:
        while task["status"] == "working":
            interval = _number(task.get("pollInterval")) or INTERVAL
            await asyncio.sleep(max(interval, LEAST_INTERVAL) / 1000)
            task = _task(await _send(client, "tasks/get", about))
            _tell(call, None, None, task.get("statusMessage"))
        # What it asks comes while this waits.
        result = await _send(client, "tasks/result", about)
    except asyncio.CancelledError:
        if task["status"] in _UNFINISHED:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(_send(client, "tasks/cancel", about), LAST_WORD)
        raise
    return CallToolResult.model_validate(result, by_name=False)


async def _send(client: Client, method: str, params: dict[str, Any]) -> dict[str, Any]:
    # Not session.send_request: it holds the answer to a table that knows no tasks.
    return await client.session._dispatcher.send_raw_request(method, params)


def _tell(call: Call, progress: object, total: object, message: object) -> None:
    done, words = _number(progress), message if isinstance(message, str) else None
    if call.on_progress is not None and (done is not None or words):
        call.on_progress(done, _number(total), words)


def _task(shape: Any) -> dict[str, Any]:
    if not (
        isinstance(shape, dict)
        and isinstance(shape.get("taskId"), str)
        and isinstance(shape.get("status"), str)
    ):
        raise RemoteError("The server was asked for a task and gave none.")
    return shape


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= MAX_NUMBER:
        return None
    return float(value)
