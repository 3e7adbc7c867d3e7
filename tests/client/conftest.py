from __future__ import annotations

import asyncio
import contextlib
import functools
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcp_elicit.client.connection import Connection
from jupyter_mcp_elicit.client.spec import ServerSpec
from jupyter_mcp_elicit.core.elicitation import Accept, Answer, Elicitation
from jupyter_mcp_elicit.core.withdrawal import Withdrawal

PEERS = Path(__file__).parent / "peers"


def on_a_loop(test: Callable[..., Any]) -> Callable[..., None]:
    """An ``async def`` test as a plain one, on an event loop of its own."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


def spec_of(peer: str, *args: str, name: str = "asker", **more: Any) -> ServerSpec:
    """A stdio server from tests/client/peers."""
    return ServerSpec(name=name, command=sys.executable, args=(str(PEERS / f"{peer}.py"), *args), **more)


class HttpPeer:
    """A peer on a loopback port that can be killed and started again on the same port."""

    def __init__(self, peer: str) -> None:
        self._peer = peer
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> HttpPeer:
        command = [sys.executable, str(PEERS / f"{self._peer}.py"), "http", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        word, port = self.process.stdout.readline().split()
        assert word == "listening"
        self.port = int(port)
        return self

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None

    def spec(self, **more: Any) -> ServerSpec:
        return ServerSpec(name="asker", url=f"http://127.0.0.1:{self.port}/mcp", **more)


@pytest.fixture(scope="session")
def http_asker() -> Iterator[HttpPeer]:
    """One for all tests; see ``mortal_asker`` for those that kill it."""
    peer = HttpPeer("asker").start()
    yield peer
    peer.kill()


@pytest.fixture
def mortal_asker() -> Iterator[HttpPeer]:
    peer = HttpPeer("asker").start()
    yield peer
    peer.kill()


AskerAt = Callable[..., ServerSpec]


@pytest.fixture
def asker_at(http_asker: HttpPeer) -> AskerAt:
    """``asker_at("stdio" | "http", **spec)``: the same server, reached either way."""

    def spec(transport: str, **more: Any) -> ServerSpec:
        return spec_of("asker", **more) if transport == "stdio" else http_asker.spec(**more)

    return spec


class Person:
    """Whoever is asked. ``answers`` are given in order; with none left, the question stays open."""

    def __init__(self, *answers: Answer | Exception) -> None:
        self._answers = list(answers)
        self.asked: list[Elicitation] = []
        self.tokens: list[object] = []
        self.withdrawn: list[Elicitation] = []
        self.why: list[Withdrawal | None] = []
        self._news = asyncio.Condition()

    async def __call__(self, question: Elicitation, token: object) -> Answer:
        self.asked.append(question)
        self.tokens.append(token)
        await self._tell()
        if self._answers:
            answer = self._answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer
        try:
            return await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError as error:
            self.withdrawn.append(question)
            self.why.append(Withdrawal.of(error))
            asyncio.get_running_loop().call_soon(lambda: asyncio.ensure_future(self._tell()))
            raise

    async def _tell(self) -> None:
        async with self._news:
            self._news.notify_all()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with self._news:
            await asyncio.wait_for(self._news.wait_for(condition), 20)


@contextlib.asynccontextmanager
async def connected(spec: ServerSpec, ask: Any = None, **options: Any) -> AsyncIterator[Connection]:
    """A connection that is closed at the end, whatever happens."""
    connection = Connection(spec, ask or Person(Accept({"name": "Ada"})), **options)
    try:
        yield connection
    finally:
        await connection.close()


def text_of(result: dict[str, Any]) -> str:
    return " ".join(each["text"] for each in result["content"])
