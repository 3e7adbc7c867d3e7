"""The bistro's till: pages of its own, on loopback, for what no form of a client should ever see."""

from __future__ import annotations

import base64
import hashlib
import html
import re
import secrets
import threading
import weakref
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from .slip import Slip, Words

HOST = "127.0.0.1"

#: More than this is no number that anybody typed, in bytes.
MAX_BODY = 4096

_STYLE = (
    "body{font:1.1rem/1.5 sans-serif;margin:2rem auto;max-width:32rem;padding:0 1rem}"
    "label,input,button{display:block;font:inherit;margin:.5rem 0;padding:.3rem 0}"
    "input,button{padding:.5rem .8rem}.wrong{border-left:.3rem solid #b00020;padding-left:.6rem}"
)
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{_HASH}'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Till:
    """Opens with the first slip, on a port that is free, and closes when nobody holds the till any more."""

    def __init__(self) -> None:
        self._slips: dict[tuple[str, str], Slip] = {}
        self._pages: dict[str, Slip] = {}
        self._address = ""

    def slip(self, tool: str, key: str, words: Words) -> Slip:
        """The slip of ``tool`` for ``key``: a new one, or the one that was handed out before."""
        slip = self._slips.get((tool, key))
        if slip is None:
            token = secrets.token_urlsafe(24)
            slip = self._slips[tool, key] = Slip(words, f"{self._open()}/pay/{token}")
            self._pages[token] = slip
        return slip

    def by_id(self, elicitation_id: object) -> tuple[str, Slip] | None:
        """The slip that was asked for under this ``elicitationId``, and by which tool."""
        for (tool, _), slip in self._slips.items():
            if elicitation_id in slip.ids:
                return tool, slip
        return None

    def _open(self) -> str:
        if not self._address:
            server = ThreadingHTTPServer((HOST, 0), _Handler)
            server.daemon_threads = True
            # Of the pages alone: a thread that knew the till would hold it for ever.
            server.pages = self._pages  # type: ignore[attr-defined]
            closing = threading.Event()
            weakref.finalize(self, closing.set)
            threading.Thread(target=_serve, args=(server, closing), name="till", daemon=True).start()
            self._address = f"http://{HOST}:{server.server_port}"
        return self._address


def _serve(server: ThreadingHTTPServer, closing: threading.Event) -> None:
    with server:
        server.timeout = 0.5
        while not closing.is_set():
            server.handle_request()


class _Handler(BaseHTTPRequestHandler):
    #: Seconds; a connection that says nothing is dropped.
    timeout = 10
    server_version = "till"
    sys_version = ""

    def do_GET(self) -> None:
        slip = self._slip()
        if slip is None:
            return self._reply(404, *_NO_PAGE)
        slip.visit()
        return self._reply(200, slip.words.title, _thanks(slip) if slip.completed else _form(slip))

    def do_POST(self) -> None:
        slip = self._slip()
        if slip is None:
            return self._reply(404, *_NO_PAGE)
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,9}", length):
            return self._reply(411, "No length", "<p>The request does not say how long it is.</p>")
        if int(length) > MAX_BODY:
            return self._reply(413, "Too much", "<p>That is too much.</p>")
        sent = parse_qs(self.rfile.read(int(length)).decode("ascii", "replace"))
        if not re.fullmatch("[0-9][0-9 ]{0,29}", sent.get("digits", [""])[0].strip()):
            return self._reply(422, slip.words.title, _form(slip, wrong=True))
        slip.complete()
        return self._reply(200, slip.words.title, _thanks(slip))

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: a path holds what lets one in."""

    def _slip(self) -> Slip | None:
        server: Any = self.server
        # A name that somebody made lead here is not ours.
        if self.headers["Host"] not in [f"{name}:{server.server_port}" for name in (HOST, "localhost")]:
            return None
        found = re.fullmatch("/pay/([A-Za-z0-9_-]{32})", self.path)
        return None if found is None else server.pages.get(found[1])

    def _reply(self, status: int, title: str, body: str) -> None:
        page = _PAGE.format(title=html.escape(title), style=_STYLE, body=body).encode()
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Length": str(len(page))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(page)


_PAGE = (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width"><title>{title}</title><style>{style}</style></head>\n'
    "<body><main><h1>{title}</h1>\n{body}\n</main></body></html>\n"
)

_NO_PAGE = ("There is no such page", "<p>Ask the bistro for a new one.</p>")

_WRONG = '<p id="wrong" class="wrong" role="alert">Please type digits only, 30 at most.</p>'


def _form(slip: Slip, *, wrong: bool = False) -> str:
    words = slip.words
    return (
        f"<p>{html.escape(words.text)}</p>\n"
        f"{_WRONG if wrong else ''}"
        '<form method="post"><label for="digits">'
        f"{html.escape(words.label)}</label>\n"
        '<p id="help">This is a play bistro: any digits will do, and they are forgotten at once.</p>\n'
        '<input id="digits" name="digits" inputmode="numeric" autocomplete="off" required maxlength="30" '
        f'aria-describedby="help{" wrong" if wrong else ""}"{" aria-invalid=true" if wrong else ""}>\n'
        f"<button>{html.escape(words.button)}</button></form>"
    )


def _thanks(slip: Slip) -> str:
    return f'<p role="status">{html.escape(slip.words.thanks)} You can close this page.</p>'
