"""A real Jupyter server in a process of its own, with its own configuration, data and notebooks."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

DEMO = [sys.executable, "-m", "jupyter_mcp_elicit.demo"]


def wait_until(look: Callable[[], T | None], what: str, seconds: float = 30.0) -> T:
    """The first true value that ``look`` gives; fails with ``what`` when there is none in time."""
    end = time.monotonic() + seconds
    while True:
        if value := look():
            return value
        if time.monotonic() > end:
            raise AssertionError(f"After {seconds:.0f} seconds there is still no {what}.")
        time.sleep(0.02)


class JupyterProcess:
    """``app``: ``server``, ``lab`` or ``notebook``. ``servers``: the ``mcpServers`` of its mcp.json."""

    def __init__(
        self,
        root: Path,
        servers: dict[str, Any] | None = None,
        *,
        app: str = "server",
        options: tuple[str, ...] = (),
        environment: dict[str, str] | None = None,
    ) -> None:
        self.root = root
        self.token = secrets.token_hex(16)
        self.notebooks = root / "notebooks"
        self.journal = root / "journal.jsonl"
        for folder in ("config", "data", "runtime", "notebooks", "home"):
            (root / folder).mkdir(parents=True, exist_ok=True)
        self.configure(servers if servers is not None else {"bistro": self.bistro()})
        self.process = self._start(app, options, environment or {})
        self.info = wait_until(self._running, "running Jupyter server", 60)

    def bistro(self, *arguments: str, **keys: Any) -> dict[str, Any]:
        """The entry of the demo server, whose own view of every answer lands in ``journal``."""
        command, *rest = DEMO
        return {"command": command, "args": [*rest, "--journal", str(self.journal), *arguments], **keys}

    def configure(self, servers: dict[str, Any]) -> None:
        """Write mcp.json as a careful user would have it."""
        path = self.root / "config" / "mcp.json"
        path.write_text(json.dumps({"mcpServers": servers}), "utf-8")
        path.chmod(0o600)

    @property
    def url(self) -> str:
        return str(self.info["url"])

    def request(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        """Status and JSON of one request with the token."""
        given = {
            "Authorization": f"token {self.token}",
            "Content-Type": "application/json",
            **(headers or {}),
        }
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, given, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                text, status = response.read(), response.status
        except urllib.error.HTTPError as error:
            with error:
                text, status = error.read(), error.code
        try:
            return status, json.loads(text)
        except ValueError:
            return status, text.decode("utf-8", "replace")

    def open_cards(self) -> list[dict[str, Any]]:
        """The questions that wait now."""
        status, shape = self.request("GET", "mcp-elicit/elicitations")
        assert status == 200, shape
        return list(shape["elicitations"])

    def wait_for_cards(self, count: int = 1) -> list[dict[str, Any]]:
        """As soon as ``count`` questions wait."""

        def look() -> list[dict[str, Any]] | None:
            cards = self.open_cards()
            return cards if len(cards) == count else None

        return wait_until(look, f"{count} waiting question(s)")

    def card(self, question_id: str) -> dict[str, Any]:
        status, card = self.request("GET", f"mcp-elicit/elicitations/{question_id}")
        assert status == 200, card
        return dict(card)

    def answer(self, question_id: str, action: str, **more: Any) -> tuple[int, Any]:
        return self.request(
            "POST", f"mcp-elicit/elicitations/{question_id}/answer", {"action": action, **more}
        )

    def journalled(self) -> list[dict[str, Any]]:
        """What the demo server says that it received."""
        if not self.journal.is_file():
            return []
        return [json.loads(line) for line in self.journal.read_text("utf-8").splitlines()]

    def log(self) -> str:
        return (self.root / "log.txt").read_text("utf-8", "replace")

    def stop(self) -> None:
        """As a person would: SIGTERM, and no patience without end."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(10)

    def _start(self, app: str, options: tuple[str, ...], more: dict[str, str]) -> subprocess.Popen[bytes]:
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "JPY_"))},
            "HOME": str(self.root / "home"),
            "IPYTHONDIR": str(self.root / "home" / "ipython"),
            "JUPYTER_CONFIG_DIR": str(self.root / "config"),
            "JUPYTER_DATA_DIR": str(self.root / "data"),
            "JUPYTER_RUNTIME_DIR": str(self.root / "runtime"),
            "PYTHONUNBUFFERED": "1",
            **more,
        }
        command = [
            sys.executable,
            "-m",
            "jupyter",
            app,
            "--no-browser",
            "--allow-root",
            "--ServerApp.ip=127.0.0.1",
            "--ServerApp.port=0",
            f"--IdentityProvider.token={self.token}",
            f"--ServerApp.root_dir={self.notebooks}",
            "--LabApp.news_url=",
            *options,
        ]
        with (self.root / "log.txt").open("wb") as log:
            return subprocess.Popen(
                command, env=environment, cwd=self.root, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def _running(self) -> dict[str, Any] | None:
        assert self.process.poll() is None, f"The Jupyter server ended:\n{self.log()}"
        path = self.root / "runtime" / f"jpserver-{self.process.pid}.json"
        if not path.is_file():
            return None
        try:
            info: dict[str, Any] = json.loads(path.read_text("utf-8"))
            with urllib.request.urlopen(info["url"] + "api", timeout=5):
                return info
        except (OSError, ValueError):
            return None
