"""A real Jupyter server in a process of its own, with its own configuration, data and notebooks."""

from __future__ import annotations

import http.client
import json
import os
import secrets
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import websocket

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


def _loopback() -> tuple[str, str]:
    """A port that is free now; Jupyter takes the next one when somebody was quicker.

    Older Jupyter servers do not tell which port they got when they are asked for any.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={probe.getsockname()[1]}"


def _says(options: tuple[str, ...], default: str) -> bool:
    """Whether the options say otherwise; a socket stands in for a port."""
    names = [each.partition("=")[0] for each in options]
    name = default.partition("=")[0]
    return name in names or (name.endswith(".port") and "--ServerApp.sock" in names)


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, host: str, **options: Any) -> None:
        super().__init__(host, **options)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class _UnixHandler(urllib.request.HTTPHandler):
    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path

    def http_open(self, request: urllib.request.Request) -> Any:
        return self.do_open(lambda host, **options: _UnixConnection(self._path, host, **options), request)


class JupyterProcess:
    """``app``: ``server``, ``lab`` or ``notebook``. ``servers``: the ``mcpServers`` of its mcp.json.

    ``options`` may name a port, an address or a socket instead of a free port of the loopback;
    ``certificate`` is what a server with TLS shows.
    """

    def __init__(
        self,
        root: Path,
        servers: dict[str, Any] | None = None,
        *,
        app: str = "server",
        options: tuple[str, ...] = (),
        environment: dict[str, str] | None = None,
        certificate: Path | None = None,
    ) -> None:
        self.root = root
        self._certificate = certificate
        self.token = secrets.token_hex(16)
        self.notebooks = root / "notebooks"
        self.journal = root / "journal.jsonl"
        for folder in ("config", "data", "runtime", "notebooks", "home"):
            (root / folder).mkdir(parents=True, exist_ok=True)
        self.configure(servers if servers is not None else {"bistro": self.bistro()})
        self.process = self._start(app, options, environment or {})
        try:
            self.info = wait_until(self._running, "running Jupyter server", 60)
        except BaseException:
            self.stop()
            raise

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
        """Ends with the base URL; over a Unix socket the host is only a name."""
        if self.info["sock"]:
            return f"http://localhost{self.info['base_url']}"
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
            with self._opener(self.info).open(request, timeout=30) as response:
                text, status = response.read(), response.status
        except urllib.error.HTTPError as error:
            with error:
                text, status = error.read(), error.code
        try:
            return status, json.loads(text)
        except ValueError:
            return status, text.decode("utf-8", "replace")

    def websocket(self, path: str) -> websocket.WebSocket:
        """A websocket with the token, as a front end opens it."""
        options: dict[str, Any] = {"header": [f"Authorization: token {self.token}"], "timeout": 120}
        if self.info["sock"]:
            options["socket"] = socket.socket(socket.AF_UNIX)
            options["socket"].connect(self.info["sock"])
        if self._certificate is not None:
            options["sslopt"] = {"ca_certs": str(self._certificate), "check_hostname": False}
        return websocket.create_connection(self.url.replace("http", "ws", 1) + path, **options)

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

    def _opener(self, info: dict[str, Any]) -> urllib.request.OpenerDirector:
        handlers: list[urllib.request.BaseHandler] = [urllib.request.ProxyHandler({})]
        if info["sock"]:
            handlers.append(_UnixHandler(info["sock"]))
        if self._certificate is not None:
            context = ssl.create_default_context(cafile=str(self._certificate))
            context.check_hostname = False
            handlers.append(urllib.request.HTTPSHandler(context=context))
        return urllib.request.build_opener(*handlers)

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
            *(each for each in _loopback() if not _says(options, each)),
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
            self.info = info
            with self._opener(info).open(self.url + "api", timeout=5):
                return info
        except (OSError, ValueError):
            return None
