"""What a trace leaves out: what persons typed, what came back for it, and what only two machines may know."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

#: A frame larger than this, as JSON text, is kept as its outline.
MAX_CHARACTERS = 20_000

#: Where a server may repeat an answer: in any result, and in what it tells while a call runs.
_ECHOES: dict[str, tuple[str, ...]] = {
    "result": ("content", "structuredContent", "contents", "messages", "statusMessage"),
    "notifications/message": ("data",),
    "notifications/progress": ("message",),
    "notifications/cancelled": ("reason",),
    "notifications/tasks/status": ("statusMessage",),
}


def hidden(value: Any) -> str:
    """What stands in the place of ``value``: that it is hidden, and how large it was."""
    if isinstance(value, str):
        return f"(hidden: text of {len(value)} characters)"
    if isinstance(value, dict):
        return f"(hidden: {_count(len(value), 'member')})"
    if isinstance(value, list):
        return f"(hidden: {_count(len(value), 'item')})"
    return "(hidden)"


def clean(frame: dict[str, Any], method: str, *, contents: bool = False) -> dict[str, Any]:
    """A copy of ``frame`` that may be shown; ``method`` is that of its request.

    ``contents``: answers, results and states are wanted and stay. Addresses of questions
    keep their host alone either way: what follows it is often a key.
    """
    try:
        copy: dict[str, Any] = json.loads(json.dumps(frame, default=str))
    except (RecursionError, ValueError):
        return _outline(frame, "the frame is nested too deeply")
    for part in ("params", "result"):
        if isinstance(copy.get(part), dict):
            _clean(copy[part], part, method, contents)
    _clean_error(copy.get("error"), contents)
    size = len(json.dumps(copy))
    return copy if size <= MAX_CHARACTERS else _outline(copy, f"the frame is {size} characters long")


def _clean(part: dict[str, Any], name: str, method: str, contents: bool) -> None:
    _shorten_url(part)
    for request in _values(part.get("inputRequests")):
        _shorten_url(request.get("params"))
    if contents:
        return
    if "requestState" in part:
        part["requestState"] = hidden(part["requestState"])
    for answer in _values(part.get("inputResponses")):
        _hide(answer, "content")
    # What a server says of an answer is as private as the answer.
    for key in _ECHOES.get(name if name == "result" else method, ()):
        _hide(part, key)


def _hide(part: Any, key: str) -> None:
    if isinstance(part, dict) and key in part:
        part[key] = hidden(part[key])


def _shorten_url(part: Any) -> None:
    if not isinstance(part, dict) or not isinstance(part.get("url"), str):
        return
    try:
        parts = urlsplit(part["url"])
        host = parts.hostname or ""
    except ValueError:
        part["url"] = hidden(part["url"])
        return
    rest = len(parts.path) + len(parts.query) + len(parts.fragment)
    part["url"] = f"{parts.scheme}://{host}/ (and {_count(rest, 'more character')}, hidden)"


def _clean_error(error: Any, contents: bool) -> None:
    if not isinstance(error, dict):
        return
    data = error.get("data")
    listed = _list(data.get("elicitations")) if isinstance(data, dict) else []
    for each in listed:
        _shorten_url(each)
    if not listed and not contents:
        _hide(error, "data")


def _outline(frame: dict[str, Any], why: str) -> dict[str, Any]:
    outline: dict[str, Any] = {
        key: frame[key] for key in ("jsonrpc", "id", "method") if isinstance(frame.get(key), str | int)
    }
    for key in ("params", "result", "error"):
        if isinstance(frame.get(key), dict):
            outline[key] = dict.fromkeys(list(frame[key])[:50], "(left out)")
    return {**outline, "leftOut": why}


def _values(shape: Any) -> list[dict[str, Any]]:
    return _list(list(shape.values())) if isinstance(shape, dict) else []


def _list(shape: Any) -> list[dict[str, Any]]:
    return [each for each in shape if isinstance(each, dict)] if isinstance(shape, list) else []


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
