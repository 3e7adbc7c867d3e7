"""Standard ipywidgets controls as our forms make them: quiet about what was typed, alike, closed together."""

from __future__ import annotations

import textwrap
from typing import Any

import ipywidgets

from ..core.text import shown

#: Characters of one line, and lines of a text that are seen without scrolling.
_LINE, _MOST_LINES = 70, 12
#: Characters of a description: beside it there must be room for its control.
_LONG = 60


class _Silent:
    """A repr lands in the notebook file: it must not say what was typed."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class Text(_Silent, ipywidgets.Text):  # type: ignore[misc]  # untyped
    """A line of text."""


class Textarea(_Silent, ipywidgets.Textarea):  # type: ignore[misc]  # untyped
    """Lines of text."""


class Password(_Silent, ipywidgets.Password):  # type: ignore[misc]  # untyped
    """A masked line of text."""


class Dropdown(_Silent, ipywidgets.Dropdown):  # type: ignore[misc]  # untyped
    """One of several."""


class Checkbox(_Silent, ipywidgets.Checkbox):  # type: ignore[misc]  # untyped
    """Ticked or not."""


class Rows(_Silent, ipywidgets.VBox):  # type: ignore[misc]  # untyped
    """Controls below one another."""


class Look:
    """Makes the controls of one form; they share their Layout and Style, each a comm of its own."""

    def __init__(self) -> None:
        self._layout = ipywidgets.Layout(width="auto", max_width="50em")
        self._styles: dict[Any, Any] = {}
        self._made: list[Any] = []

    def make(self, kind: Any, *, problem: bool = False, **traits: Any) -> Any:
        """A control of this kind; its ``layout`` and ``style`` are everyone's."""
        if hasattr(kind, "style"):
            traits["style"] = self._style(kind.style.klass, problem)
        made = kind(layout=self._layout, **traits)
        self._made.append(made)
        return made

    def words(self, text: str, *, what: str, problem: bool = False) -> Any:
        """Text to read, verbatim but for characters that hide: a box that nobody can type in.

        Labels would be set as formulas (MathJax) and cut to a line; the value of a text
        box is neither markup nor a text node, in every front end. ``what`` names it for screen readers.
        """
        lines = sum(len(textwrap.wrap(line, _LINE)) or 1 for line in text.split("\n"))
        return self.make(
            Textarea,
            problem=problem,
            value=text,
            rows=min(lines, _MOST_LINES),
            tooltip=what,
            disabled=True,
        )

    def drop(self, made: Any) -> None:
        """Close one control that is no longer needed."""
        self._made.remove(made)
        made.close()

    def close(self) -> None:
        """Close all that was made, and what it shares."""
        for each in [*self._made, *self._styles.values(), self._layout]:
            each.close()
        self._made.clear()
        self._styles.clear()

    def _style(self, kind: Any, problem: bool) -> Any:
        if (kind, problem) not in self._styles:
            traits = {"text_color": "firebrick"} if problem else {}
            if "description_width" in kind.class_trait_names():
                traits["description_width"] = "initial"
            self._styles[kind, problem] = kind(**traits)
        return self._styles[kind, problem]


def literal(text: str, limit: int) -> str:
    """Foreign text for a description, which front ends set as formulas whatever we say: with none in it.

    An invisible word joiner after each backslash breaks ``\\(`` and ``\\begin``; a pair of dollars
    can only be shown by name.
    """
    words = shown(text, limit).replace("\\", "\\\u2060")
    return words.replace("$", "[U+0024]") if words.count("$") > 1 else words


def fits(text: str) -> bool:
    """Whether a description can show ``text`` whole and as it is."""
    return len(shown(text, _LONG + 1)) <= _LONG and text.count("$") < 2
