"""Where what the running code shows can be seen: a cell's output, an ``Output`` widget, plain text."""

from __future__ import annotations

import os
import sys
from typing import Any, Protocol

from . import marimo
from .presence import kernel, shell

Bundle = dict[str, Any]


class Screen(Protocol):
    """One place in it. ``shows_forms``: widgets appear there, and not only text."""

    shows_forms: bool

    def publish(self, bundle: Bundle, form: Any = None) -> None:
        """Show display data, which may be of ``form``; the next time in the place of the last."""
        ...


class Text:
    """Plain Python has a screen too, but nothing that displays."""

    shows_forms = False

    def publish(self, bundle: Bundle, form: Any = None) -> None:
        sys.stdout.write(f"{bundle['text/plain']}\n")


class CellOutput:
    """The output of the cell that runs."""

    shows_forms = True

    def __init__(self) -> None:
        self._handle: Any = None

    def publish(self, bundle: Bundle, form: Any = None) -> None:
        if self._handle is None:
            from IPython.display import display

            self._handle = display(bundle, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._handle.update(bundle, raw=True)


class WidgetOutput:
    """An ``Output`` widget, by its state: no page listens any more for what a callback's task displays."""

    shows_forms = True

    def __init__(self, output: Any) -> None:
        self._output = output
        self._published: Bundle | None = None

    def publish(self, bundle: Bundle, form: Any = None) -> None:
        shown = {"output_type": "display_data", "data": bundle, "metadata": {}}
        before = list(self._output.outputs)
        at = [index for index, each in enumerate(before) if each.get("data") == self._published]
        if self._published is not None and at:
            before[at[0]] = shown
        else:
            before.append(shown)
        self._output.outputs = tuple(before)
        self._published = bundle


def find_screen(*, blocking: bool = False) -> Screen:
    """The screen of the code that runs now."""
    if marimo.runtime() is not None:
        return marimo.MarimoOutput()
    if shell() is None:
        return Text()
    # While a callback blocks, its page still listens, and the widget's state here is behind.
    output = None if blocking else _capturing()
    return CellOutput() if output is None else WidgetOutput(output)


def is_unseen() -> bool:
    """Whether a page drops what this code shows: Voila does, of callbacks outside of an ``Output``."""
    return "VOILA_KERNEL_ID" in os.environ and _callback() != "" and _capturing() is None


def _callback() -> str:
    """The id of the widget message that this code handles, ``""`` in a cell."""
    try:
        header = kernel().get_parent("shell")["header"]
    except Exception:
        return ""
    return str(header["msg_id"]) if header["msg_type"] == "comm_msg" else ""


def _capturing() -> Any:
    """The ``Output`` inside of whose ``with`` a callback's code runs, or ``None``."""
    message = _callback()
    if not message:
        return None
    from ipywidgets import Output
    from ipywidgets.widgets.widget import _instances

    found = [each for each in _instances.values() if isinstance(each, Output) and each.msg_id == message]
    return found[-1] if found else None
