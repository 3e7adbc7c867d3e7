"""Peers as fixtures: their argument vectors, and their HTTP servers started and stopped."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from jupyter_process import JupyterProcess

from .page import Page

HERE = Path(__file__).parent
PEERS = HERE / "peers"

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
    with _serving(peers) as serve:
        yield serve


@contextlib.contextmanager
def _serving(peers: dict[str, Any]) -> Iterator[Callable[[str], str]]:
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

    try:
        yield serve
    finally:
        for process in processes:
            process.kill()
            process.wait(timeout=10)
            if process.stdout is not None:
                process.stdout.close()


@pytest.fixture(scope="session")
def page(peers: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A kernel of a Jupyter server that knows every peer, as ``<peer>-<stdio or http>[-legacy]``."""
    with _serving(peers) as serve, ThreadPoolExecutor(8) as starting:
        urls = dict(zip(peers, starting.map(serve, peers), strict=True))
        root = tmp_path_factory.mktemp("peers")
        entries: dict[str, dict[str, Any]] = {}
        for name, peer in peers.items():
            entries[f"{name}-http"] = {"url": urls[name]}
            if peer.stdio:
                entries[f"{name}-stdio"] = tapped(peer.stdio, root / f"{name}-stdio.jsonl")
                entries[f"{name}-stdio-legacy"] = tapped(peer.stdio, root / f"{name}-stdio-legacy.jsonl")
                entries[f"{name}-bare"] = {"command": peer.stdio[0], "args": list(peer.stdio[1:])}
            entries[f"{name}-http-legacy"] = {"url": urls[name]}
        for name, entry in entries.items():
            if name.endswith("-legacy"):
                entry["era"] = "legacy"
        jupyter = JupyterProcess(root / "jupyter", entries)
        try:
            page = Page(jupyter, root)
            yield page
            page.close()
        finally:
            jupyter.stop()


def tapped(argv: tuple[str, ...], kept: Path) -> dict[str, Any]:
    """The entry of a stdio server with the wiretap before it."""
    return {"command": sys.executable, "args": [str(HERE / "wiretap.py"), str(kept), *argv]}
