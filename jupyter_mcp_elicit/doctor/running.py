"""Whether the Jupyter servers that run now have the extension. Only this machine's are asked."""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from .finding import Finding

#: Seconds that a server may take to answer.
PATIENCE = 10.0

LOOPBACK = ("127.0.0.1", "localhost", "::1")
RESTART = "restart it: extensions are loaded when it starts"


def check() -> Iterator[Finding]:
    from jupyter_server.serverapp import list_running_servers

    found = list(list_running_servers())
    if not found:
        yield Finding("ok", "running Jupyter servers", "none of yours")
    for info in found:
        yield _of_server(info)


def _of_server(info: dict[str, Any]) -> Finding:
    url = str(info.get("url", ""))
    about = f"Jupyter server at {url or info.get('sock')}"
    parts = urlsplit(url)
    if info.get("sock") or parts.hostname not in LOOPBACK:
        return Finding("warn", about, "not looked into: its token is only sent over loopback")
    try:
        status, shape = _get(url, str(info.get("token") or ""))
    except (OSError, http.client.HTTPException) as error:
        return Finding("warn", about, f"it does not answer ({str(error) or type(error).__name__})")
    if status == 200 and isinstance(shape, dict) and "servers" in shape:
        return Finding("ok", about, f"has the extension, and knows {len(shape['servers'])} MCP servers")
    if status == 404:
        return Finding("problem", about, "it runs without the extension", RESTART)
    if status in (301, 302, 401, 403):
        return Finding("warn", about, "not looked into: it wants a password")
    return Finding("problem", about, f"the extension answers with HTTP {status}", RESTART)


def _get(url: str, token: str) -> tuple[int, Any]:
    parts = urlsplit(url)
    host = parts.hostname or "127.0.0.1"
    connection: http.client.HTTPConnection
    if parts.scheme == "https":
        # Its certificate is often its own; it never leaves this machine.
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        connection = http.client.HTTPSConnection(host, parts.port, timeout=PATIENCE, context=context)
    else:
        connection = http.client.HTTPConnection(host, parts.port, timeout=PATIENCE)
    try:
        headers = {"Authorization": f"token {token}"} if token else {}
        connection.request("GET", f"{parts.path.rstrip('/')}/mcp-elicit/servers", headers=headers)
        answer = connection.getresponse()
        body = answer.read(1_000_000)
    finally:
        connection.close()
    try:
        return answer.status, json.loads(body)
    except ValueError:
        return answer.status, None
