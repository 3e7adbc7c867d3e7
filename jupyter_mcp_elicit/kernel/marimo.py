"""marimo, which has a runtime of its own: who is there, where a cell shows things, what its page says."""

from __future__ import annotations

import inspect
import queue
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

#: Seconds after which one that listens sees that nobody waits any more.
_TICK = 0.2


def runtime() -> Any:
    """The runtime of the marimo notebook whose code runs in this thread, or ``None``."""
    if "marimo" not in sys.modules:
        return None
    try:
        from marimo import running_in_notebook
        from marimo._runtime.context import get_context

        return get_context() if running_in_notebook() else None
    except Exception:
        return None


def has_page() -> bool:
    """Whether a browser shows the notebook; ``marimo export`` runs it for nobody."""
    try:
        from marimo import app_meta

        return app_meta().request is not None
    except Exception:
        return False


def runs_a_cell() -> bool:
    """Whether this code is part of a cell that runs, and not of a task that it left behind."""
    return getattr(runtime(), "execution_context", None) is not None


class MarimoOutput:
    """A place in the output of the cell that runs."""

    shows_forms = True

    def __init__(self) -> None:
        self._at: int | None = None

    def publish(self, bundle: dict[str, Any], form: Any = None) -> None:
        from marimo import Html, output

        shown = Html(bundle["text/html"]) if form is None else form
        if not runs_a_cell():
            return
        if self._at is None:
            self._at = len(runtime().execution_context.output)
        output.replace_at_index(shown, min(self._at, len(runtime().execution_context.output)))


def can_hear() -> bool:
    """Whether :func:`listening` would hear this notebook's page."""
    return _said() is not None


@contextmanager
def listening() -> Iterator[None]:
    """Within it, forms hear their page while a cell runs. Anywhere but in marimo it does nothing.

    marimo gives a page's messages to widgets between cells only. It keeps them in two queues: from the
    one that is there to find those that can be merged they are read here, and nothing is lost by that,
    since all of them come by the other one, too, after the cell; then they say nothing new.
    """
    said = _said()
    if said is None:
        yield
        return
    over = threading.Event()
    thread = threading.Thread(target=_listen, args=(said, over), name="mcp-elicit-marimo", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()


def _said() -> Any:
    """The queue of what the page says, ``None`` where this marimo has none that can be read from here."""
    here = runtime()
    if here is None:
        return None
    try:
        put = here._kernel.enqueue_control_request
        found = inspect.getclosurevars(put).nonlocals["set_ui_element_queue"]
        # In a browser's Python all is one thread, and the queue one of its event loop.
        return found if "timeout" in inspect.signature(found.get).parameters else None
    except Exception:
        return None


def _listen(said: Any, over: threading.Event) -> None:
    from ipywidgets.widgets.widget import _instances

    from .form import ElicitationForm

    while not over.is_set():
        try:
            command = said.get(timeout=_TICK)
        except queue.Empty:
            continue
        except (OSError, ValueError, EOFError):
            return
        form = _instances.get(str(getattr(command, "model_id", "")))
        content = getattr(getattr(command, "message", None), "content", None)
        if isinstance(form, ElicitationForm) and content is not None:
            form.hear(content)
