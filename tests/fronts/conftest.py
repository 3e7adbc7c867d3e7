"""Front ends that are not Jupyter's own, run for real, with the bistro and what it received."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.browser import open_browser
from jupyter_process import wait_until
from playwright.sync_api import BrowserContext


class Bistro:
    """``connect``: the code that connects a notebook to it."""

    def __init__(self, folder: Path) -> None:
        self._journal = folder / "journal.jsonl"
        self._taken = 0
        command = ["-m", "jupyter_mcp_elicit.demo", "--journal", str(self._journal)]
        self.connect = f"bistro = await connect([sys.executable, *{command!r}], name='bistro')"

    def take(self) -> list[dict[str, Any]]:
        """The answers that it received since the last time, as they came."""
        lines = self._journal.read_text("utf-8").splitlines() if self._journal.exists() else []
        new, self._taken = lines[self._taken :], len(lines)
        return [each for each in map(json.loads, new) if "action" in each]


@pytest.fixture(scope="module")
def bistro(tmp_path_factory: pytest.TempPathFactory) -> Bistro:
    return Bistro(tmp_path_factory.mktemp("bistro"))


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    with open_browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture
def jp_asyncio_loop() -> None:
    """Instead of pytest-jupyter's for every test: the browser's driver runs the loop of this thread."""


@pytest.fixture
def jp_server_cleanup() -> None:
    """As above; no Jupyter server runs in this process."""


def environment(folder: Path) -> dict[str, str]:
    """Of a person who has no Jupyter server, and no configuration."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "JPY_"))}
    return kept | {
        f"JUPYTER_{name}_DIR": str(folder / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")
    }


@contextlib.contextmanager
def serving(folder: Path, *command: str, home: str = "/") -> Iterator[str]:
    """A web server of a module of Python, with ``{port}`` filled in; gives the address of its page."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    log = folder / "log.txt"
    with log.open("w", encoding="utf-8") as told:
        process = subprocess.Popen(
            [sys.executable, "-m", *(each.format(port=port) for each in command)],
            cwd=folder,
            env=environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=told,
            stderr=told,
            start_new_session=True,
        )
        try:
            wait_until(lambda: _answers(f"{address}{home}"), f"server; {log}", 60)
            yield address
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=20):
            return True
    except OSError:
        return False
