"""The same call and the same form, wherever the Jupyter server listens."""

from __future__ import annotations

import json
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from certificate import certificate
from jupyter_process import JupyterProcess
from kernel_client import KernelClient

from .conftest import ALONE

pytestmark = pytest.mark.timeout(120)

CONNECT = "from jupyter_mcp_elicit import *\nbistro = await connect('bistro')"
COFFEE = "print(await bistro.call_tool('order_coffee', {'milk': 'oat'}))"
Start = Callable[..., JupyterProcess]


def order_a_coffee(jupyter: JupyterProcess, kernel: KernelClient) -> None:
    """A real kernel calls two tools of the bistro, and one of them asks."""
    assert kernel.run(CONNECT, 60).text == ""
    assert "Onion soup" in kernel.run("print(await bistro.call_tool('todays_menu'))").text
    with closing(jupyter.websocket("mcp-elicit/events")) as page:
        assert json.loads(page.recv())["type"] == "snapshot"
        cell = kernel.start(COFFEE)
        card = json.loads(page.recv())["card"]
        status, shape = jupyter.answer(card["id"], "accept", draft=[["size", "2"]])
        assert status == 200, shape
        assert "One large coffee with oat milk." in cell.wait().text


def free_ports(count: int) -> int:
    """The first of ``count`` ports in a row that nobody uses."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            first: int = probe.getsockname()[1]
        try:
            for port in range(first, first + count):
                socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return first


def test_behind_a_base_url_and_on_a_port_that_had_to_be_tried_twice(start_jupyter: Start) -> None:
    port = free_ports(2)
    with socket.create_server(("127.0.0.1", port)):
        jupyter = start_jupyter(
            options=(
                *ALONE,
                "--ServerApp.base_url=/some/a%40b/",
                f"--ServerApp.port={port}",
                "--ServerApp.port_retries=20",
            )
        )
        assert jupyter.url.endswith("/some/a%40b/")
        assert f":{port}/" not in jupyter.url
        with closing(KernelClient(jupyter)) as kernel:
            order_a_coffee(jupyter, kernel)


def test_with_tls_and_a_certificate_that_nobody_signed_and_no_other(
    start_jupyter: Start, tmp_path: Path
) -> None:
    ours, key = certificate(tmp_path, "jupyter.example")
    other, _ = certificate(tmp_path, "127.0.0.1")
    jupyter = start_jupyter(
        options=(*ALONE, f"--ServerApp.certfile={ours}", f"--ServerApp.keyfile={key}"), certificate=ours
    )
    assert jupyter.url.startswith("https://")
    # Another certificate, though its name fits, is another server.
    pinned = json.dumps(str(other))
    with closing(KernelClient(jupyter)) as kernel:
        order_a_coffee(jupyter, kernel)
        cell = kernel.run(
            "import json, os\ntold = json.loads(os.environ['JUPYTER_MCP_ELICIT'])\n"
            f"os.environ['JUPYTER_MCP_ELICIT'] = json.dumps({{**told, 'certificate': {pinned}}})\n{CONNECT}"
        )
        assert "CERTIFICATE_VERIFY_FAILED" in cell.text
        assert "Onion" not in cell.text


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path leaves room for a socket's name."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="no Unix sockets")
def test_on_a_unix_socket_behind_a_base_url(start_jupyter: Start, short: Path) -> None:
    jupyter = start_jupyter(
        options=(*ALONE, f"--ServerApp.sock={short / 'jupyter.sock'}", "--ServerApp.base_url=/b/")
    )
    assert jupyter.url == "http://localhost/b/"
    with closing(KernelClient(jupyter)) as kernel:
        order_a_coffee(jupyter, kernel)


def test_a_server_that_listens_everywhere_is_found_on_the_loopback(start_jupyter: Start) -> None:
    jupyter = start_jupyter(
        options=(
            *ALONE,
            "--ServerApp.ip=0.0.0.0",
        )
    )
    with closing(KernelClient(jupyter)) as kernel:
        cell = kernel.run("import os; print(os.environ['JUPYTER_MCP_ELICIT'])")
        assert '"http://127.0.0.1:' in cell.text
        # The kernels' variable outlives a move of the server: one sentence, and what to do.
        with socket.create_server(("127.0.0.1", 0)) as nobody:
            port = nobody.getsockname()[1]
        cell = kernel.run(
            "import json\ntold = json.loads(os.environ['JUPYTER_MCP_ELICIT'])\n"
            f"told['url'] = 'http://127.0.0.1:{port}/mcp-elicit/'\n"
            f"os.environ['JUPYTER_MCP_ELICIT'] = json.dumps(told)\n{CONNECT}"
        )
        assert (
            f"This kernel cannot reach its Jupyter server at http://127.0.0.1:{port}/mcp-elicit/" in cell.text
        )
        assert "give connect() the MCP server's URL or command" in cell.text
        assert "Traceback" not in cell.text
