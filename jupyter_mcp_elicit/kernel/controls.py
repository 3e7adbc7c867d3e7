"""``form.controls()``: the form as standard ipywidgets controls."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ipywidgets

from ..core.errors import LocalError
from ..core.field import Field, Kind
from ..core.submission import NotValid
from ..core.text import quoted, shown
from ..core.wire import Json
from . import record
from .control import Control, control_of
from .look import Look, Rows

if TYPE_CHECKING:
    from .form import ElicitationForm

_WARNING = "This server asks for a secret in a form. MCP forbids that; URL mode exists for it."
_MESSAGE, _HELP = 8192, 2000


class Controls(Rows):
    """A form as standard controls, bound both ways to the form's ``draft``: a ``VBox``.

    ``controls["party"]`` is the control of one field, to place, to watch and to set: a ``Text``
    or ``Textarea`` (numbers and dates too, read by the form), a ``Dropdown`` for one of several
    and for yes or no, its first option blank, a ``VBox`` of ``Checkbox`` for several, a
    ``Password`` for what looks like a secret. Use it where the form itself cannot be shown, or
    to lay out the fields anew; else show the form, for standard controls have limits that no
    code in a kernel can lift:

    - Answer them when no cell is running. While one is, front ends send only the first change
      of each control, and what is submitted would not be what is seen.
    - In JupyterLab and Notebook, keys typed on a Dropdown, a Checkbox or a Button are also
      notebook commands: ``b`` inserts a cell, ``d d`` deletes the one with the form.
    - Screen readers get the labels, but neither help, nor problems, nor the name of a group of
      checkboxes with their control. Two and more dollar signs in a label are shown as wide ones.
    - Nothing ticked is an answer once something was ticked ("none of them"); ``form.fill(name=None)``
      takes it back. An emptied text is not answered, except where the empty text is an answer.
    - Buttons act at once, for whoever clicks: no delay, no check that it was a person.
    - What is typed is widget state until the question is over; a front end that saves widget
      state saves it, a secret too.
    - The time left is not shown, and some hundred controls take a front end a second.

    :meth:`close` closes every control. Closing the form does it too.
    """

    def __init__(self, form: ElicitationForm) -> None:
        self._form = form
        self._look = Look()
        self._problems: dict[str, Any] = {}
        self._said = ""
        shapes = form.card["fields"]
        self._controls: dict[str, Control] = {
            field.name: control_of(field, shape, self._look, self._putter(field.name))
            for field, shape in zip(form.fields, shapes, strict=True)
        }
        self._heads = {field.name: self._head(field) for field in form.fields}
        self._top: list[Any] = [
            self._look.words(_asks(form.card), what="Who asks"),
            self._look.words(
                shown(form.message, _MESSAGE, newlines=True), what=f"Text from {form.card['asker']['name']}"
            ),
        ]
        self._buttons = [
            self._button("Submit", form.submit),
            self._button("Decline", form.decline),
            self._button("Cancel", form.cancel),
        ]
        self._bar = self._look.make(ipywidgets.HBox, children=self._buttons)
        super().__init__()
        self._own_layout = self.layout
        form.observe(self._drawn, ["draft", "problems", "state"])
        self._drawn()

    def __getitem__(self, name: str) -> Any:
        """The control of the field of that name."""
        try:
            return self._controls[name].widget
        except KeyError:
            raise LocalError(f"The form has no field {quoted(name)}.") from None

    def close(self) -> None:
        """Close every control, and stop following the form."""
        if self.comm is not None:
            self._form.unobserve(self._drawn, ["draft", "problems", "state"])
            self._look.close()
            self._own_layout.close()
        super().close()

    def _putter(self, name: str) -> Callable[[Any], None]:
        def put(value: Any) -> None:
            if self._form.is_open:
                self._form.fill({name: value})
            else:
                # Typed while the question ended: it is nobody's any more, and is not to stay.
                self._controls[name].show(None)

        return put

    def _button(self, words: str, act: Callable[[], None]) -> Any:
        def press(_: object) -> None:
            self._said = ""
            try:
                # What is not valid stands in the form's problems.
                with contextlib.suppress(NotValid):
                    act()
            except LocalError as error:
                self._said = str(error)
            self._drawn()

        made = self._look.make(ipywidgets.Button, description=words)
        made.on_click(press)
        return made

    def _head(self, field: Field) -> Any:
        """What is to be read before a field, or ``None``."""
        label = shown(field.label, 200)
        long = field.kind is Kind.CHOICES or len(label) > 80
        parts = [
            label + (" (required)" if field.required else "") if long else "",
            shown(field.help, _HELP, newlines=True),
            _WARNING if field.sensitive else "",
            field.hint,
            shown(field.note, _HELP),
        ]
        words = "\n".join(part for part in parts if part)
        return self._look.words(words, what=f"About {label}") if words else None

    def _drawn(self, _: object = None) -> None:
        """Show what the form holds, what is wrong with it, and where the question stands."""
        form = self._form
        for name, control in self._controls.items():
            control.show(form.draft.get(name))
            control.enable(form.is_open)
        for button in self._buttons:
            button.disabled = not form.is_open or form.state == "queued"
        self._tell_problems()
        rows = [*self._top]
        for name, control in self._controls.items():
            rows += [self._heads[name], control.widget, self._problems.get(name)]
        self.children = [row for row in [*rows, self._problems.get(""), self._bar] if row is not None]

    def _tell_problems(self) -> None:
        form = self._form
        ended = "" if form.is_open else record.sentence(form.card)
        other = [problem for name, problem in form.problems.items() if name not in self._controls]
        wanted = {**form.problems, "": ended or " ".join(part for part in [*other, self._said] if part)}
        for name in [*self._controls, ""]:
            words = shown(wanted.get(name, ""), 500)
            held = self._problems.get(name)
            if held is not None and held.value != words:
                self._look.drop(self._problems.pop(name))
            if words and name not in self._problems:
                self._problems[name] = self._look.words(words, what="Problem", problem=not ended)


def _asks(card: Json) -> str:
    """Our own line: who asks, as our configuration names them, and because of what."""
    asker, cause = card["asker"], card["cause"]
    words = f"{shown(asker['name'], 80)} asks"
    if asker["transport"]:
        words += f" · {shown(asker['transport'], 200)}"
    if asker["callsItself"]:
        words += f" · calls itself “{shown(asker['callsItself'], 80)}”"
    if asker["kind"] == "server":
        tool = shown(cause["tool"], 80) if cause["certainty"] != "none" else ""
        words += f"\nwhile {tool} was running" if tool else "\nnot caused by anything you ran"
    return words
