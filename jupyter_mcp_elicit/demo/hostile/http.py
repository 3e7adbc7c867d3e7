"""The twin over streamable HTTP: a call's own stream carries all that it says."""

from __future__ import annotations

import contextlib
import json
import secrets
import socket
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .session import Session

MAX_BODY = 1_000_000


def serve(host: str, port: int) -> None:
    """Until the process is told to stop; says on stderr where it listens."""
    kind = _ServerV6 if ":" in host else _Server
    with kind((host, port), _Handler) as server:
        shown = f"[{host}]" if ":" in host else host
        sys.stderr.write(f"bistro: open at http://{shown}:{server.server_port}/mcp\n")
        sys.stderr.flush()
        server.serve_forever()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self.session = Session("http")

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients hang up in the middle of things here; that is the point."""


class _ServerV6(_Server):
    address_family = socket.AF_INET6


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    #: Seconds; a connection that says nothing is dropped.
    timeout = 60

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not self._is_for_us() or not length.isdecimal() or int(length) > MAX_BODY:
            self.close_connection = True
            return self._reply(404)
        try:
            message = json.loads(self.rfile.read(int(length)))
        except ValueError:
            return self._reply(400)
        if not isinstance(message, dict):
            return self._reply(400)
        if message.get("method") == "tools/call" and "id" in message:
            return self._stream(message)
        lines: list[bytes] = []
        self._session.hear(message, lines.append)
        if not lines:
            return self._reply(202)
        more = {"Mcp-Session-Id": secrets.token_hex(16)} if message.get("method") == "initialize" else {}
        return self._reply(200, lines[0], {"Content-Type": "application/json", **more})

    def do_GET(self) -> None:
        self._reply(405)

    def do_DELETE(self) -> None:
        self._reply(200)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: stderr is for what a person should read."""

    @property
    def _session(self) -> Session:
        server: Any = self.server
        return server.session  # type: ignore[no-any-return]

    def _is_for_us(self) -> bool:
        server: Any = self.server
        # A name that some web page made lead here is not ours.
        hosts = [f"{name}:{server.server_port}" for name in ("127.0.0.1", "localhost", "[::1]")]
        return self.path == "/mcp" and self.headers["Host"] in hosts

    def _stream(self, message: dict[str, Any]) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()

        def write(line: bytes) -> None:
            # A client that has had enough is gone in the middle of an event.
            with contextlib.suppress(OSError, ValueError):
                self.wfile.write(b"event: message\ndata: " + line + b"\n\n")
                self.wfile.flush()

        playing = self._session.hear(message, write)
        if playing is not None:
            playing.join()

    def _reply(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
