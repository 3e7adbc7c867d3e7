"""Whose fault it is: two kinds of error, and no third."""

from __future__ import annotations

from typing import Any

#: JSON-RPC codes that an elicitation can be answered with.
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INVALID_REQUEST = -32600

#: The error of a call that goes on only when addresses have been opened.
URL_ELICITATION_REQUIRED = -32042


class _Readable(Exception):
    """Shown in a notebook as one sentence: our own frames tell the person nothing."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class LocalError(_Readable):
    """Ours, or the caller's: the message names the thing and the way out.

    ``hint`` is one more sentence that says what to do, or ``""``.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message


class RemoteError(_Readable):
    """Theirs: what the MCP server sent cannot be done, or it answered with an error.

    ``code`` is the JSON-RPC code (to answer with, or as received), ``message`` one
    sentence that names the field or the thing, ``data`` any JSON value or ``None``.
    """

    def __init__(self, message: str, *, code: int = INVALID_PARAMS, data: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.data = data

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"
