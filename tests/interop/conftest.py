"""Peers as fixtures: their argument vectors, and their HTTP servers started and stopped."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

PEERS = Path(__file__).parent / "peers"

#: Seconds a peer may take to listen on a busy machine.
START = 30.0


@pytest.fixture(scope="session")
def peers() -> dict[str, Any]:
    """The table of ``peers/peers.py``. Skips where the peers are not installed, but not in CI."""
    sys.path.insert(0, str(PEERS))
    try:
        spec = importlib.util.spec_from_file_location("peers", PEERS / "peers.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["peers"] = module
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(PEERS))
    if not (module.CACHE / "mcp1.stamp").exists() and not os.environ.get("CI"):
        pytest.skip("python tests/interop/peers/install.py was not run")
    table: dict[str, Any] = module.peers()
    return table


@pytest.fixture
def serving(peers: dict[str, Any]) -> Iterator[Callable[[str], str]]:
    """``serving("fastmcp")`` starts that peer's HTTP server and gives its URL."""
    processes: list[subprocess.Popen[bytes]] = []

    def serve(name: str) -> str:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        argv, env = peers[name].serve(port)
        process = subprocess.Popen(argv, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        processes.append(process)
        # A full pipe would stop the peer: what it says is read, and kept for the day it does not start.
        said: list[bytes] = []
        threading.Thread(target=lambda: said.extend(process.stdout or ()), daemon=True).start()
        until = time.monotonic() + START
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > until:
                    pytest.fail(f"{name} does not listen: {b''.join(said).decode(errors='replace')}")
                threading.Event().wait(0.02)
        return f"http://127.0.0.1:{port}/mcp"

    yield serve
    for process in processes:
        process.kill()
        process.wait(timeout=10)
        if process.stdout is not None:
            process.stdout.close()
