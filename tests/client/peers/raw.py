"""A server without any SDK that does what its callers say, right or wrong: ``raw.py legacy|modern``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import Any

SLOW = {
    "name": "slow",
    "inputSchema": {"type": "object"},
    "execution": {"taskSupport": "required"},
}
TASKS = [SLOW] if "tasks" in sys.argv else []
MODERN = sys.argv[1:2] == ["modern"]
INFO = {"name": "raw", "version": "1"}
LISTS = {"prompts": [{"name": "greet"}], "resources": [{"name": "menu", "uri": "raw://menu"}]}
answers: dict[str, Any] = {}  # id -> what the client answered, for questions that no call waits for
waiting: dict[str, tuple[Any, int]] = {}  # id of a question -> the call that waits, and for how many answers
cancelled: list[Any] = []
completions: list[Any] = []
declared: list[Any] = []
seen: list[Any] = []
running: dict[str, Any] = {}  # the task
session: dict[str, Any] = {}  # of the handshake, where there was one


def write(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def ask(params: Any, ask_id: Any) -> None:
    write({"id": ask_id, "method": "elicitation/create", **({} if params is None else {"params": params})})


def tell(call_id: Any, value: Any, **more: Any) -> None:
    text = value if isinstance(value, str) else json.dumps(value)
    write({"id": call_id, "result": {"content": [{"type": "text", "text": text}], **kind(), **more}})


def kind() -> dict[str, Any]:
    return {"resultType": "complete"} if MODERN else {}


def call(call_id: Any, tool: str, given: dict[str, Any], params: dict[str, Any]) -> None:
    if tool == "push":  # ask, and tell what the client answered, word for word
        waiting[str(given.get("id", "q"))] = (call_id, given.get("times", 1))
        answers.pop(str(given.get("id", "q")), None)
        for _ in range(given.get("times", 1)):
            ask(given.get("params"), given.get("id", "q"))
    elif tool == "trapped":  # can only ask by a request of its own; as in SDKs that know both eras
        seen.append(given)
        if "protocolVersion" not in session:
            trap = given["trap"]
            if given.get("as") == "error":
                write({"id": call_id, "error": {"code": -32600, "message": trap}})
            else:
                tell(call_id, trap, isError=True)
        else:
            waiting["q"] = (call_id, 1)
            answers.pop("q", None)
            ask(given["params"], "q")
    elif tool == "slow":  # only as a task: works for two looks, then asks while its result is fetched
        if "task" not in params:
            write({"id": call_id, "error": {"code": -32601, "message": "slow requires task augmentation"}})
        else:
            running.update(given, looks=0, asked=params["task"], events=[])
            running["token"] = params.get("_meta", {}).get("progressToken")
            write({"id": call_id, "result": {"task": about("working")}})
    elif tool == "task":
        tell(call_id, running)
    elif tool == "seen":
        tell(call_id, len(seen))
    elif tool == "later":  # answer the call, and only then ask
        tell(call_id, "soon")
        ask(given["params"], "late")
    elif tool == "answers":
        tell(call_id, answers)
    elif tool == "flood":
        waiting["flood"] = (call_id, given["times"])
        for number in range(given["times"]):
            ask(given["params"], f"flood-{number}")
    elif tool == "write":  # any text or bytes on stdout, then a result
        sys.stdout.buffer.write(bytes(given["bytes"]) if "bytes" in given else given["text"].encode())
        sys.stdout.flush()
        tell(call_id, "written")
    elif tool == "answer":  # a result whose text is written byte for byte
        head = b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":' % call_id
        also = b',"structuredContent":{"n":%s}' % given["also"].encode() if "also" in given else b""
        sys.stdout.buffer.write(head + bytes(given["text"]) + b"}]" + also + b"}}\n")
        sys.stdout.flush()
    elif tool == "big":
        tell(call_id, "x" * given["size"])
    elif tool == "endless":
        while True:
            sys.stdout.write("x" * 65536)
    elif tool == "error":
        write({"id": call_id, "error": given["error"]})
    elif tool == "notify":
        for each in given["params"]:
            write({"method": given["method"], "params": each})
        tell(call_id, "notified")
    elif tool == "completions":
        tell(call_id, completions)
    elif tool == "cancelled":
        tell(call_id, cancelled)
    elif tool == "declared":
        tell(call_id, declared[-1])
    elif tool == "stubborn":  # neither the end of stdin nor SIGTERM moves it
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
        tell(call_id, [os.getpid(), child.pid])
        for _ in iter(int, 1):
            signal.pause()
    elif tool == "result":
        write({"id": call_id, "result": {**kind(), **given["result"]}})
    elif tool == "rounds":  # 2026-07-28: ask the same in every round, `rounds` times
        done = int((params.get("requestState") or "0").split(":")[0])
        if done < given["rounds"]:
            state = f"{done + 1}:{given.get('state', '')}"
            result = {"resultType": "input_required", "requestState": state}
            if given.get("requests") is not None:
                result["inputRequests"] = given["requests"]
            write({"id": call_id, "result": result})
        else:
            tell(call_id, {"responses": params.get("inputResponses"), "state": params.get("requestState")})
    elif tool != "hang":
        write({"id": call_id, "error": {"code": -32602, "message": f"Unknown tool {tool}"}})


def about(status: str) -> dict[str, Any]:
    more = {key: running[key] for key in ("ttl", "pollInterval", "statusMessage") if key in running}
    at = "2026-12-01T00:00:00Z"
    return {"taskId": "t-1", "status": status, "createdAt": at, "lastUpdatedAt": at, **more}


def task(call_id: Any, what: str, task_id: str) -> None:
    running["events"].append(what)
    if what == "get":
        running["looks"] += 1
        for told in running.get("progress", []):
            params = {"progressToken": running["token"], **told}
            write({"method": "notifications/progress", "params": params})
        write({"id": call_id, "result": about("working" if running["looks"] < 2 else "input_required")})
    elif what == "result":
        waiting["task"] = (call_id, 1)
        answers.pop("task", None)
        related = {"io.modelcontextprotocol/related-task": {"taskId": task_id}}
        ask({**running["params"], "_meta": related}, "task")
    else:
        write({"id": call_id, "result": about("cancelled")})


def offered(call_id: Any, method: str, params: dict[str, Any]) -> None:
    """On 2026-07-28 asks once, then tells what it was given."""
    if MODERN and "requestState" not in params:
        form = {"type": "object", "properties": {"name": {"type": "string"}}}
        ask_once = {"method": "elicitation/create", "params": {"message": "Name?", "requestedSchema": form}}
        result = {
            "resultType": "input_required",
            "requestState": "s \u00e9",
            "inputRequests": {"k": ask_once},
        }
        write({"id": call_id, "result": result})
        return
    told = json.dumps({key: value for key, value in params.items() if key != "_meta"}, sort_keys=True)
    if method == "prompts/get":
        content = {"type": "text", "text": told}
        write({"id": call_id, "result": {"messages": [{"role": "user", "content": content}], **kind()}})
    else:
        contents = [{"uri": params["uri"], "text": told}]
        cache = {"ttlMs": 0, "cacheScope": "public"}
        write({"id": call_id, "result": {"contents": contents, **cache, **kind()}})


def answered(message: dict[str, Any]) -> None:
    key = "flood" if str(message["id"]).startswith("flood") else str(message["id"])
    got = message.get("result", message.get("error"))
    answers.setdefault(key, []).append(got)
    if key in waiting:
        call_id, times = waiting[key]
        if len(answers[key]) == times:
            del waiting[key]
            tell(call_id, answers[key])


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        method, params = message.get("method"), message.get("params") or {}
        if method == "initialize":
            declared.append(params["capabilities"])
            session.update(params)
            version = params["protocolVersion"]
            able: dict[str, Any] = {"tools": {}}
            if TASKS:
                able["tasks"] = {"cancel": {}, "requests": {"tools": {"call": {}}}}
            result = {"protocolVersion": version, "capabilities": able, "serverInfo": INFO}
            write({"id": message["id"], "result": result})
        elif method == "server/discover" and MODERN:
            declared.append(params["_meta"]["io.modelcontextprotocol/clientCapabilities"])
            offer = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
            write({"id": message["id"], "result": {**offer, **kind(), "ttlMs": 0, "cacheScope": "public"}})
        elif method == "tools/call":
            if MODERN and not session:
                declared.append(params["_meta"]["io.modelcontextprotocol/clientCapabilities"])
            call(message["id"], params["name"], params.get("arguments") or {}, params)
        elif method == "tools/list":
            page = {"tools": TASKS, "ttlMs": 0, "cacheScope": "public", **kind()}
            write({"id": message["id"], "result": page})
        elif method.startswith("tasks/") if method else False:
            task(message["id"], method.partition("/")[2], params["taskId"])
        elif method in ("prompts/list", "resources/list"):
            what = method.partition("/")[0]
            page = {what: LISTS[what], "ttlMs": 0, "cacheScope": "public", **kind()}
            write({"id": message["id"], "result": page})
        elif method in ("prompts/get", "resources/read"):
            offered(message["id"], method, params)
        elif method == "notifications/cancelled":
            cancelled.append(params)
        elif method == "notifications/elicitation/complete":
            completions.append(params)
        elif "id" in message and method is None:
            answered(message)
        elif "id" in message:
            write({"id": message["id"], "error": {"code": -32601, "message": "Method not found"}})


main()
