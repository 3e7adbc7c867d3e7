"""Whether the configured MCP servers can be started as mcp.json says."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from ..client.config import FILE_NAME, load_servers
from ..client.spec import ServerSpec
from ..client.trust import TrustStore
from ..core.errors import LocalError
from .finding import Finding


def configured() -> tuple[dict[str, ServerSpec], list[str]]:
    """The servers of the mcp.json files by name, and what is wrong with these."""
    from jupyter_core.paths import jupyter_config_path

    return load_servers([Path(each) for each in jupyter_config_path()], {})


def check() -> Iterator[Finding]:
    from jupyter_core.paths import jupyter_config_dir

    specs, problems = configured()
    for problem in problems:
        # What was only ignored keeps no server from starting.
        harmless = any(f'"{name}"' in problem for name in specs)
        yield Finding("warn" if harmless else "problem", FILE_NAME, problem)
    if not specs and not problems:
        yield Finding(
            "warn",
            FILE_NAME,
            "no MCP server is configured",
            f"add one to {Path(jupyter_config_dir(), FILE_NAME)}",
        )
    trust = TrustStore.of_user()
    for spec in specs.values():
        yield _of_server(spec, trust)


def _of_server(spec: ServerSpec, trust: TrustStore) -> Finding:
    about = f"server {spec.name}"
    if spec.disabled:
        return Finding("ok", about, "disabled in its entry")
    if spec.command and _found(spec) is None:
        return Finding(
            "problem",
            about,
            f'there is no command "{spec.command}" on PATH',
            "install it, or give its absolute path in mcp.json",
        )
    if trust.state(spec) == "changed":
        return Finding(
            "warn",
            about,
            f"its entry changed since it last started ({'; '.join(trust.changes(spec))})",
            "you are asked once before it starts again",
        )
    asks = ", ".join(spec.capabilities) or "nothing"
    return Finding("ok", about, f"{spec.transport}; era {spec.era}; may ask: {asks}")


def _found(spec: ServerSpec) -> str | None:
    try:
        path = spec.expand(os.environ).env.get("PATH")
    except LocalError:
        path = None
    return shutil.which(spec.command, path=path)
