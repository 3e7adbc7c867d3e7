"""Is a person there to be asked?"""

from __future__ import annotations

from typing import Any


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


def someone_is_there() -> bool:
    """Whether the front end that runs this cell has a person behind it.

    A front end that executes unattended (nbclient, nbconvert, papermill) refuses ``input()``;
    that is the one sign that all of them give. In doubt the person is asked.
    """
    running = kernel()
    if running is None:
        return False
    try:
        parent = running.get_parent("shell")
    except Exception:
        return True
    return bool((parent or {}).get("content", {}).get("allow_stdin", True))
