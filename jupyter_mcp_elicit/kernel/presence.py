"""Is a person there to be asked, and what can their front end show?"""

from __future__ import annotations

import os
import sys
import threading
from typing import Any, Literal, TypeAlias

from . import marimo

#: ``page``: shows forms. ``text``: has only a prompt. ``nobody``: runs unattended.
FrontEnd: TypeAlias = Literal["page", "text", "nobody"]

#: Says what the front end is, where it cannot be told by looking: ``page``, ``text`` or ``nobody``.
SETTING = "JUPYTER_MCP_ELICIT_FRONT_END"

_SAID: dict[str, FrontEnd] = {"page": "page", "text": "text", "nobody": "nobody"}


def shell() -> Any:
    """The running IPython, or ``None`` in plain Python."""
    try:
        from IPython import get_ipython
    except ImportError:
        return None
    return get_ipython()


def kernel() -> Any:
    """The running kernel object, or ``None`` outside a notebook."""
    return getattr(shell(), "kernel", None)


def front_end() -> FrontEnd:
    """What runs this code now. In doubt it is a page, and the person is asked."""
    said = _SAID.get(os.environ.get(SETTING, ""))
    if said is not None:
        return said
    if marimo.runtime() is not None:
        return "page" if marimo.has_page() else "nobody"
    running = kernel()
    if running is None:
        # Who cannot see the question cannot answer it either.
        return "text" if _is_terminal(sys.stdin) and _is_terminal(sys.stdout) else "nobody"
    try:
        parent = running.get_parent("shell") or {}
    except Exception:
        return "page"
    # A front end that executes unattended (nbclient, nbconvert, papermill) refuses input().
    if not parent.get("content", {}).get("allow_stdin", True):
        return "nobody"
    # Every page names the cell that it runs; consoles (jupyter console, qtconsole) have none.
    is_code = parent.get("header", {}).get("msg_type") == "execute_request"
    return "text" if is_code and not parent.get("metadata") and not _has_widgets() else "page"


def can_prompt() -> bool:
    """Whether the page that runs this code would also take a line typed at a prompt of the cell."""
    running = kernel()
    if running is None or os.environ.get(SETTING) or marimo.runtime() is not None:
        return False
    # input() in another thread has no cell that it could stand below.
    if threading.current_thread() is not threading.main_thread():
        return False
    try:
        parent = running.get_parent("shell") or {}
    except Exception:
        return False
    is_code = parent.get("header", {}).get("msg_type") == "execute_request"
    return is_code and parent.get("content", {}).get("allow_stdin") is True


def _has_widgets() -> bool:
    """Whether a page's widgets have greeted this kernel, as they do when they connect."""
    try:
        from comm import get_comm_manager
    except ImportError:
        return False
    return any(
        getattr(each, "target_name", "") == "jupyter.widget.control"
        for each in list(get_comm_manager().comms.values())
    )


def _is_terminal(stream: Any) -> bool:
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False
