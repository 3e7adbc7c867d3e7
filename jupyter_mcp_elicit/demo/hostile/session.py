"""What one client says to the twin: the handshake of its revision, and calls, each in a thread of its own."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

from .call import Answers, Call, Json
from .trick import LEGACY, MODERN
from .tricks import TRICKS

INFO = {"name": "hostile", "title": "Jupyter", "version": "1"}
REVISIONS = ("2025-06-18", "2025-11-25")
ROUNDS = "2026-07-28"
UNCACHED = {"ttlMs": 0, "cacheScope": "public"}

#: Sends one line; lines of several calls never mix.
Write = Callable[[bytes], None]


class Session:
    """``transport``: ``stdio`` or ``http``. Which revision a client speaks, each of its messages tells."""

    def __init__(self, transport: str) -> None:
        self._transport = transport
        self._answers = Answers()

    def hear(self, message: Json, write: Write) -> threading.Thread | None:
        """One message of the client; what it causes goes to ``write``. Gives the thread that plays a call."""
        method, params = message.get("method"), message.get("params") or {}
        if method is None:
            self._answers.hear(message)
        elif "id" not in message:
            return None
        elif method == "tools/call":
            thread = threading.Thread(target=self._play, args=(message, write), daemon=True)
            thread.start()
            return thread
        else:
            _send(write, {"id": message["id"], **self._reply(method, params)})
        return None

    def _reply(self, method: str, params: Json) -> Json:
        about = {"capabilities": {"tools": {}}, "serverInfo": INFO}
        if method == "initialize":
            asked = params.get("protocolVersion")
            return {"result": {"protocolVersion": asked if asked in REVISIONS else REVISIONS[-1], **about}}
        if method == "server/discover":
            return {"result": {"resultType": "complete", "supportedVersions": [ROUNDS], **about, **UNCACHED}}
        if method == "tools/list":
            era = MODERN if _is_modern(params) else LEGACY
            tools = [each.listed() for each in TRICKS.values() if each.fits(era, self._transport)]
            more = {"resultType": "complete", **UNCACHED} if era == MODERN else {}
            return {"result": {"tools": tools, **more}}
        if method == "ping":
            return {"result": {}}
        return {"error": {"code": -32601, "message": "Method not found"}}

    def _play(self, message: Json, write: Write) -> None:
        call = Call(message, write, self._answers, _is_modern(message.get("params") or {}))
        trick = TRICKS.get(call.tool)
        if trick is None:
            call.fail(-32602, f"Unknown tool: {call.tool}")
        elif not trick.fits(MODERN if call.modern else LEGACY, self._transport):
            call.fail(-32602, f"{call.tool} cannot be played in this revision or over this transport.")
        else:
            trick.play(call)


def _is_modern(params: Json) -> bool:
    meta: Any = params.get("_meta")
    return isinstance(meta, dict) and meta.get("io.modelcontextprotocol/protocolVersion") == ROUNDS


def _send(write: Write, message: Json) -> None:
    write(json.dumps({"jsonrpc": "2.0", **message}).encode())
