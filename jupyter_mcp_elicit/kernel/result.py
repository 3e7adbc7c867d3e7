"""What a tool gave back, and how a notebook shows it."""

from __future__ import annotations

import base64
import binascii
import html
import json
from typing import Any

from ..core.text import shown
from ..core.wire import HINT_KEY, NOTE_KEY, Json
from .markup import LITERAL

#: Characters of one text that are shown; all of it stays in ``content``.
_MOST = 100_000

_CODE = "white-space:pre-wrap;margin:0"


class Result:
    """A tool's result. ``content``: a list of JSON content blocks; ``structured_content``: JSON or ``None``.

    ``is_error`` tells that the tool itself failed; ``text`` is all its text; ``hint`` is one
    sentence of ours on how to make the call work, or "". ``note``: what it asked that nobody was there
    to answer, or "".
    """

    def __init__(self, shape: Json) -> None:
        self.content: list[Json] = list(shape.get("content") or [])
        self.structured_content: Any = shape.get("structuredContent")
        self.is_error: bool = bool(shape.get("isError"))
        self.meta: Json = shape.get("_meta") or {}
        self.hint = str(self.meta.get(HINT_KEY) or "")
        self.note = str(self.meta.get(NOTE_KEY) or "")

    @property
    def text(self) -> str:
        return "\n".join(str(block.get("text", "")) for block in self.content if block.get("type") == "text")

    def __str__(self) -> str:
        # What print() writes; the text itself, with all that a terminal would obey, is in ``text``.
        return "\n".join(_plain(block) for block in self.content if block.get("type") == "text")

    @property
    def plain(self) -> str:
        """All of it as words that hide nothing and that a terminal does not obey."""
        words = "\n".join(_plain(block) for block in self.content)
        if not words and self.structured_content is not None:
            plain = json.dumps(self.structured_content, indent=2, ensure_ascii=False)
            words = shown(plain, _MOST, newlines=True)
        return words or "(nothing)"

    def __repr__(self) -> str:
        prefix = "The tool failed: " if self.is_error else ""
        return "\n".join(filter(None, [prefix + self.plain, self.hint, self.note]))

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = {"text/plain": repr(self)}
        table = _table(self.structured_content)
        # By the specification, servers give structured content as text too.
        parts = [_html(block) for block in self.content if not (table and self._says_the_same(block))]
        if table is not None:
            parts.append(table)
        elif self.structured_content is not None and not self.content:
            bundle["application/json"] = self.structured_content
        parts += [f"<p>{html.escape(each)}</p>" for each in (self.hint, self.note) if each]
        if parts:
            body = "".join(parts)
            frame = ' style="border-left:3px solid var(--jp-error-color1,#c00);padding-left:8px"'
            bundle["text/html"] = f"<div {LITERAL}{frame if self.is_error else ''}>{body}</div>"
        return bundle

    def _says_the_same(self, block: Json) -> bool:
        if block.get("type") != "text":
            return False
        try:
            return bool(json.loads(str(block.get("text"))) == self.structured_content)
        except (ValueError, RecursionError):
            return False


def _plain(block: Json) -> str:
    kind = block.get("type")
    if kind == "text":
        return shown(str(block.get("text", "")), _MOST, newlines=True)
    if kind in ("image", "audio"):
        return f"[{kind}: {shown(str(block.get('mimeType')), 80)}]"
    if kind == "resource_link":
        title = shown(str(block.get("title") or block.get("name") or ""), 200)
        return f"[{title}: {shown(str(block.get('uri')), 2000)}]"
    if kind == "resource":
        inner = block.get("resource") or {}
        words = inner.get("text")
        return (
            shown(str(words), _MOST, newlines=True)
            if words is not None
            else f"[{shown(str(inner.get('uri')), 2000)}]"
        )
    return shown(json.dumps(block), _MOST)


def _html(block: Json) -> str:
    if block.get("type") == "image" and (data := _image(block)) is not None:
        return f'<img alt="{html.escape(_plain(block))}" src="{data}" style="max-width:100%">'
    # A link's address is shown as text: what it opens is the person's own decision to copy it.
    return f'<pre style="{_CODE}">{html.escape(_plain(block))}</pre>'


def _image(block: Json) -> str | None:
    """A data URL, only for picture types that cannot carry script, and only for real base64."""
    kind = block.get("mimeType")
    if kind not in ("image/png", "image/jpeg", "image/gif", "image/webp"):
        return None
    data = block.get("data")
    try:
        raw = base64.b64decode(data, validate=True) if isinstance(data, str) else b""
    except (binascii.Error, ValueError):
        return None
    if not raw:
        return None
    return f"data:{kind};base64,{base64.b64encode(raw).decode()}"


def _table(value: Any) -> str | None:
    """A list of flat objects (also as the only member of an object) as a table; else ``None``."""
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    if not isinstance(value, list) or not value or not all(isinstance(row, dict) for row in value):
        return None
    columns = list(dict.fromkeys(key for row in value for key in row))
    if not 0 < len(columns) <= 30:
        return None

    def cell(tag: str, item: Any) -> str:
        words = (
            item if isinstance(item, str) else "" if item is None else json.dumps(item, ensure_ascii=False)
        )
        return f'<{tag} style="text-align:left">{html.escape(shown(words, 500))}</{tag}>'

    head = "".join(cell("th", column) for column in columns)
    rows = "".join(
        f"<tr>{''.join(cell('td', row.get(column)) for column in columns)}</tr>" for row in value[:500]
    )
    more = f"<caption>the first 500 of {len(value)}</caption>" if len(value) > 500 else ""
    return f"<table>{more}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
