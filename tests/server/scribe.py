"""The scribe of ``servers/scribe.py`` as tests use it: started over HTTP, or an entry of mcp.json."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).parent / "servers" / "scribe.py"

STDIO, HTTP = "stdio", "http"
PUSHED = ("2025-06-18", "2025-11-25")
ROUNDS = "2026-07-28"
ERAS = (*PUSHED, ROUNDS)
WAYS = (STDIO, HTTP)


@dataclass(frozen=True)
class Scribe:
    """One of them; ``url`` is "" where each connection over stdio starts its own."""

    url: str

    def entry(self, era: str, *modes: str, **more: Any) -> dict[str, Any]:
        """For mcp.json; ``modes`` to declare, all when none is named."""
        reached = {"url": self.url} if self.url else {"command": sys.executable, "args": [str(PROGRAM)]}
        return {**reached, "era": era, **({"elicitation": list(modes)} if modes else {}), **more}

    def unasked(self, params: Any) -> Any:
        """Ask while no call runs, over HTTP; what came back."""
        request = urllib.request.Request(self.url.replace("/mcp", "/unasked"), json.dumps(params).encode())
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30) as reply:
            return json.loads(reply.read())


@contextmanager
def scribe(way: str) -> Iterator[Scribe]:
    if way == STDIO:
        yield Scribe("")
        return
    command = [sys.executable, str(PROGRAM), "http"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Scribe(f"http://127.0.0.1:{process.stdout.readline().split()[1]}/mcp")
        finally:
            process.kill()


def answers(told: list[str], era: str) -> list[Any]:
    """What the scribe's questions were answered, from the texts that it tells; errors too."""
    if era == ROUNDS:
        [text] = told
        return list(json.loads(text)["params"]["inputResponses"].values())
    frames = [json.loads(each) for each in told]
    return [each.get("result", each.get("error")) for each in frames]
