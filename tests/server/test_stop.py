"""What is left when something ends: nothing. And what is loaded before anything begins: nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest
import websocket
from door import Door
from jupyter_process import JupyterProcess, wait_until

from .conftest import ALONE, Room, form, raw

pytestmark = pytest.mark.timeout(90)

Start = Callable[..., JupyterProcess]

LOADED = """
import asyncio, json, sys
from jupyter_server.serverapp import ServerApp

async def start():
    app = ServerApp()
    app.initialize(sys.argv[1:], new_httpserver=False)
    await app.extension_manager.start_all_extensions()
    print(json.dumps(sorted(sys.modules)))

asyncio.run(start())
"""

WHERE = """
import asyncio, logging, sys, threading
from pathlib import Path
from jupyter_mcp_elicit.broker import Limits
from jupyter_mcp_elicit.client.spec import ServerSpec
from jupyter_mcp_elicit.client.trust import TrustStore
from jupyter_mcp_elicit.core.errors import LocalError
from jupyter_mcp_elicit.server.call import Call
from jupyter_mcp_elicit.server.entrance import Entrance
from jupyter_mcp_elicit.server.owner import Owner
from jupyter_mcp_elicit.server.rules import Rules

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == "mcp":
            print("beside" if threading.current_thread() is not threading.main_thread() else "on the loop")

sys.meta_path.insert(0, Watch())

async def call():
    trust = TrustStore(Path(sys.argv[1]))
    owner = Owner("agent:a", Rules(Limits()), trust, Entrance(str), logging.getLogger())
    try:
        await owner.list_tools(ServerSpec(name="no", command="/no/such/command"), Call(print))
    except LocalError as error:
        print(error)

