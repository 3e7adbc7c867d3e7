"""The door of a Jupyter server: requests with exactly the credentials that a test gives, nothing added."""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import secrets
import socket
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jupyter_mcp_elicit.core.proof import Proof
from jupyter_mcp_elicit.core.wire import WIRE_VERSION

JSON = {"Content-Type": "application/json"}

#: What a browser sends to open a websocket, without its Origin.
UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": base64.b64encode(b"sixteen bytes...").decode(),
}


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    text: bytes

    @property
    def is_json(self) -> bool:
        return self.headers.get("Content-Type", "").startswith("application/json") and bool(self.text)

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Stream:
    """An answer that comes line by line."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = dict(response.headers)
        self.lines: list[dict[str, Any]] = []
        self._connection = connection
        self._socket = connection.sock
        self._response = response

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for text in self._response:
            self.lines.append(json.loads(text))
            yield self.lines[-1]

    def next(self, kind: str) -> dict[str, Any]:
        """The next line of that type; the ones before it are kept in ``lines``."""
        for line in self:
            if line["type"] == kind:
                return line
        raise AssertionError(f"No line {kind!r} came: {self.lines}")

    def end(self) -> dict[str, Any]:
        """The last line."""
        for _ in self:
            pass
        return self.lines[-1]

    def close(self) -> None:
        """Go away, as an interrupted caller does."""
        sock = self._connection.sock or self._socket
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        self._response.close()
        self._connection.close()


@dataclass(frozen=True)
class Cookies:
    """What a browser keeps after a login."""

    header: str
    xsrf: str


class Door:
    """``url`` ends with the base URL; paths are relative to it."""

    def __init__(self, url: str, token: str, runtime: Path) -> None:
        parts = urlsplit(url)
        self.address = (parts.hostname or "127.0.0.1", parts.port or 80)
        self.base = parts.path
        self.runtime = runtime
        self.token = {"Authorization": f"token {token}"}
        self._secret = token

    def path(self, relative: str) -> str:
        """The path part of the URL, as it is sent and signed."""
        return f"{self.base}{relative}"

    def request(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """``body``: bytes as they are, anything else as JSON."""
        connection, response = self._send(method, path, body, headers or {})
        with contextlib.closing(connection), response:
            # A stream or a socket never ends by itself; its status is the answer here.
            endless = response.status == 101 or "ndjson" in response.headers.get("Content-Type", "")
            text = b"" if endless else response.read()
            return Reply(response.status, dict(response.headers), text)

    def stream(self, path: str, body: Any, headers: Mapping[str, str] | None = None) -> Stream:
        """A ``POST``, with the token unless ``headers`` are given."""
        return Stream(*self._send("POST", path, body, {**self.token, **JSON} if headers is None else headers))

    def login(self) -> Cookies:
        """The cookies that a browser has after it came in with the token."""
        connection, response = self._send("GET", f"?token={self._secret}", None, {})
        with contextlib.closing(connection), response:
            response.read()
            pairs = [each.partition(";")[0] for each in response.headers.get_all("Set-Cookie", [])]
        jar = dict(pair.split("=", 1) for pair in pairs)
        return Cookies("; ".join(f"{name}={value}" for name, value in jar.items()), jar["_xsrf"])

    def kernel(self, kernel_id: str) -> Kernel:
        """A running kernel's own view: its connection file."""
        shape = json.loads((self.runtime / f"kernel-{kernel_id}.json").read_text("utf-8"))
        return Kernel(kernel_id, shape["key"].encode(), self)

    def _send(
        self, method: str, path: str, body: Any, headers: Mapping[str, str]
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection = http.client.HTTPConnection(*self.address, timeout=30)
        connection.request(method, self.path(path), data, dict(headers))
        return connection, connection.getresponse()


@dataclass(frozen=True)
class Kernel:
    """Signs requests as the code in a kernel would."""

    id: str
    key: bytes
    door: Door

    def signed(self, method: str, path: str, body: Any = None, /, **instead: Any) -> dict[str, str]:
        """Headers with a proof for one request; ``instead`` replaces what is signed."""
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        signed: dict[str, Any] = {
            "method": method,
            "path": self.door.path(path),
            "body": data,
            "timestamp": f"{time.time():.3f}",
            "nonce": secrets.token_hex(8),
            **instead,
        }
        proof = Proof.make(signed.pop("key", self.key), signed.pop("kernel_id", self.id), **signed)
        return {"Authorization": proof.header, "X-MCP-Elicit-Wire": str(WIRE_VERSION), **JSON}

    def request(self, method: str, path: str, body: Any = None) -> Reply:
        return self.door.request(method, path, body, self.signed(method, path, body))

    def stream(self, path: str, body: Any) -> Stream:
        return self.door.stream(path, body, self.signed("POST", path, body))
