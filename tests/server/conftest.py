"""Two ways to a Jupyter server: one process for tests that leave it clean, and quick ones in this process."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import tornado.httpserver
import tornado.netutil
from authorization_server import AuthorizationServer, authorization_server
from door import Door, Kernel, Reply, Stream
from jupyter_process import JupyterProcess
from traitlets.config import Config

from .signing_in import open_page

#: Without the extensions of front ends, which take their time to start.
ALONE = (
    "--ServerApp.jpserver_extensions="
    + repr(
        {
            "jupyter_mcp_elicit": True,
            "jupyter_lsp": False,
            "jupyter_server_terminals": False,
            "jupyterlab": False,
            "notebook": False,
            "notebook_shim": False,
        }
    ),
)

RAW = Path(__file__).parents[1] / "client" / "peers" / "raw.py"


def raw(era: str = "legacy", *marks: str, **keys: Any) -> dict[str, Any]:
    """The entry of a quick MCP server that does what its callers tell it; ``marks`` tell processes apart."""
    return {"command": sys.executable, "args": [str(RAW), era, *marks], **keys}


def form(message: str = "Name?", **properties: Any) -> dict[str, Any]:
    """The parameters of a question in form mode."""
    fields = properties or {"name": {"type": "string"}}
    return {"message": message, "requestedSchema": {"type": "object", "properties": fields}}


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterProcess]:
    """A Jupyter server with all defaults, for tests that leave it as they found it."""
    process = JupyterProcess(
        tmp_path_factory.mktemp("house"),
        {"raw": raw(), "modern": raw("modern")},
        options=(*ALONE, "--ServerApp.allow_unauthenticated_access=False"),
    )
    yield process
    process.stop()


@pytest.fixture(scope="session")
def door(house: JupyterProcess) -> Door:
    return Door(house.url, house.token, house.root / "runtime")


@pytest.fixture(scope="session")
def kernels(house: JupyterProcess, door: Door) -> tuple[Kernel, Kernel]:
    """Two kernels of the house, as their own code sees them."""
    started = [house.request("POST", "api/kernels", {"name": "python3"})[1]["id"] for _ in "ab"]
    return door.kernel(started[0]), door.kernel(started[1])


class Room:
    """A Jupyter server in this process, on the test's own loop; ``door`` is used from threads."""

    def __init__(self, app: Any, door: Door) -> None:
        self.app = app
        self.door = door
        self.extension = app.web_app.settings["jupyter_mcp_elicit"]
        self._streams: list[Stream] = []

    async def request(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Status and JSON, with the token."""
        given = {**self.door.token, "Content-Type": "application/json", **headers}
        reply = await asyncio.to_thread(self.door.request, method, f"mcp-elicit/{path}", body, given)
        return reply.status, reply.json if reply.is_json else reply.text

    async def as_kernel(self, kernel: Kernel, method: str, path: str, body: Any = None) -> Reply:
        return await asyncio.to_thread(kernel.request, method, f"mcp-elicit/{path}", body)

    async def call(self, server: str, tool: str, arguments: Any = None, **more: Any) -> Stream:
        body = {"server": server, "tool": tool, "arguments": arguments or {}, **more}
        return await self.stream("calls", body)

    async def stream(self, path: str, body: Any, kernel: Kernel | None = None) -> Stream:
        opened: Stream = await asyncio.to_thread((kernel or self.door).stream, f"mcp-elicit/{path}", body)
        self._streams.append(opened)
        return opened

    async def next(self, stream: Stream, kind: str) -> dict[str, Any]:
        return await asyncio.to_thread(stream.next, kind)

    async def next_of(self, stream: Stream, *kinds: str) -> dict[str, Any]:
        """The next line of one of these types."""
        return await asyncio.to_thread(lambda: next(line for line in stream if line["type"] in kinds))

    async def asked(self, stream: Stream) -> dict[str, Any]:
        """The card of the next question on this stream."""
        return dict((await self.next(stream, "elicit"))["card"])

    async def end(self, stream: Stream) -> dict[str, Any]:
        return await asyncio.to_thread(stream.end)

    async def result(self, stream: Stream) -> Any:
        """What the raw server told, as JSON where it is JSON."""
        line = await self.end(stream)
        assert line["type"] == "result", line
        text = line["result"]["content"][0]["text"]
        try:
            return json.loads(text)
        except ValueError:
            return text

    async def answer(self, card: dict[str, Any], action: str, **more: Any) -> tuple[int, Any]:
        return await self.request("POST", f"elicitations/{card['id']}/answer", {"action": action, **more})

    async def card(self, card: dict[str, Any]) -> dict[str, Any]:
        status, shape = await self.request("GET", f"elicitations/{card['id']}")
        assert status == 200, shape
        return dict(shape)

    async def until(self, look: Callable[[], Awaitable[Any]], what: str) -> Any:
        """The first true value that ``look`` gives."""
        for _ in range(600):
            if value := await look():
                return value
            await asyncio.sleep(0.02)
        raise AssertionError(f"There is still no {what}.")

    def leave(self) -> None:
        for stream in self._streams:
            stream.close()


@pytest.fixture
def open_room(
    jp_configurable_serverapp: Any, jp_config_dir: Path, jp_runtime_dir: Path, jp_asyncio_loop: Any
) -> Iterator[Callable[..., Awaitable[Room]]]:
    """Opens a Jupyter server in this process: ``await open_room({"raw": raw()}, deadline=1)``."""
    rooms: list[Room] = []
    serving: list[tornado.httpserver.HTTPServer] = []

    async def open_it(
        entries: dict[str, Any] | None = None,
        /,
        *,
        server_app: dict[str, Any] | None = None,
        **traits: Any,
    ) -> Room:
        configure(jp_config_dir, {"raw": raw()} if entries is None else entries)
        extensions = {"jpserver_extensions": {"jupyter_mcp_elicit": True}}
        config = Config({"ServerApp": {**extensions, **(server_app or {})}, "ElicitApp": traits})
        app = jp_configurable_serverapp(config=config)
        [listening] = tornado.netutil.bind_sockets(0, "127.0.0.1")
        serving.append(tornado.httpserver.HTTPServer(app.web_app))
        serving[-1].add_socket(listening)
        url = f"http://127.0.0.1:{listening.getsockname()[1]}{app.base_url}"
        rooms.append(Room(app, Door(url, app.identity_provider.token, jp_runtime_dir)))
        return rooms[-1]

    yield open_it
    for room in rooms:
        room.leave()
    for server in serving:
        server.stop()
        jp_asyncio_loop.run_until_complete(server.close_all_connections())


def configure(directory: Path, servers: dict[str, Any]) -> None:
    """Write mcp.json as a careful user would have it."""
    path = directory / "mcp.json"
    path.write_text(json.dumps({"mcpServers": servers}), "utf-8")
    path.chmod(0o600)


@pytest.fixture(scope="module")
def library_process() -> Iterator[AuthorizationServer]:
    with authorization_server() as server:
        yield server


@pytest.fixture
def library(library_process: AuthorizationServer) -> AuthorizationServer:
    """As if it had just started."""
    library_process.set(reset=True)
    return library_process


@pytest.fixture
def open_library(open_room: Any, library: AuthorizationServer) -> Iterator[Any]:
    """A room with the library in its mcp.json, and a page that is open in a browser."""
    pages: list[Any] = []

    async def open_it(entry: dict[str, Any] | None = None, /, **traits: Any) -> Any:
        room = await open_room({"library": {"url": library.url, **(entry or {})}}, **traits)
        pages.append(await asyncio.to_thread(open_page, room))
        return room

    yield open_it
    for page in pages:
        page.close()
