"""(e) how long a Jupyter server takes to start, with the extension and without it."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from jupyter_process import JupyterProcess
from measure import Row, at_most

OFF = '--ServerApp.jpserver_extensions={"jupyter_mcp_elicit": False}'


def rows() -> list[Row]:
    # By turns, so that a busy moment of the machine falls on both alike.
    times: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(5):
        for on in (True, False):
            times[on].append(_start(() if on else (OFF,)))
    ours, without = (statistics.median(times[on]) for on in (True, False))
    return [at_most("(e) Jupyter server start", ours, without, "without the extension", 1.1)]


def _start(options: tuple[str, ...]) -> float:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        begin = time.perf_counter()
        process = JupyterProcess(Path(folder), options=options)
        taken = (time.perf_counter() - begin) * 1000
        process.stop()
        return taken
