"""Guests of the bistro: real SDK clients, on every transport and in every revision."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.memory import create_client_server_memory_streams

from jupyter_mcp_elicit.demo.bistro import bistro_server
from jupyter_mcp_elicit.demo.journal import Journal

#: Long enough for a cold start of a server process on a busy machine.
LIMIT = 40.0

DECLARED = "io.modelcontextprotocol/clientCapabilities"

TODAY = date(2026, 12, 1)

BISTRO = [sys.executable, "-W", "error", "-m", "jupyter_mcp_elicit.demo"]


def accept(content: dict[str, Any]) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content=content)


def text(result: types.CallToolResult) -> str:
    block = result.content[0]
    assert isinstance(block, types.TextContent)
    return block.text


def fields(params: types.ElicitRequestFormParams) -> list[str]:
    return list(params.requested_schema["properties"])


class Claiming:
    """The write side of a transport, where frames say what the SDK's own would not.

    Another revision, other ``modes``, or ``stray`` keys in each elicitation result.
    """

    def __init__(
        self, inner: Any, version: str, modes: Mapping[str, Any] | None, stray: Mapping[str, Any]
    ) -> None:
        self._inner, self._version, self._modes, self._stray = inner, version, modes, stray

    async def send(self, message: Any) -> None:
        params = getattr(message.message, "params", None) or {}
        meta = params.get("_meta") or {}
        if getattr(message.message, "method", "") == "initialize":
            params["protocolVersion"] = self._version
        if self._modes is not None and "capabilities" in params:
            params["capabilities"] = {"elicitation": dict(self._modes)}
        if self._modes is not None and DECLARED in meta:
            meta[DECLARED] = {"elicitation": dict(self._modes)}
        for result in (
            getattr(message.message, "result", None),
            *(params.get("inputResponses") or {}).values(),
        ):
            if result and "action" in result:
                result.update(self._stray)
        await self._inner.send(message)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> Claiming:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *exc: Any) -> Any:
        return await self._inner.__aexit__(*exc)


@asynccontextmanager
async def claiming(transport: Any, *claims: Any) -> AsyncIterator[tuple[Any, Any]]:
    async with transport as (read, write):
        yield read, Claiming(write, *claims)


@asynccontextmanager
async def in_memory(server: Any) -> AsyncIterator[tuple[Any, Any]]:
    """The client's two streams to a server that runs in this loop."""
    async with create_client_server_memory_streams() as (near, far), anyio.create_task_group() as tasks:
        tasks.start_soon(server.run, *far, server.create_initialization_options())
        try:
            yield near
        finally:
            await near[1].aclose()


@dataclass
class Guest:
    """A client, what it was asked (question's own id, params), and what it was told."""

    client: Client
    asked: list[tuple[Any, types.ElicitRequestFormParams]] = field(default_factory=list)
    logs: list[str] = field(default_factory=list)
    progress: list[tuple[float, float | None, str | None]] = field(default_factory=list)
    completed: list[str] = field(default_factory=list)
    _journal: Path = Path()
    _skip: int = 0

    def journal(self) -> list[dict[str, Any]]:
        """What the server wrote about this guest's answers."""
        if not self._journal.exists():
            return []
        return [json.loads(line) for line in self._journal.read_text().splitlines()[self._skip :]]

    async def call(self, tool: str, **arguments: Any) -> types.CallToolResult:
        async def on_progress(done: float, total: float | None, message: str | None) -> None:
            self.progress.append((done, total, message))

        return await self.client.call_tool(tool, arguments, progress_callback=on_progress)


@dataclass(frozen=True)
class House:
    """An HTTP bistro in its own process."""

    url: str
    journal: Path


@pytest.fixture(scope="session")
def http_bistro(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    journal = tmp_path_factory.mktemp("http") / "journal.jsonl"
    process = subprocess.Popen(
        [*BISTRO, "--http", "--journal", str(journal)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        first = process.stderr.readline()
        assert first.startswith("bistro: open at http://127.0.0.1:"), first + process.stderr.read()
        yield House(first.split()[-1], journal)
    finally:
        process.terminate()
        out, _ = process.communicate(timeout=10)
    assert out == ""


Visiting = Callable[..., Any]


@pytest.fixture
def visiting(tmp_path: Path, request: pytest.FixtureRequest) -> Visiting:
    """``async with visiting(answers, era=, way=, modes=, stray=, patience=) as guest``.

    ``answers`` are handed out in order and, past their end, as ``cancel``; each is what an
    elicitation callback may return, or a function of the params. ``None`` sets no callback.
    """
    journal = tmp_path / "journal.jsonl"

    def transport(way: str, patience: float) -> tuple[Any, Path]:
        if way == "memory":
            return in_memory(bistro_server(Journal(journal), patience=patience, today=TODAY)), journal
        if way == "stdio":
            command = StdioServerParameters(
                command=BISTRO[0], args=[*BISTRO[1:], "--journal", str(journal)], env=dict(os.environ)
            )
            return stdio_client(command), journal
        house: House = request.getfixturevalue("http_bistro")
        return streamable_http_client(house.url), house.journal

    @asynccontextmanager
    async def visit(
        answers: Sequence[Any] | None = (),
        *,
        era: str = "2025-11-25",
        way: str = "memory",
        modes: Mapping[str, Any] | None = None,
        stray: Mapping[str, Any] | None = None,
        patience: float = 600.0,
    ) -> AsyncIterator[Guest]:
        left = list(answers or ())

        async def on_question(ctx: Any, params: Any) -> Any:
            guest.asked.append((ctx.request_id, params))
            answer = left.pop(0) if left else types.ElicitResult(action="cancel")
            return await answer(params) if callable(answer) else answer

        async def on_log(params: types.LoggingMessageNotificationParams) -> None:
            guest.logs.append(params.data)

        async def on_message(message: Any) -> None:
            if isinstance(message, types.ElicitCompleteNotification):
                guest.completed.append(message.params.elicitation_id)

        modern = era == "2026-07-28"
        wire, path = transport(way, patience)
        with anyio.fail_after(LIMIT):
            async with Client(
                claiming(wire, era, modes, stray or {}),
                mode="2026-07-28" if modern else "legacy",
                elicitation_callback=on_question if answers is not None else None,
                logging_callback=on_log,
                message_handler=on_message,
                log_level="info" if modern else None,
            ) as client:
                guest = Guest(
                    client, _journal=path, _skip=len(path.read_text().splitlines()) if path.exists() else 0
                )
                assert client.protocol_version == era
                yield guest

    return visit
