"""The TypeScript SDK's own example of URL mode, behind its own login: started, and logged in to by hand."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import secrets
import socket
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from jupyter_process import JupyterProcess, wait_until

EXAMPLE = Path(
    "@modelcontextprotocol", "sdk", "dist", "esm", "examples", "server", "elicitationUrlExample.js"
)
BACK = "http://127.0.0.1/back"


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class UrlExample:
    """``token`` opens its ``/mcp``, the cookie its pages: both come with one login."""

    def __init__(self, port: int, auth_port: int) -> None:
        self.url = f"http://localhost:{port}/mcp"
        self._auth = f"http://localhost:{auth_port}"
        self._cookie = ""
        self.token = self._log_in()

    @property
    def entry(self) -> dict[str, Any]:
        """Its entry in mcp.json."""
        return {"url": self.url, "headers": {"Authorization": f"Bearer {self.token}"}}

    def visit(self, address: str, fields: Mapping[str, str] | None = None) -> str:
        """What a page of its own shows to the browser that logged in; ``fields`` are sent as its form."""
        data = None if fields is None else urlencode(fields).encode()
        status, _, text = self._send(address, data, {"Cookie": self._cookie})
        assert status == 200, text
        return text

    def sign_in(self, address: str, jupyter: JupyterProcess) -> str:
        """What a browser that is logged in to ``jupyter`` comes to from the address of a sign-in."""
        status, headers, text = self._send(address)
        assert status == 302, text
        assert headers["Location"].startswith(f"{jupyter.url}mcp-elicit/oauth/callback?")
        status, _, text = self._send(headers["Location"], None, {"Authorization": f"token {jupyter.token}"})
        assert status == 200, text
        return text

    def _log_in(self) -> str:
        client = {"client_name": "test", "redirect_uris": [BACK], "token_endpoint_auth_method": "none"}
        _, _, text = self._send(
            f"{self._auth}/register", json.dumps(client).encode(), {"Content-Type": "application/json"}
        )
        client_id = json.loads(text)["client_id"]
        verifier = secrets.token_urlsafe(48)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        asked = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": BACK,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "resource": self.url,
        }
        _, headers, text = self._send(f"{self._auth}/authorize?{urlencode(asked)}")
        self._cookie = headers["Set-Cookie"].partition(";")[0]
        code = parse_qs(urlsplit(headers["Location"]).query)["code"][0]
        given = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": BACK,
            "client_id": client_id,
            "code_verifier": verifier,
            "resource": self.url,
        }
        _, _, text = self._send(f"{self._auth}/token", urlencode(given).encode())
        return str(json.loads(text)["access_token"])

    def _send(
        self, url: str, data: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any, str]:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _Stay)
        request = urllib.request.Request(url, data, headers or {})
        try:
            with opener.open(request, timeout=20) as response:
                return response.status, response.headers, response.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read().decode()


@contextlib.contextmanager
def url_example(program: tuple[str, ...], modules: Path) -> Iterator[UrlExample]:
    """The example, running. ``program``: node with its preloads."""
    with socket.socket() as first, socket.socket() as second:
        first.bind(("127.0.0.1", 0))
        second.bind(("127.0.0.1", 0))
        port, auth_port = first.getsockname()[1], second.getsockname()[1]
    process = subprocess.Popen(
        [*program, str(modules / EXAMPLE)],
        env={**os.environ, "MCP_PORT": str(port), "MCP_AUTH_PORT": str(auth_port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    said: list[bytes] = []
    threading.Thread(target=lambda: said.extend(process.stdout or ()), daemon=True).start()

    def listens() -> bool:
        assert process.poll() is None, b"".join(said).decode(errors="replace")
        try:
            for each in (port, auth_port):
                socket.create_connection(("127.0.0.1", each), timeout=1).close()
        except OSError:
            return False
        return True

    try:
        wait_until(listens, "example that listens")
        yield UrlExample(port, auth_port)
    finally:
        process.kill()
        process.wait(timeout=10)
        if process.stdout is not None:
            process.stdout.close()
