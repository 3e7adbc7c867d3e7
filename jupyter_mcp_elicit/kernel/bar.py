"""The buttons below standard controls, and before anything is sent, what it would be."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ipywidgets

from ..core import secrecy
from ..core.errors import LocalError
from ..core.field import Field, Kind
from ..core.scalar import json_text, key
from ..core.submission import UNTOLD, NotValid
from ..core.text import shown
from .look import Checkbox, Look

if TYPE_CHECKING:
    from .form import ElicitationForm


class Bar:
    """Submit, Decline and Cancel. ``rows`` is what to show, ``said`` why something failed.

    Submit first shows what the form holds, and Send sends it: front ends hold back changes while
    the kernel is slow, and a click can overtake them, so that a person would send what they do
    not see. Any change takes the Send button away.
    """

    def __init__(self, form: ElicitationForm, look: Look, changed: Callable[[], None]) -> None:
        self._form = form
        self._look = look
        self._changed = changed
        self._submit = self._button("Submit", self._review)
        self._decline = self._button("Decline", form.decline)
        self._cancel = self._button("Cancel", form.cancel)
        self._line = look.make(ipywidgets.HBox)
        self._held: list[Any] = []
        self._first = 0
        self._tick: Any = None
        self.said = ""
        self._lay()

    @property
    def rows(self) -> list[Any]:
        return [*self._held[: self._first], self._line]

    def enable(self, enabled: bool) -> None:
        """Whether the buttons can be pressed in a page."""
        for button in self._line.children:
            button.disabled = not enabled

    def forget(self) -> None:
        """The form has changed: what was shown is no longer what would be sent."""
        for each in self._held:
            self._look.drop(each)
        self._held, self._first, self._tick = [], 0, None
        self._lay()

    def _review(self) -> None:
        self.forget()
        content = self._form.check()
        if not self._form.fields:
            self._form.submit()
            return
        words = "\n".join(_words(field, content) for field in self._form.fields)
        shown_first = [self._look.words(f"This will be sent:\n{words}", what="What will be sent")]
        if self._form.typed_secrets:
            agreed = secrecy.agreement(self._form.card["asker"]["kind"])
            self._tick = self._look.make(Checkbox, value=False, indent=False, description=agreed)
            shown_first.append(self._tick)
        buttons = [self._button("Send", self._send), self._button("Back", self.forget)]
        self._held = [*shown_first, *buttons]
        self._first = len(shown_first)
        self._lay()

    def _send(self) -> None:
        if self._tick is not None and not self._tick.value:
            raise LocalError(UNTOLD)
        self._form.submit()

    def _lay(self) -> None:
        first = self._held[self._first :] or [self._submit]
        self._line.children = [*first, self._decline, self._cancel]

    def _button(self, words: str, act: Callable[[], None]) -> Any:
        def press(_: object) -> None:
            self.said = ""
            try:
                # What is not valid stands in the form's problems.
                with contextlib.suppress(NotValid):
                    act()
            except LocalError as error:
                self.said = str(error)
            self._changed()

        made = self._look.make(ipywidgets.Button, description=words)
        made.on_click(press)
        return made


def _words(field: Field, content: dict[str, Any]) -> str:
    """One field's answer in a line."""
    label = shown(field.label, 80)
    if field.name not in content:
        return f"{label}: (not answered)"
    value = content[field.name]
    if field.sensitive:
        return f"{label}: (hidden)"
    if field.kind is Kind.BOOLEAN:
        return f"{label}: {'Yes' if value else 'No'}"
    if field.kind is Kind.CHOICE:
        return f"{label}: {_label(field, value)}"
    if field.kind is Kind.CHOICES:
        return f"{label}: {', '.join(_label(field, each) for each in value) or '(none of them)'}"
    text = shown(json_text(value), 2000, newlines=True).replace("\n", "\n    ")
    return f"{label}: {text}" if text else f"{label}: (empty text)"


def _label(field: Field, value: Any) -> str:
    option = next(each for each in field.options if key(each.value) == key(value))
    sent = json_text(option.value)
    label = shown(option.label, 80)
    return label if label == sent else f"{label} ({shown(sent, 80)})"
