"""A site on the web, behind TLS, that remembers how people came to it."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from certificate import certificate
from jupyter_process import wait_until

#: Its name, on which the browser's port is the usual one.
NAME = "pay.shop.example"

_PAGE = b"<!doctype html><title>Shop</title><h1>The shop</h1>"


@dataclass(frozen=True)
class Visit:
    """One request for a page. ``referer`` as it was sent, ``""`` when there was none."""

    path: str
    referer: str


class Shop:
    """``place`` is the ``address:port`` where it listens."""

    def __init__(self, place: str, visits: list[Visit]) -> None:
        self.place = place
        self._visits = visits

    def url(self, path: str) -> str:
        """An address in it; ``path`` should be one that no other test uses."""
        return f"https://{NAME}/{path}"

    def visits(self, path: str) -> list[Visit]:
        """Who came to that address so far."""
        return [each for each in self._visits if each.path == f"/{path}"]

    def wait_for(self, path: str, count: int = 1) -> list[Visit]:
        """As soon as so many came."""
        return wait_until(
            lambda: self.visits(path) if len(self.visits(path)) >= count else None, f"visit to {path}"
        )


@contextmanager
def open_shop(folder: Path) -> Iterator[Shop]:
    """Open until the end."""
    visits: list[Visit] = []

    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_GET(self) -> None:
            # Not the icon, which browsers ask for by themselves once they show a page.
            if self.path != "/favicon.ico":
                visits.append(Visit(self.path, self.headers.get("Referer", "")))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(_PAGE)))
            self.end_headers()
            self.wfile.write(_PAGE)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate(folder, NAME))
    server = _Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Shop(f"127.0.0.1:{server.server_port}", visits)
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Browsers hang up on connections that they opened to be quick."""
