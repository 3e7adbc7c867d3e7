"""The peers by name: how each is started, once ``install.py`` has run."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from runtime import CACHE, node

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Peer:
    """A server nobody here wrote, or written on somebody else's SDK.

    ``stdio`` and ``http`` are argument vectors or ``()``; a ``{port}`` in ``http`` and in
    ``env`` is to be replaced. HTTP is at ``/mcp`` on 127.0.0.1.
    """

    stdio: tuple[str, ...] = ()
    http: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()

    def serve(self, port: int) -> tuple[list[str], dict[str, str]]:
        """Arguments and environment that serve HTTP on this port."""
        mine = {name: value.format(port=port) for name, value in self.env}
        return [part.format(port=port) for part in self.http], {**os.environ, **mine}


def _python(script: str, interpreter: str) -> Peer:
    argv = (interpreter, str(HERE / script))
    return Peer(argv, (*argv, "--http", "--port", "{port}"))


def _venv(name: str) -> str:
    return str(CACHE / name / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


def peers() -> dict[str, Peer]:
    """All of them. A node server listens on 127.0.0.1 only, by the preload."""
    program = (node()[0], "-r", str(CACHE / "loopback.cjs"))
    modules = CACHE / "node_modules" / "@modelcontextprotocol"
    everything = (*program, str(modules / "server-everything" / "dist" / "index.js"))
    example = str(modules / "sdk" / "dist" / "esm" / "examples" / "server" / "elicitationFormExample.js")
    ts2 = (*program, str(CACHE / "ts2.mjs"))
    port = (("PORT", "{port}"),)
    return {
        "everything": Peer((*everything, "stdio"), (*everything, "streamableHttp"), port),
        "sdk-form-example": Peer((), (*program, example), port),
        "ts2": Peer(ts2, (*ts2, "--http", "{port}")),
        "fastmcp": _python("fastmcp_server.py", _venv("fastmcp")),
        "mcp1": _python("mcp1_server.py", _venv("mcp1")),
        "mcp2": _python("mcp2_server.py", sys.executable),
    }
