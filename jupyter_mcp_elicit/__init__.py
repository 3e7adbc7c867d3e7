"""Answer MCP servers inside the running notebook cell.

Names load on first use, so that importing this package costs nothing.
"""

from __future__ import annotations

from ._version import __version__

# Type checkers read it as true; importing typing for it would be most of what this package costs.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .core.elicitation import Accept, Cancel, Decline
    from .core.errors import LocalError, RemoteError
    from .kernel.ask import ask
    from .kernel.callback import elicitation_callback
    from .kernel.connect import connect
    from .kernel.form import ElicitationForm

_HOMES = {
    "Accept": ".core.elicitation",
    "Decline": ".core.elicitation",
    "Cancel": ".core.elicitation",
    "LocalError": ".core.errors",
    "RemoteError": ".core.errors",
    "ElicitationForm": ".kernel.form",
    "ask": ".kernel.ask",
    "connect": ".kernel.connect",
    "elicitation_callback": ".kernel.callback",
}

__all__ = [
    "Accept",
    "Cancel",
    "Decline",
    "ElicitationForm",
    "LocalError",
    "RemoteError",
    "__version__",
    "ask",
    "connect",
    "elicitation_callback",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


def _jupyter_server_extension_points() -> list[dict[str, Any]]:
    from .server.app import ElicitApp

    return [{"module": "jupyter_mcp_elicit", "app": ElicitApp}]


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    return [{"src": "labextension", "dest": "jupyter-mcp-elicit"}]
