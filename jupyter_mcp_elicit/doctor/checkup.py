"""All checks, one after the other; one that fails itself is a finding too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from . import (
    connections,
    extras,
    front_ends,
    gateway,
    kernels,
    lab_extension,
    running,
    server_extension,
    servers,
)
from .finding import Finding

Check = Callable[[], Iterable[Finding]]

CHECKS: dict[str, Check] = {
    "server extension": server_extension.check,
    "labextension": lab_extension.check,
    "kernels": kernels.check,
    "gateway": gateway.check,
    "front ends": front_ends.check,
    "servers": servers.check,
    "running Jupyter servers": running.check,
    "extras": extras.check,
}


def examine(*, connect: bool = False) -> Iterator[Finding]:
    """Every finding, as soon as it is there. ``connect``: start each MCP server, and list its tools."""
    checks = {**CHECKS, "connections": connections.check} if connect else CHECKS
    for name, check in checks.items():
        try:
            yield from check()
        except Exception as error:
            yield Finding("problem", name, f"the check itself failed ({type(error).__name__}: {error})")
