"""SDK types <-> core values and plain JSON. Numbers and requestState pass through untouched."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Literal

from mcp import MCPError
from mcp_types import (
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    ElicitResult,
    ErrorData,
    Notification,
    NotificationParams,
)
from pydantic import BaseModel

from ..core.elicitation import (
    Accept,
    Answer,
    Asker,
    Cancel,
    Cause,
    Decline,
    Elicitation,
    FormElicitation,
    UrlElicitation,
)
from ..core.errors import LocalError, RemoteError
from ..core.schema import RequestedSchema
from ..core.text import quoted

SchemaPolicy = Literal["lenient", "strict"]
SecretPolicy = Literal["warn", "refuse"]


def question(
    params: ElicitRequestFormParams | ElicitRequestURLParams,
    asker: Asker,
    cause: Cause,
    policy: SchemaPolicy = "lenient",
    own_origins: tuple[str, ...] = (),
    secrets: SecretPolicy = "warn",
) -> Elicitation:
    """What the server asks, as a core value.

    Raises ``RemoteError(-32602)`` for a schema or an address that is refused; ``own_origins``
    are the addresses that the notebook itself is open under. ``secrets`` "refuse": so is a
    form with a field that asks for one.
    """
    if isinstance(params, ElicitRequestURLParams):
        return UrlElicitation(
            message=params.message,
            url=params.url,
            asker=asker,
            elicitation_id=params.elicitation_id or "",
            own_origins=own_origins,
            cause=cause,
        )
    schema = RequestedSchema.parse(params.requested_schema, policy=policy)
    asking = [quoted(each.name) for each in schema.fields if each.sensitive]
    if asking and secrets == "refuse":
        raise RemoteError(
            f"A form must not ask for secrets, and this one does: {', '.join(asking[:5])}. Use url mode."
        )
    return FormElicitation(message=params.message, schema=schema, asker=asker, cause=cause)


def result(mode: str, answer: Answer) -> ElicitResult:
    """The answer for the wire: ``content`` only with an accepted form, and then always an object."""
    if isinstance(answer, Accept) and mode == "form":
        content = dict(answer.content or {})
        for name, value in content.items():
            if not _is_sendable(value):
                # Without the value: this ends in a log.
                raise LocalError(
                    f'The answer to "{name}" is of a kind that MCP cannot carry: {type(value).__name__}.'
                )
        return ElicitResult(action="accept", content=content)
    actions: dict[type, Literal["accept", "decline", "cancel"]]
    actions = {Accept: "accept", Decline: "decline", Cancel: "cancel"}
    return ElicitResult(action=actions[type(answer)])


class _CompletionParams(NotificationParams):
    elicitation_id: str
    action: Literal["accept", "decline", "cancel"]


class _Completion(Notification[_CompletionParams, Literal["notifications/elicitation/complete"]]):
    method: Literal["notifications/elicitation/complete"] = "notifications/elicitation/complete"
    params: _CompletionParams


def completion(elicitation_id: str, action: Literal["accept", "decline", "cancel"]) -> Any:
    """The notification that a URL flow has ended, as a client sends it."""
    return _Completion(params=_CompletionParams(elicitation_id=elicitation_id, action=action))


def error_data(error: RemoteError) -> ErrorData:
    """What a server is told when its question is refused."""
    return ErrorData(code=error.code, message=error.message, data=error.data)


def remote_error(error: MCPError, *, instead: str = "", hint: str = "") -> RemoteError:
    """A server's JSON-RPC error as ours; ``instead`` of its message, ``hint`` one more sentence."""
    message = instead or error.message or "The server gave no reason."
    return RemoteError(f"{message} {hint}" if hint else message, code=error.code, data=error.data)


def to_json(model: BaseModel) -> dict[str, Any]:
    """What the server sent, as the JSON object of the specification; nothing that the SDK added."""
    dumped: dict[str, Any] = model.model_dump(
        by_alias=True, mode="json", exclude_none=True, exclude_unset=True
    )
    return dumped


def argument_text(arguments: Mapping[str, Any]) -> str:
    """The arguments of a call as JSON text. ``LocalError`` when they are no JSON."""
    try:
        text = json.dumps(arguments, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise LocalError(f"The arguments cannot be sent as JSON: {error}.") from error
    return text


def _is_sendable(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(each, str) and _is_unicode(each) for each in value)
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, (bool, int)) or (isinstance(value, str) and _is_unicode(value))


def _is_unicode(text: str) -> bool:
    # A lone surrogate is no character, and no UTF-8 can hold it.
    return not any("\ud800" <= each <= "\udfff" for each in text)
