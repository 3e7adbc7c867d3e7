"""The way from this kernel to the Jupyter server that started it: stdlib HTTP, signed requests."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import secrets
import socket
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from ..core.errors import LocalError, RemoteError
from ..core.proof import Proof
from ..core.wire import WIRE_VERSION
from ..core.withdrawal import Withdrawal

ENVIRONMENT = "JUPYTER_MCP_ELICIT"

#: Seconds of silence on a stream after which the server is taken for dead; it says something every 15.
SILENCE = 60.0


class Unreachable(LocalError):
    """This kernel cannot talk to its Jupyter server."""


class Refused(LocalError):
    """The Jupyter server said no. ``status`` is the HTTP status, ``shape`` its JSON."""

    def __init__(self, status: int, shape: dict[str, Any]) -> None:
        super().__init__(str(shape.get("message") or f"The Jupyter server answered with HTTP {status}."))
        self.status = status
        self.shape = shape


@dataclass(frozen=True)
class Link:
    """One Jupyter server as this kernel sees it. ``url`` ends with ``mcp-elicit/``."""

    url: str
    kernel_id: str
    key: bytes
    socket_path: str = ""
    certificate: str = ""

    @classmethod
    def find(cls) -> Link | None:
        """The server that started this kernel and has the extension, or ``None``."""
        try:
            told = json.loads(os.environ.get(ENVIRONMENT, ""))
        except ValueError:
            return None
        # A terminal inside Jupyter inherits the variable too; only a kernel has this parent.
        if os.environ.get("JPY_PARENT_PID") != str(told.get("pid")):
            return None
        known = _kernel()
        if known is None:
            return None
        kernel_id, key = known
        return cls(told["url"], kernel_id, key, told.get("socket", ""), told.get("certificate", ""))

    def request(
        self, method: str, path: str, body: dict[str, Any] | None = None, *, timeout: float = 30.0
    ) -> Any:
        """The JSON that the server answers. ``path`` is relative to ``url``; ``timeout`` in seconds.

        Raises :class:`Unreachable` or :class:`Refused`.
        """
        with self._open(method, path, body, timeout) as stream:
            return stream.whole()

    def stream(self, path: str, body: dict[str, Any]) -> Stream:
        """A ``POST`` whose answer comes line by line. Close it, or use ``with``."""
        return self._open("POST", path, body, SILENCE)

    def _open(self, method: str, path: str, body: dict[str, Any] | None, timeout: float) -> Stream:
        target = urlsplit(self.url).path + quote(path, safe="/")
        data = b"" if body is None else json.dumps(body).encode()
        headers = {
            "Authorization": self._proof(method, target, data).header,
            "Content-Type": "application/json",
            "X-MCP-Elicit-Wire": str(WIRE_VERSION),
            "Host": urlsplit(self.url).netloc if not self.socket_path else "localhost",
        }
        connection = self._connection(timeout)
        try:
            connection.request(method, target, data, headers)
            response = connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise self._unreachable(error) from error
        stream = Stream(connection, response)
        if response.status >= 400:
            with stream:
                raise Refused(response.status, stream.whole())
        return stream

    def _connection(self, timeout: float) -> http.client.HTTPConnection:
        parts = urlsplit(self.url)
        if self.socket_path:
            return _UnixConnection(self.socket_path, timeout)
        host = parts.hostname or "127.0.0.1"
        if parts.scheme == "https":
            return http.client.HTTPSConnection(host, parts.port, timeout=timeout, context=self._tls())
        return http.client.HTTPConnection(host, parts.port, timeout=timeout)

    def _tls(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        if self.certificate and Path(self.certificate).is_file():
            # Pinned to the very certificate that our server uses; its name need not be 127.0.0.1.
            context = ssl.create_default_context(cafile=self.certificate)
            context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
            context.check_hostname = False
        return context

    def _proof(self, method: str, path: str, body: bytes) -> Proof:
        return Proof.make(
            self.key,
            self.kernel_id,
            method=method,
            path=path,
            body=body,
            timestamp=f"{time.time():.3f}",
            nonce=secrets.token_hex(12),
        )

    def _unreachable(self, error: Exception) -> Unreachable:
        where = self.socket_path or self.url
        return Unreachable(
            f"This kernel cannot reach its Jupyter server at {where} ({str(error) or type(error).__name__}).",
            hint="If the kernel runs on another machine, give connect() the MCP server's URL or command, "
            "so that the connection lives in the kernel.",
        )


class Stream:
    """An HTTP answer, whole or line by line. :meth:`close` may be called from any thread."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._response = response
        self._socket = connection.sock

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The lines as JSON objects; raises :class:`Unreachable` when the server goes away in between."""
        try:
            for line in self._response:
                yield json.loads(line)
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise Unreachable(
                f"The Jupyter server went away during the call ({str(error) or type(error).__name__}).",
                hint="Call again when it is back.",
            ) from error

    def whole(self) -> Any:
        """All of it as one JSON value."""
        try:
            text = self._response.read()
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"The Jupyter server went away ({error}).") from error
        try:
            return json.loads(text)
        except ValueError:
            status = self._response.status
            message = f"The Jupyter server answered with HTTP {status} and no JSON."
            if status == 404:
                message = "This Jupyter server does not have the jupyter_mcp_elicit extension enabled."
            return {"message": message}

    def close(self, why: Withdrawal = Withdrawal.CALLER) -> None:
        """End the exchange at once: the server notices, and withdraws what it asked. ``why`` is not sent."""
        sock = self._connection.sock or self._socket
        if sock is not None:
            # Wakes a reader in another thread, which a plain close would not.
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        self._response.close()
        self._connection.close()


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def error_of(shape: dict[str, Any]) -> LocalError | RemoteError:
    """The error that the last line of a stream tells of."""
    if shape.get("kind") == "remote":
        return RemoteError(str(shape["message"]), code=int(shape["code"]), data=shape.get("data"))
    return LocalError(str(shape.get("message")), hint=str(shape.get("hint") or ""))


def _kernel() -> tuple[str, bytes] | None:
    """This kernel's id and key, ``None`` outside a kernel."""
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    kernel = getattr(get_ipython(), "kernel", None)
    key = getattr(getattr(kernel, "session", None), "key", None)
    file = getattr(getattr(kernel, "config", None), "IPKernelApp", {}).get("connection_file", "")
    if not file:
        from ipykernel import get_connection_file

        try:
            file = get_connection_file()
        except RuntimeError:
            return None
    found = re.fullmatch(r"kernel-(.+)\.json", Path(file).name)
    return (found[1], key) if found and isinstance(key, bytes) and key else None
