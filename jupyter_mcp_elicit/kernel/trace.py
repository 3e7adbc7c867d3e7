"""The frames of a connection as a notebook shows them: lines of text, a diagram, a table."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Sequence
from typing import Any

from ..core.text import shown
from ..trace import Entry
from . import diagram
from .markup import LITERAL

#: A frame's JSON is shown up to this many characters; ``frames`` has all of what was kept.
MAX_JSON = 6000

_CELL = 'style="text-align:left;vertical-align:top;white-space:normal"'
_WIDE = 'style="text-align:left;vertical-align:top;min-width:18em"'
# An opened frame makes its column wide enough for JSON to be read.
_JSON = 'style="white-space:pre-wrap;margin:4px 0;min-width:30em;overflow-wrap:anywhere"'


class Trace(Sequence[Entry]):
    """The frames, oldest first. ``frames[n].frame`` is the JSON."""

    def __init__(self, frames: Sequence[Entry], server: str) -> None:
        self.frames = tuple(frames)
        self.server = server

    def __len__(self) -> int:
        return len(self.frames)

    def __getitem__(self, place: int | slice) -> Entry | Trace:  # type: ignore[override]
        if isinstance(place, slice):
            return Trace(self.frames[place], self.server)
        return self.frames[place]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.frames)

    def about(self, *methods: str) -> Trace:
        """Only the frames of these methods, requests and their answers."""
        return Trace([each for each in self.frames if each.name in methods], self.server)

    @property
    def answers(self) -> list[dict[str, Any]]:
        """What the server was answered, oldest first: ``{"action": …}``, in every revision of MCP alike.

        ``content`` is there where the form was submitted, and hidden unless the trace keeps contents.
        """
        return [answer for each in self.frames for answer in each.answers]

    def __repr__(self) -> str:
        if not self.frames:
            return "No frame has been sent or received yet."
        return "\n".join(
            f"{each.at[11:23]} {'-->' if each.direction == 'send' else '<--'} "
            f"{title(each)}  {shown(each.meaning, 200)}"
            for each in self.frames
        )

    def _repr_html_(self) -> str:
        if not self.frames:
            return f"<p {LITERAL}>{html.escape(repr(self))}</p>"
        rows = "".join(self._row(each) for each in self.frames)
        heads = ("", "time (UTC)", "from", "frame", "what it means")
        head = "".join(f"<th {_WIDE if name == 'frame' else _CELL}>{name}</th>" for name in heads)
        picture = diagram.svg(self.frames, self.server)
        return (
            f"<div {LITERAL}>{picture}"
            f'<table style="max-width:100%"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
        )

    def _row(self, each: Entry) -> str:
        sender = "us" if each.direction == "send" else self.server
        text = shown(json.dumps(each.frame, indent=2, ensure_ascii=False), MAX_JSON, newlines=True)
        # For students: the page of the specification that says so.
        clause = (
            f' <a href="{html.escape(each.clause)}" target="_blank" rel="noopener noreferrer">'
            "specification</a>"
            if each.clause
            else ""
        )
        ours = " <em>(an addition of this project)</em>" if each.ours else ""
        cells = (
            str(each.number),
            f"<code>{each.at[11:23]}</code>",
            f'<span style="white-space:nowrap">{html.escape(shown(sender, 24))}</span>',
            f"<details><summary><code>{html.escape(title(each))}</code></summary>"
            f"<pre {_JSON}>{html.escape(text)}</pre></details>",
            html.escape(shown(each.meaning, 300)) + ours + clause,
        )
        return f"<tr>{''.join(f'<td {_CELL}>{cell}</td>' for cell in cells)}</tr>"


def title(each: Entry) -> str:
    """``tools/call #3``, ``result of tools/call #3``, or ``no JSON-RPC``."""
    name = shown(each.name, 80) or "something"
    number = "" if each.id is None else f" #{shown(str(each.id), 20)}"
    if each.kind == "broken":
        return "no JSON-RPC"
    return f"{each.kind} of {name}{number}" if each.kind in ("result", "error") else f"{name}{number}"
