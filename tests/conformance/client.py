"""The client that the conformance harness starts: it has a running Jupyter server make the MCP connection.

``python client.py URL``. Configures ``URL`` as a server of its own, starts a kernel, lists the tools and
calls them all as a cell of that kernel does, answers forms untouched, as a page does on Submit, opens
addresses as a browser that is logged in to Jupyter does, and ends the kernel, and with it the
connection. Where the Jupyter server is comes as JSON in ``MCP_ELICIT_CONFORMANCE``: ``url``, ``token``,
``config`` (its mcp.json), ``runtime`` (its connection files).
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from jupyter_mcp_elicit.core.proof import Proof
from jupyter_mcp_elicit.core.wire import WIRE_VERSION

Json = dict[str, Any]

#: What a page that fills in a field gives for each kind of field; a field with a default is left alone.
TYPED: dict[str, Any] = {
    "email": "ada@example.org",
    "uri": "https://example.org/",
    "date": "2026-12-24",
    "date-time": "2026-12-24T19:30:00Z",
    "integer": "3",
    "number": "3",
    "boolean": True,
}


#: The client that the suite's authorization servers know beforehand.
METADATA = "https://conformance-test.local/client-metadata.json"


class Jupyter:
    """The running extension, with a kernel of this scenario's own: its connection is nobody else's."""

    def __init__(self, where: Json, name: str) -> None:
        self._where = where
        self._name = name

    def __enter__(self) -> Jupyter:
        with self._page("POST", "api/kernels", {}) as response:
            self._kernel = str(json.load(response)["id"])
        file = Path(self._where["runtime"]) / f"kernel-{self._kernel}.json"
        self._key = json.loads(file.read_text("utf-8"))["key"].encode()
        return self

    def __exit__(self, *_: object) -> None:
        self._page("DELETE", f"api/kernels/{self._kernel}").close()

    def configure(self, url: str, context: Json) -> None:
        """One more entry in mcp.json, which is read anew for every request. Other scenarios run beside."""
        path = Path(self._where["config"])
        with (path.parent / "mcp.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            servers = json.loads(path.read_text("utf-8"))["mcpServers"]
            new = path.with_suffix(".new")
            new.touch(mode=0o600)
            entry = {"url": url, "oauth": arranged(context)}
            new.write_text(json.dumps({"mcpServers": {**servers, self._name: entry}}), "utf-8")
            new.replace(path)

    def tools(self) -> list[Json]:
        return list(self._result(f"mcp-elicit/servers/{self._name}/tools", {})["tools"])

    def call(self, tool: str, arguments: Json) -> Json:
        return self._result("mcp-elicit/calls", {"server": self._name, "tool": tool, "arguments": arguments})

    def _result(self, path: str, body: Json) -> Json:
        with self._cell(path, body) as response:
            for text in response:
                line = json.loads(text)
                if line["type"] == "elicit":
                    self._submit(line["card"])
                if line["type"] == "error":
                    raise SystemExit(f"{self._name}: {line['error']}")
                if line["type"] == "result":
                    return dict(line["result"])
        raise SystemExit(f"{self._name}: the stream ended without a result")

    def _submit(self, card: Json) -> None:
        path = f"mcp-elicit/elicitations/{card['id']}/answer"
        if card["mode"] == "url":
            self._page("POST", path, {"action": "accept", "confirmed": True}).close()
            self._browse(card["url"]["href"])
            return
        draft = [[name, value if value is not None else _typed(card, name)] for name, value in card["draft"]]
        self._page("POST", path, {"action": "accept", "draft": draft}).close()

    def _browse(self, url: str) -> None:
        """Open it, and go where it leads, to Jupyter as who is logged in there."""
        for _ in range(10):
            token = {"Authorization": f"token {self._where['token']}"}
            home = url.startswith(self._where["url"])
            request = urllib.request.Request(url, headers=token if home else {})
            try:
                with urllib.request.build_opener(urllib.request.ProxyHandler({}), _Stay).open(
                    request, timeout=60
                ):
                    return
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in (301, 302, 303, 307, 308):
                        return
                    url = urljoin(url, error.headers["Location"])

    def _page(self, method: str, path: str, body: Json | None = None) -> Any:
        token = {"Authorization": f"token {self._where['token']}", "Sec-Fetch-Site": "same-origin"}
        return self._send(method, path, body, token)

    def _cell(self, path: str, body: Json) -> Any:
        signed = Proof.make(
            self._key,
            self._kernel,
            method="POST",
            path=urlsplit(self._where["url"] + path).path,
            body=json.dumps(body).encode(),
            timestamp=f"{time.time():.3f}",
            nonce=secrets.token_hex(8),
        )
        return self._send(
            "POST", path, body, {"Authorization": signed.header, "X-MCP-Elicit-Wire": str(WIRE_VERSION)}
        )

    def _send(self, method: str, path: str, body: Json | None, headers: dict[str, str]) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {**headers, "Content-Type": "application/json"}
        request = urllib.request.Request(self._where["url"] + path, data, headers, method=method)
        return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60)


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def arranged(context: Json) -> Json:
    """What the scenario gives a client beforehand, as mcp.json says it."""
    given = {"clientId": context.get("client_id"), "clientSecret": context.get("client_secret")}
    return {"clientMetadataUrl": METADATA} | {key: value for key, value in given.items() if value}


def _typed(card: Json, name: str) -> Any:
    field = next(each for each in card["fields"] if each["name"] == name)
    if field["options"]:
        first = field["options"][0]["key"]
        return [first] if field["kind"] == "choices" else first
    return TYPED.get(field["kind"], "Ada")


def example(schema: Json) -> Any:
    """A value that fits the simple schemas of the harness's tools."""
    kind = schema.get("type")
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: example(properties.get(name, {})) for name in schema.get("required", [])}
    return {"string": "Ada", "integer": 3, "number": 3, "boolean": True, "array": []}.get(str(kind), "Ada")


def calls(tools: list[Json], context: Json) -> Iterator[tuple[str, Json]]:
    """What to call: what the scenario names, else every tool once."""
    if "toolCalls" in context:
        yield from ((each["name"], each["arguments"]) for each in context["toolCalls"])
        return
    echo = [tool for tool in tools if tool["inputSchema"].get("required") == ["schema"]]
    for tool in tools:
        # A tool that wants a schema is there to say whether the other's came whole.
        given = {"schema": tools[0]["inputSchema"]} if tool in echo else example(tool["inputSchema"])
        yield tool["name"], given


def main(url: str) -> None:
    scenario = os.environ["MCP_CONFORMANCE_SCENARIO"]
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    name = f"{scenario.replace('/', '-')}-{os.getpid()}"
    with Jupyter(json.loads(os.environ["MCP_ELICIT_CONFORMANCE"]), name) as jupyter:
        jupyter.configure(url, context)
        for tool, arguments in calls(jupyter.tools(), context):
            jupyter.call(tool, arguments)


if __name__ == "__main__":
    main(sys.argv[-1])
