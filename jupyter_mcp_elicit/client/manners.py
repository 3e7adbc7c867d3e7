"""Mends, frame by frame, what the SDK would say or hear otherwise than the protocol means it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from mcp_types import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)

from ..core.elicitation import Mode
from . import eras, tasks
from .tap import Direction

ASK = "elicitation/create"
COMPLETE = "notifications/elicitation/complete"
PROGRESS = "notifications/progress"
# Questions that were withdrawn never get an answer, so what is remembered of them has a bound.
REMEMBERED = 256


class Manners:
    """Of one generation. Outgoing: the capabilities as configured, and refusals with their reason.

    Incoming: a schema without ``properties`` is a confirmation, which the SDK would refuse.
    ``on_complete`` gets the id of each URL flow that the server says has ended; the SDK, which
    complains of malformed ones at length, never sees those.
    """

    def __init__(
        self, modes: tuple[Mode, ...], offer: str, on_complete: Callable[[str], None] = lambda _: None
    ) -> None:
        self._modes = modes
        self._offer = offer
        self._on_complete = on_complete
        self._asked: OrderedDict[RequestId, str] = OrderedDict()
        #: Why the newest embedded question was malformed: the SDK only says that the whole result is.
        self.malformed = ""

    def __call__(self, direction: Direction, frame: JSONRPCMessage) -> JSONRPCMessage | None:
        """The frame to go on with: a new one where something had to change, ``None`` for none."""
        if direction == "send":
            if isinstance(frame, JSONRPCRequest):
                return eras.narrowed(frame, self._modes, self._offer)
            if isinstance(frame, (JSONRPCResponse, JSONRPCError)) and frame.id is not None:
                return self._answered(frame, self._asked.pop(frame.id, None))
        elif isinstance(frame, JSONRPCRequest) and frame.method == ASK:
            params, reason = mended(frame.params, needs_id=True)
            self._asked[frame.id] = reason
            if len(self._asked) > REMEMBERED:
                self._asked.popitem(last=False)
            return frame if params is None else frame.model_copy(update={"params": params})
        elif isinstance(frame, JSONRPCNotification) and frame.method == PROGRESS:
            tasks.progressed(frame.params)
        elif isinstance(frame, JSONRPCNotification) and frame.method == COMPLETE:
            elicitation_id = (frame.params or {}).get("elicitationId")
            if isinstance(elicitation_id, str):
                self._on_complete(elicitation_id)
            return None
        elif isinstance(frame, JSONRPCResponse) and isinstance(frame.result.get("inputRequests"), dict):
            return frame.model_copy(update={"result": self._mended_round(frame.result)})
        return frame

    def _answered(self, frame: JSONRPCResponse | JSONRPCError, reason: str | None) -> JSONRPCMessage:
        if reason is None or not isinstance(frame, JSONRPCError):
            return frame
        if not self._modes:
            return _refusal(frame, METHOD_NOT_FOUND, "Method not found", ASK)
        if reason and frame.error.code == INVALID_PARAMS:
            return _refusal(frame, INVALID_PARAMS, reason)
        return frame

    def _mended_round(self, result: Mapping[str, Any]) -> dict[str, Any]:
        requests = dict(result["inputRequests"])
        for key, request in requests.items():
            if isinstance(request, dict) and request.get("method") == ASK:
                params, reason = mended(request.get("params"), needs_id=False)
                self.malformed = reason or self.malformed
                if params is not None:
                    requests[key] = {**request, "params": params}
        return {**result, "inputRequests": requests}


def mended(params: Any, *, needs_id: bool) -> tuple[dict[str, Any] | None, str]:
    """Params of ``elicitation/create`` that the SDK will read, and why it cannot (``""``: it can)."""
    if not isinstance(params, dict):
        return None, "An elicitation needs params."
    mode = params.get("mode", "form")
    if mode not in ("form", "url"):
        named = "null" if mode is None else f'"{str(mode)[:40]}"'
        return params, f'The elicitation mode must be "form" or "url", not {named}.'
    if not isinstance(params.get("message"), str):
        return params, "An elicitation needs a message, and it must be text."
    if mode == "url":
        if not isinstance(params.get("url"), str):
            return params, 'An elicitation in URL mode needs "url", and it must be text.'
        if not isinstance(params.get("elicitationId", None if needs_id else ""), str):
            return params, 'An elicitation in URL mode needs "elicitationId", and it must be text.'
        return params, ""
    schema = params.get("requestedSchema")
    if not isinstance(schema, dict):
        return params, 'An elicitation in form mode needs "requestedSchema", and it must be an object.'
    schema = {"type": "object", "properties": {}, **schema}
    if schema.get("required", ()) is None:
        del schema["required"]
    if schema["type"] != "object":
        reason = 'The requested schema must be of "type": "object".'
    elif not isinstance(schema["properties"], dict):
        reason = 'The "properties" of the requested schema must be an object.'
    elif not isinstance(schema.get("required", []), list):
        reason = 'The "required" of the requested schema must be a list of field names.'
    else:
        reason = ""
    return {**params, "requestedSchema": schema}, reason


def _refusal(frame: JSONRPCError, code: int, message: str, data: Any = None) -> JSONRPCError:
    error = (
        ErrorData(code=code, message=message)
        if data is None
        else ErrorData(code=code, message=message, data=data)
    )
    return JSONRPCError(jsonrpc="2.0", id=frame.id, error=error)
