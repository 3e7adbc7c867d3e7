"""``form.controls()``: the form as standard ipywidgets controls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..core import secrecy
from ..core.errors import LocalError
from ..core.field import Field, Kind
from ..core.text import quoted, shown
from ..core.wire import Json
from . import record
from .bar import Bar
from .block import Block
from .cells import cells
from .control import Control, control_of
from .look import Look, Rows, fits

if TYPE_CHECKING:
    from .form import ElicitationForm

_BUSY = "A cell is running. This can be filled in and answered when it has ended."
_MESSAGE, _HELP = 8192, 2000


class Controls(Rows):
    """A form as standard controls, bound both ways to the form's ``draft``: a ``VBox``.

    ``controls["party"]`` is the control of one field, to place, to watch and to set: a ``Text``
    or ``Textarea`` (numbers and dates too, read by the form), a ``Dropdown`` for one of several
    and for yes or no, its first option blank, a ``VBox`` of ``Checkbox`` for several, a
    ``Password`` for what looks like a secret. Use it where the form itself cannot be shown, or
    to lay out the fields anew; else show the form, for standard controls have limits that no
    code in a kernel can lift:

    - They are locked while a cell runs: JupyterLab and Notebook may then send no more than the
      first change of each control. To be answered while a cell waits, show the form itself.
    - In JupyterLab and Notebook, keys typed on a Dropdown, a Checkbox or a Button are also
      notebook commands: ``b`` inserts a cell, ``d d`` deletes the one with the form.
    - Screen readers get the labels, but neither help, nor problems, nor the name of a group of
      checkboxes with their control.
    - Nothing ticked is an answer once something was ticked ("none of them"); ``form.fill(name=None)``
      takes it back. An emptied text is not answered, except where the empty text is an answer.
    - Buttons act at once, for whoever clicks: no delay, no check that it was a person. Submit
      shows what the form holds, and Send sends it; a change in between takes Send away.
    - What is typed is widget state until the question is over; a front end that saves widget
      state saves it, a secret too.
    - The time left is not shown, and some hundred controls take a front end a second.

    :meth:`close` closes every control. Closing the form does it too.
    """

    def __init__(self, form: ElicitationForm) -> None:
        self._form = form
        self._look = Look()
        self._cells = cells()
        shapes = form.card["fields"]
        self._controls: dict[str, Control] = {
            field.name: control_of(field, shape, self._look, self._putter(field.name))
            for field, shape in zip(form.fields, shapes, strict=True)
        }
        self._blocks = {
            field.name: Block(self._look, [*self._head(field), self._controls[field.name].widget])
            for field in form.fields
        }
        self._bar = Bar(form, self._look, self._drawn)
        self._end = Block(self._look)
        message = shown(form.message, _MESSAGE, newlines=True)
        top = [
            self._look.words(_asks(form.card), what="Who asks"),
            self._look.words(message, what=f"Text from {shown(form.card['asker']['name'], 80)}"),
        ]
        boxes = [block.box for block in [*self._blocks.values(), self._end]]
        super().__init__(children=[*top, *boxes])
        self._own_layout = self.layout
        form.observe(self._drawn, ["draft", "problems", "state"])
        self._cells.follow(self._drawn)
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
            self._cells.leave(self._drawn)
            self._look.close()
            self._own_layout.close()
        super().close()

    def __del__(self) -> None:
        # Only when Python shuts down, for an open one is held by ipywidgets: too late for more.
        super().close()

    def _putter(self, name: str) -> Callable[[Any], None]:
        def put(value: Any) -> None:
            if self._form.is_open:
                self._form.fill({name: value})
            else:
                # Typed while the question ended: it is nobody's any more, and is not to stay.
                self._controls[name].show(None)

        return put

    def _head(self, field: Field) -> list[Any]:
        """What is to be read before a field."""
        label = shown(field.label, 200)
        apart = field.kind is Kind.CHOICES or not fits(field.label)
        parts = [
            label + (" (required)" if field.required else "") if apart else "",
            shown(field.help, _HELP, newlines=True),
            secrecy.warning(self._form.card["asker"]["kind"]) if field.sensitive else "",
            field.hint,
            shown(field.note, _HELP),
        ]
        words = "\n".join(part for part in parts if part)
        return [self._look.words(words, what=f"About {label}")] if words else []

    def _drawn(self, change: Any = None) -> None:
        """Show what the form holds, what is wrong with it, and where the question stands."""
        form = self._form
        if not form.is_open or (change is not None and change["name"] == "draft"):
            self._bar.forget()
        ready = form.is_open and not self._cells.running
        for name, control in self._controls.items():
            control.show(form.draft.get(name))
            control.enable(ready)
        self._bar.enable(ready and form.state != "queued")
        self._tell()

    def _tell(self) -> None:
        form = self._form
        for name, block in self._blocks.items():
            block.tell(form.problems.get(name, ""))
        calm = _BUSY if self._cells.running else ""
        if not form.is_open:
            calm = record.sentence(form.card)
        other = [problem for name, problem in form.problems.items() if name not in self._blocks]
        wrong = " ".join(part for part in [*other, self._bar.said] if part)
        self._end.tell(calm or wrong, problem=not calm, then=self._bar.rows)


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