asyncio.run(call())
"""


def servers_of(pid: int, mark: str) -> list[psutil.Process]:
    """The MCP servers of a Jupyter server that were started with this mark."""
    return [each for each in psutil.Process(pid).children() if mark in words_of(each)]


def words_of(process: psutil.Process) -> list[str]:
    """Its command line; none once it has ended, which may be while we look."""
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def door_of(jupyter: JupyterProcess) -> Door:
    return Door(jupyter.url, jupyter.token, jupyter.root / "runtime")


def test_sigterm_withdraws_questions_tells_pages_and_ends_every_server(start_jupyter: Start) -> None:
    jupyter = start_jupyter({"raw": raw("legacy", "M"), "stubborn": raw("modern", "M")}, options=ALONE)
    door = door_of(jupyter)
    kernel = door.kernel(jupyter.request("POST", "api/kernels", {"name": "python3"})[1]["id"])
    calls = [
        each.stream("mcp-elicit/calls", {"server": "raw", "tool": "push", "arguments": {"params": form()}})
        for each in (door, kernel)
    ]
    questions = [call.next("elicit")["card"]["id"] for call in calls]
    stubborn = door.stream("mcp-elicit/calls", {"server": "stubborn", "tool": "stubborn"})
    assert stubborn.end()["type"] == "result"
    servers = servers_of(jupyter.process.pid, "M")
    assert len(servers) == 3
    with closing(jupyter.websocket("mcp-elicit/events")) as page:
        page.settimeout(30)
        assert len(json.loads(page.recv())["elicitations"]) == 2
        jupyter.process.send_signal(signal.SIGTERM)
        told = [json.loads(page.recv())["card"] for _ in questions]
        assert {each["id"] for each in told} == set(questions)
        assert {each["state"] for each in told} == {"withdrawn"}
        assert told[0]["outcome"]["withdrawnBy"] == "owner"
        while (frame := page.recv_data())[0] == websocket.ABNF.OPCODE_TEXT:
            pass
        assert frame[0] == websocket.ABNF.OPCODE_CLOSE
        assert int.from_bytes(frame[1][:2], "big") == 1001
        # Said goodbye to, close() would leave the socket open.
        page.shutdown()
    for call in calls:
        with closing(call):
            assert call.end()["type"] == "error"
    with closing(stubborn):
        # A server that takes no polite way out is killed, after two seconds for each of them.
        assert jupyter.process.wait(30) == 0
    assert not [each for each in servers if each.is_running()]
    assert not list((jupyter.root / "runtime").glob("jpserver-*"))
    assert "Traceback" not in jupyter.log()
    assert "never retrieved" not in jupyter.log()


@pytest.mark.parametrize("last", [signal.SIGINT, signal.SIGKILL])
def test_servers_end_even_where_jupyter_calls_no_stop_hook(
    last: signal.Signals, start_jupyter: Start
) -> None:
    jupyter = start_jupyter({"raw": raw("legacy", "M")}, options=ALONE)
    with closing(door_of(jupyter).stream("mcp-elicit/servers/raw/tools", {})) as call:
        assert call.end()["type"] == "result"
    [server] = servers_of(jupyter.process.pid, "M")
    jupyter.process.send_signal(last)
    jupyter.process.wait(20)
    wait_until(
        lambda: not server.is_running() or server.status() == psutil.STATUS_ZOMBIE, "end of the server"
    )


async def test_a_kernel_that_is_shut_down_takes_its_servers_along_and_no_others(open_room: Any) -> None:
    room: Room = await open_room({"raw": raw("legacy", "M")}, reap_every=0.05)
    await room.extension._start_jupyter_server_extension(room.app)
    ids = [await room.app.kernel_manager.start_kernel() for _ in "ab"]
    kernels = [room.door.kernel(each) for each in ids]
    for kernel in (*kernels, None):
        call = await room.stream("servers/raw/tools", {}, kernel)
        assert (await room.end(call))["type"] == "result"
    assert len(servers_of(os.getpid(), "M")) == 3
    question = await room.asked(await room.stream("elicitations", form(), kernels[0]))
    # A restart is no end: the kernel, its key and its servers stay.
    await room.app.kernel_manager.restart_kernel(ids[1])
    await room.app.kernel_manager.shutdown_kernel(ids[0], now=True)

    async def two_are_left() -> bool:
        return len(servers_of(os.getpid(), "M")) == 2

    await room.until(two_are_left, "end of the kernel's server")
    assert (await room.request("GET", f"elicitations/{question['id']}"))[0] == 404
    assert room.extension.registry.owner_ids() == [f"kernel:{ids[1]}", "agent:api"]
    assert (await room.as_kernel(kernels[0], "GET", "servers")).status == 403
    assert (await room.as_kernel(kernels[1], "GET", "servers/raw/tools")).status == 200


def test_nothing_but_our_own_modules_is_loaded_when_jupyter_starts(tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "JPY_"))}
    environment |= {f"JUPYTER_{each}_DIR": str(tmp_path / each) for each in ("CONFIG", "DATA", "RUNTIME")}

    def start(enabled: bool) -> subprocess.Popen[bytes]:
        extensions = ALONE[0].replace("'jupyter_mcp_elicit': True", f"'jupyter_mcp_elicit': {enabled}")
        options = [
            extensions,
            "--ServerApp.port=0",
            "--no-browser",
            "--allow-root",
            f"--ServerApp.root_dir={tmp_path}",
        ]
        return subprocess.Popen(
            [sys.executable, "-c", LOADED, *options],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    loaded = []
    for process in [start(False), start(True)]:
        out, told = process.communicate(timeout=60)
        assert process.returncode == 0, told.decode()
        loaded.append(set(json.loads(out.splitlines()[-1])))
    ours = loaded[1] - loaded[0]
    assert "jupyter_mcp_elicit.server.app" in ours
    packages = [{each.partition(".")[0] for each in modules} for modules in loaded]
    assert packages[1] - packages[0] - set(sys.stdlib_module_names) == {"jupyter_mcp_elicit"}
    rooms = {each.split(".")[1] for each in ours if each.startswith("jupyter_mcp_elicit.")}
    assert not rooms & {"client", "kernel", "demo"}


def test_the_mcp_sdk_is_loaded_beside_the_loop_that_everybody_shares(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WHERE, str(tmp_path / "started.json")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert ran.stdout.splitlines()[0] == "beside"
    assert "There is no command" in ran.stdout
