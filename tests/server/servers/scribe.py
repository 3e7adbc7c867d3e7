"""A server without any SDK that writes down, letter by letter, what answers its questions.

``python scribe.py`` speaks stdio, ``python scribe.py http`` streamable HTTP; the revision is the client's.
What it asks is the text of the params in JSON, sent as it stands. Over HTTP, ``POST /unasked`` makes it
ask while no call runs, on the stream that clients keep open for that, and gives the text of what came back.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]
#: Sends one message, given as its text.
Write = Callable[[str], None]

ROUNDS = "2026-07-28"
TAKEN_BACK = ""

waiting: dict[str, queue.Queue[str]] = {}  # id of a question -> the texts of its answers
late: list[str] = []  # texts of answers that nobody waits for any more
streams: queue.Queue[Write] = queue.Queue()  # the streams that clients keep open


def hear(text: str, message: Json, write: Write) -> None:
    """One message of the client; what it causes goes to ``write``. A call returns when it is over."""
    method, params, number = message.get("method"), message.get("params") or {}, message.get("id")
    if method is None:
        asked = waiting.get(str(number))
        late.append(text) if asked is None else asked.put(text)
        return
    if number is None:
        return
    about = {"capabilities": {"tools": {}}, "serverInfo": {"name": "scribe", "version": "1"}}
    modern = params.get("_meta", {}).get("io.modelcontextprotocol/protocolVersion") == ROUNDS
    kind = {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"} if modern else {}
    if method == "initialize":
        reply(write, number, {"protocolVersion": params["protocolVersion"], **about})
    elif method == "server/discover":
        reply(write, number, {"supportedVersions": [ROUNDS], **about, **kind})
    elif method == "tools/list":
        reply(write, number, {"tools": [], **kind})
    elif method == "tools/call" and modern:
        in_rounds(text, params, number, write)
    elif method == "tools/call":
        pushed(params["name"], params.get("arguments") or {}, number, write)
    else:
        error = {"code": -32601, "message": "Method not found"}
        write(json.dumps({"jsonrpc": "2.0", "id": number, "error": error}))


def reply(write: Write, number: Any, result: Json) -> None:
    write(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}))


def telling(value: Any) -> Json:
    return {"content": [{"type": "text", "text": json.dumps(value)}]}


def in_rounds(text: str, params: Json, number: Any, write: Write) -> None:
    """Asks in the first round; then tells the text of the second."""
    if "requestState" in params:
        reply(write, number, {"resultType": "complete", **telling([text])})
        return
    given = params["arguments"]
    texts = {f"k{place}": each for place, each in enumerate(given["ask"])}
    asks = {key: {"method": "elicitation/create", "params": f"@{key}"} for key in texts}
    result = {"resultType": "input_required", "inputRequests": asks, "requestState": given["state"]}
    frame = json.dumps({"jsonrpc": "2.0", "id": number, "result": result})
    for key, each in texts.items():
        frame = frame.replace(f'"@{key}"', each)
    write(frame)


def pushed(tool: str, given: Json, number: Any, write: Write) -> None:
    """``ask`` tells the texts of the answers, in order; ``later`` asks when its call is over."""
    if tool == "take_back":
        for each in waiting.values():
            each.put(TAKEN_BACK)
        reply(write, number, telling("done"))
    elif tool == "late":
        reply(write, number, telling(late))
    elif tool == "later":
        reply(write, number, telling("soon"))
        ask("later", given["ask"][0], write)
        late.append(answer("later", write))
    else:
        ids = [f"q{place}" for place in range(len(given["ask"]))]
        for each, asked in zip(ids, given["ask"], strict=True):
            ask(each, asked, write)
        reply(write, number, telling([answer(each, write) for each in ids]))


def ask(question_id: str, params: str, write: Write) -> None:
    waiting[question_id] = queue.Queue()
    frame = {"jsonrpc": "2.0", "id": question_id, "method": "elicitation/create", "params": "@"}
    write(json.dumps(frame).replace('"@"', params))


def answer(question_id: str, write: Write) -> str:
    """The text of the answer, ``""`` when the question was taken back first."""
    text = waiting[question_id].get(timeout=60)
    del waiting[question_id]
    if text == TAKEN_BACK:
        about = {"requestId": question_id, "reason": "too late"}
        write(json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": about}))
    return text


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        message = json.loads(text)
        if self.path == "/unasked":
            stream = streams.get(timeout=10)
            ask("unasked", text, stream)
            self.reply(200, answer("unasked", stream))
        elif "id" not in message or message.get("method") is None:
            hear(text, message, lambda _: None)
            self.reply(202)
        else:
            hear(text, message, self.stream())

    def do_GET(self) -> None:
        streams.put(self.stream())
        # Until the process ends; its client may go before.
        threading.Event().wait()

    def do_DELETE(self) -> None:
        self.reply(200)

    def stream(self) -> Write:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Mcp-Session-Id", "s")
        self.end_headers()

        def write(text: str) -> None:
            self.wfile.write(b"data: " + text.encode() + b"\n\n")
            self.wfile.flush()

        return write

    def reply(self, status: int, text: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients go in the middle of things."""


def over_http() -> None:
    server = Server(("127.0.0.1", 0), Handler)
    sys.stdout.write(f"listening {server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()


def over_stdio() -> None:
    lock = threading.Lock()

    def write(text: str) -> None:
        with lock:
            sys.stdout.buffer.write(text.encode() + b"\n")
            sys.stdout.buffer.flush()

    for line in sys.stdin.buffer:
        text = line.decode().rstrip("\n")
        threading.Thread(target=hear, args=(text, json.loads(text), write), daemon=True).start()


if __name__ == "__main__":
    over_http() if sys.argv[1:] == ["http"] else over_stdio()
