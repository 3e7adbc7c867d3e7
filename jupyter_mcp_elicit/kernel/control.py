"""One field as a standard ipywidgets control, with what the form holds for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ..core.defaults import initial
from ..core.field import Field, Kind
from ..core.scalar import key
from ..core.text import shown
from ..core.wire import Json
from .look import Checkbox, Dropdown, Look, Password, Rows, Text, Textarea, fits, literal

#: Called with the draft value when a person, or code, has changed the control.
Changed = Callable[[Any], None]

_OPTION, _PLACEHOLDER = 200, 200


class Control(Protocol):
    """``widget`` is what to show, and what ``controls[name]`` gives."""

    widget: Any

    def show(self, value: Any) -> None:
        """Show a draft value; tells nobody."""
        ...

    def enable(self, enabled: bool) -> None:
        """Whether it can be changed in a page."""
        ...


def control_of(field: Field, shape: Json, look: Look, changed: Changed) -> Control:
    """The control of a field, blank and locked at first; ``shape`` is the same field as cards have it."""
    label = _label(field)
    if field.kind is Kind.CHOICES:
        return _Ticks(field, shape["options"], look, changed)
    if field.kind is Kind.BOOLEAN:
        return _Choice([("Yes", True), ("No", False)], label, look, changed)
    if field.kind is Kind.CHOICE:
        values = [option.value for option in field.options]
        names = [_name(option) for option in shape["options"]]
        return _Choice(list(zip(names, values, strict=True)), label, look, changed)
    return _Box(field, label, look, changed)


class _Box:
    """Any text, numbers and dates too: only the core reads them."""

    def __init__(self, field: Field, label: dict[str, Any], look: Look, changed: Changed) -> None:
        kind: Any = Password if field.sensitive else Textarea if field.multiline else Text
        self.widget = look.make(
            kind,
            **label,
            disabled=True,
            # One message per change, not per key: a click on Submit could overtake those held back.
            continuous_update=False,
            # ipywidgets' own: an empty one would move the label off its line.
            placeholder=shown(field.placeholder, _PLACEHOLDER) or "\u200b",
        )
        self._changed = changed
        self._first: Any = initial(field)
        self._given: Any = None
        self.widget.observe(self._typed, "value")

    def show(self, value: Any) -> None:
        self._given = value
        self.widget.value = value or ""

    def enable(self, enabled: bool) -> None:
        self.widget.disabled = not enabled

    def _typed(self, change: Any) -> None:
        text = change["new"]
        if text == (self._given or ""):
            return
        # An answer taken back to what it was is untouched again.
        self._given = self._first if text == (self._first or "") else text
        self._changed(self._given)


class _Choice:
    """One of several, or none: the first option is blank."""

    def __init__(
        self, options: list[tuple[str, Any]], label: dict[str, Any], look: Look, changed: Changed
    ) -> None:
        self._keys = [key(value) for _, value in options]
        self.widget = look.make(Dropdown, **label, options=[("", None), *options], disabled=True)
        self._changed = changed
        self._showing = False
        # By place and not by value: Python takes True for 1.
        self.widget.observe(self._chosen, "index")

    def show(self, value: Any) -> None:
        self._showing = True
        try:
            self.widget.index = 0 if value is None else self._keys.index(key(value)) + 1
        finally:
            self._showing = False

    def enable(self, enabled: bool) -> None:
        self.widget.disabled = not enabled

    def _chosen(self, change: Any) -> None:
        if not self._showing:
            self._changed(self.widget.options[change["new"] or 0][1])


class _Ticks:
    """Any of several: a box to tick for each."""

    def __init__(self, field: Field, options: list[Json], look: Look, changed: Changed) -> None:
        self._values = [option.value for option in field.options]
        self._boxes = [
            look.make(Checkbox, description=literal(_name(option), _OPTION), indent=False, disabled=True)
            for option in options
        ]
        self.widget = look.make(Rows, children=self._boxes)
        self._changed = changed
        self._showing = False
        for box in self._boxes:
            box.observe(self._ticked, "value")

    def show(self, value: Any) -> None:
        self._showing = True
        try:
            for box, each in zip(self._boxes, self._values, strict=True):
                box.value = each in (value or ())
        finally:
            self._showing = False

    def enable(self, enabled: bool) -> None:
        for box in self._boxes:
            box.disabled = not enabled

    def _ticked(self, _: Any) -> None:
        if not self._showing:
            self._changed([each for box, each in zip(self._boxes, self._values, strict=True) if box.value])


def _label(field: Field) -> dict[str, Any]:
    """What names the control; a label that stands above it is its title for screen readers only."""
    words = " (required)" if field.required else ""
    if fits(field.label):
        return {"description": literal(field.label, _OPTION) + words}
    return {"tooltip": shown(field.label, _OPTION) + words}


def _name(option: Json) -> str:
    label = shown(option["label"], _OPTION).strip()
    # A label that imitates our buttons, or that another has too, comes with what it sends.
    return f"{label} ({shown(option['value'], _OPTION)})" if option["value"] else label or '""'
