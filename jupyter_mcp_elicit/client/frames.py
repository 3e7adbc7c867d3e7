"""One line of a stdio server as a JSON-RPC message, even a little broken: a call may wait for it."""

from __future__ import annotations

import json
import re
from typing import Any

from mcp_types import (
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCRequest,
    jsonrpc_message_adapter,
)

_SURROGATE = re.compile("[\ud800-\udfff]")
# Python refuses to turn longer ones into numbers, as the parser of pydantic does.
MAX_DIGITS = 4300


def read_frame(line: bytes) -> JSONRPCMessage | None:
    """The message in ``line``, or ``None`` when there is none.

    Bytes that are no UTF-8 and halves of characters (JavaScript cuts text in the middle of an
    emoji) become U+FFFD. An answer that still cannot be read becomes an error with its id, and a
    request loses its params.
    """
    try:
        return jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        pass
    try:
        data = json.loads(line.decode("utf-8", "replace"), parse_int=_integer)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or data.get("jsonrpc") != "2.0":
        return None
    try:
        return jsonrpc_message_adapter.validate_python(_whole(data), by_name=False)
    except (ValueError, RecursionError):
        pass
    about, method = data.get("id"), data.get("method")
    if not isinstance(about, (int, str)) or isinstance(about, bool):
        return None
    if "result" in data or "error" in data:
        error = ErrorData(code=PARSE_ERROR, message="The answer of the server could not be read.")
        return JSONRPCError(jsonrpc="2.0", id=about, error=error)
    # The server waits for an answer to this one: without its params it is refused, and not left unheard.
    return JSONRPCRequest(jsonrpc="2.0", id=about, method=method) if isinstance(method, str) else None


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= MAX_DIGITS else digits


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole(each) for each in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(each) for key, each in value.items()}
    return value
