"""A server without any SDK, of 2025-11-25, that wants addresses opened and keeps all it hears, in order."""

from __future__ import annotations

import json
import sys
from typing import Any

heard: list[Any] = []
waiting: dict[str, Any] = {}  # id of a question -> the call that waits for its answer
refused: dict[str, int] = {}  # address -> how often a call was refused for it


def write(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def tell(call_id: Any, value: Any) -> None:
    write({"id": call_id, "result": {"content": [{"type": "text", "text": json.dumps(value)}]}})


def call(call_id: Any, tool: str, given: dict[str, Any]) -> None:
    if tool == "push":  # ask, and tell what the client answered, word for word
        waiting[key := given["elicitationId"]] = call_id
        params = {"mode": "url", "message": "Please open this.", **given}
        write({"id": key, "method": "elicitation/create", "params": params})
    elif tool == "require":  # fail with -32042 `times` times for one address, then work
        url = given["elicitations"][0]["url"]
        refused[url] = refused.get(url, 0) + 1
        if refused[url] > given.get("times", 1):
            tell(call_id, "open")
            return
        listed = {
            "elicitations": [{"mode": "url", "message": "Open", **each} for each in given["elicitations"]]
        }
        write({"id": call_id, "error": {"code": -32042, "message": "Open these first", "data": listed}})
    elif tool == "complete":
        write({"method": "notifications/elicitation/complete", "params": given})
        tell(call_id, "told")
    elif tool == "heard":
        tell(call_id, [each for each in heard if given["id"] in json.dumps(each)])
    elif tool == "leave":
        sys.exit(3)


for line in sys.stdin:
    message = json.loads(line)
    method, params = message.get("method"), message.get("params") or {}
    if method == "initialize":
        about = {"capabilities": {"tools": {}}, "serverInfo": {"name": "doorman", "version": "1"}}
        write({"id": message["id"], "result": {"protocolVersion": "2025-11-25", **about}})
    elif method == "tools/list":
        write({"id": message["id"], "result": {"tools": []}})
    elif method == "tools/call":
        call(message["id"], params["name"], params.get("arguments") or {})
    elif method == "notifications/elicitation/complete":
        heard.append({"completion": params})
    elif method is None:
        answer = message.get("result", message.get("error"))
        heard.append({"answer": answer, "to": message["id"]})
        tell(waiting.pop(message["id"]), answer)
    elif "id" in message:
        write({"id": message["id"], "error": {"code": -32601, "message": "Method not found"}})
