"""What a server offers beside its tools, its prompts and resources, as code in a notebook reads them."""

from __future__ import annotations

import html
import json
from typing import Any

from ..core.text import shown
from ..core.wire import Json
from .markup import LITERAL

#: Characters of one text that are shown; all of it stays in the objects.
_MOST = 100_000


class Offer:
    """Server text as text. ``text`` is all of it, ``meta`` the result's own ``_meta``."""

    def __init__(self, shape: Json) -> None:
        self.meta: Json = shape.get("_meta") or {}

    @property
    def text(self) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        return shown(self.text, _MOST, newlines=True)

    def __repr__(self) -> str:
        return str(self) or "(nothing)"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        words = html.escape(repr(self))
        return {
            "text/plain": repr(self),
            "text/html": f'<div {LITERAL}><pre style="white-space:pre-wrap;margin:0">{words}</pre></div>',
        }


class Messages(Offer):
    """A prompt, filled in. ``messages``: a list of ``{"role", "content"}`` as the specification has them."""

    def __init__(self, shape: Json) -> None:
        super().__init__(shape)
        self.messages: list[Json] = list(shape.get("messages") or [])
        self.description = str(shape.get("description") or "")

    @property
    def text(self) -> str:
        return "\n".join(f"{each.get('role')}: {_words(each.get('content'))}" for each in self.messages)


class Contents(Offer):
    """A resource. ``contents``: a list of JSON objects with ``uri`` and ``text`` or base64 ``blob``."""

    def __init__(self, shape: Json) -> None:
        super().__init__(shape)
        self.contents: list[Json] = list(shape.get("contents") or [])

    @property
    def text(self) -> str:
        return "\n".join(str(each["text"]) for each in self.contents if "text" in each)

    def __repr__(self) -> str:
        lines = [
            shown(str(each["text"]), _MOST, newlines=True) if "text" in each else _blob(each)
            for each in self.contents
        ]
        return "\n".join(lines) or "(nothing)"


def _words(content: Any) -> str:
    if isinstance(content, dict) and content.get("type") == "text":
        return str(content.get("text", ""))
    return json.dumps(content, ensure_ascii=False)


def _blob(each: Json) -> str:
    return f"[{shown(str(each.get('mimeType') or 'data'), 80)}: {shown(str(each.get('uri')), 2000)}]"
