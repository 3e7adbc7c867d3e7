"""A page at the other end of the widgets' comms: it keeps what it is told, and says what pages say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import comm
import ipywidgets
import pytest
from comm.base_comm import BaseComm
from ipywidgets.widgets.widget import _instances


class WidgetPage:
    """``told``: every message of the kernel, as JSON. ``state``: the models, by comm id."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.state: dict[str, dict[str, Any]] = {}

    def comm(self, **given: Any) -> BaseComm:
        """What a kernel makes for each of its widgets."""
        page = self

        class PageComm(BaseComm):
            def publish_msg(
                self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **_: Any
            ) -> None:
                page._hear(self.comm_id, msg_type, json.loads(json.dumps(data or {}, allow_nan=False)))

        return PageComm(**given)

    def heard(self, widget: ipywidgets.Widget) -> list[dict[str, Any]]:
        """The custom messages to the page's end of one widget."""
        return [
            each["data"]["content"]
            for each in self.told
            if each["id"] == widget.model_id and each["data"].get("method") == "custom"
        ]

    def say(self, widget: ipywidgets.Widget | str, **content: Any) -> None:
        """A custom message from the page's end of a widget, or of one that had this id."""
        comm_id = widget if isinstance(widget, str) else widget.model_id
        self._send(comm_id, {"method": "custom", "content": content})

    def set(self, widget: ipywidgets.Widget, **state: Any) -> None:
        """A change of the model's state in the page: somebody typed, or chose."""
        self.state[widget.model_id].update(state)
        self._send(widget.model_id, {"method": "update", "state": state})

    def press(self, button: ipywidgets.Button) -> None:
        self.say(button, event="click")

    def shows(self, widget: ipywidgets.Widget, name: str) -> Any:
        """What the page holds for one trait of a widget."""
        return self.state[widget.model_id][name]

    def _send(self, comm_id: str, data: dict[str, Any]) -> None:
        message = {"content": {"comm_id": comm_id, "data": data}, "buffers": []}
        comm.get_comm_manager().comm_msg(None, None, message)

    def _hear(self, comm_id: str, kind: str, data: dict[str, Any]) -> None:
        self.told.append({"id": comm_id, "kind": kind, "data": data})
        if kind == "comm_open":
            self.state[comm_id] = dict(data["state"])
        elif kind == "comm_close":
            self.state.pop(comm_id, None)
        elif data.get("method") == "update":
            self.state[comm_id].update(data["state"])


def open_widgets() -> int:
    """How many widgets ipywidgets holds on to."""
    return len(_instances)


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[WidgetPage]:
    """Every widget of the test is open in this page."""
    page = WidgetPage()
    monkeypatch.setattr(comm, "create_comm", page.comm)
    yield page
    ipywidgets.Widget.close_all()
