"""(a) an elicited call, kernel to server and page to kernel, against the bare SDK and an empty POST."""

from __future__ import annotations

import asyncio
import http.client
import json
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

import websocket
from jupyter_process import DEMO, JupyterProcess
from kernel_client import KernelClient
from measure import Row

TIMES = 100
WARM = 10

IN_KERNEL = f"""
import statistics, time
from jupyter_mcp_elicit import connect
bistro = await connect("bistro")
taken = []
for round in range({TIMES + WARM}):
    start = time.perf_counter()
    result = bistro.call("cancel_booking", {{"code": "T1"}})
    taken.append((time.perf_counter() - start) * 1000)
    assert "kept" in result.text.lower() or "T1" in result.text, result.text
print("MEDIAN", statistics.median(taken[{WARM}:]))
"""


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = JupyterProcess(
            Path(folder),
            options=('--ServerApp.jpserver_extensions={"empty_post": True, "jupyter_mcp_elicit": True}',),
            environment={"PYTHONPATH": str(Path(__file__).parent)},
        )
        try:
            threading.Thread(target=_page, args=(process,), daemon=True).start()
            kernel = KernelClient(process)
            cell = kernel.run(IN_KERNEL, 120)
            found = [line for line in cell.text.splitlines() if line.startswith("MEDIAN")]
            assert found, cell.text[-2000:]
            ours = float(found[0].split()[1])
            kernel.close()
            post = _empty_posts(process)
        finally:
            process.stop()
    bare = asyncio.run(_bare())
    added = (ours - bare) / post
    return [
        Row(
            "(a) elicited call, added to the bare SDK",
            f"{ours:.2f} ms - {bare:.2f} ms",
            f"empty Jupyter POST: {post:.2f} ms",
            added,
            "≤ 2.5 ×",
            added <= 2.5,
        )
    ]


def _page(process: JupyterProcess) -> None:
    """A page that declines as soon as it is told: the events socket, and one POST on a kept connection."""
    socket = websocket.create_connection(
        process.url.replace("http", "ws", 1) + "mcp-elicit/events",
        header=[f"Authorization: token {process.token}"],
    )
    connection = _connection(process)
    headers = {"Authorization": f"token {process.token}", "Content-Type": "application/json"}
    while True:
        try:
            told = json.loads(socket.recv())
        except (OSError, ValueError, websocket.WebSocketException):
            return
        card = told.get("card")
        if card and card["state"] == "pending":
            connection.request(
                "POST",
                f"/mcp-elicit/elicitations/{card['id']}/answer",
                json.dumps({"action": "decline"}),
                headers,
            )
            connection.getresponse().read()


def _connection(process: JupyterProcess) -> http.client.HTTPConnection:
    parts = urlsplit(process.url)
    return http.client.HTTPConnection(parts.hostname or "", parts.port)


def _empty_posts(process: JupyterProcess) -> float:
    connection = _connection(process)
    headers = {"Authorization": f"token {process.token}", "Content-Type": "application/json"}
    taken = []
    for _ in range(TIMES + WARM):
        start = time.perf_counter()
        connection.request("POST", "/empty-post", "{}", headers)
        response = connection.getresponse()
        response.read()
        assert response.status == 200, response.status
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken[WARM:])


async def _bare() -> float:
    from mcp import Client, StdioServerParameters
    from mcp_types import ElicitResult

    async def decline(context: object, params: object) -> ElicitResult:
        return ElicitResult(action="decline")

    server = StdioServerParameters(command=DEMO[0], args=DEMO[1:])
    taken = []
    async with Client(server, elicitation_callback=decline) as client:
        await client.list_tools()
        for _ in range(TIMES + WARM):
            start = time.perf_counter()
            await client.call_tool("cancel_booking", {"code": "T1"})
            taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken[WARM:])


if __name__ == "__main__":
    sys.stdout.write(f"{rows()}\n")
