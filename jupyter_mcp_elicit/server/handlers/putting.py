"""A question that a kernel or an agent puts itself, read from the JSON that it sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, cast

from ...core.elicitation import Asker, Cause, Elicitation, FormElicitation, UrlElicitation
from ...core.errors import LocalError
from ...core.schema import RequestedSchema


def read_question(
    body: dict[str, Any],
    policy: Literal["lenient", "strict"],
    own_origins: Callable[[], tuple[str, ...]],
) -> Elicitation:
    """A form, or with ``"mode": "url"`` an address. ``RemoteError`` when it cannot be shown."""
    message = cast("str", body.get("message"))  # checked by the constructors
    asker, cause = _asker(body.get("asker")), _cause(body.get("cause"))
    if body.get("mode", "form") == "url":
        return UrlElicitation(
            message=message,
            url=cast("str", body.get("url")),
            asker=asker,
            own_origins=own_origins(),
            cause=cause,
        )
    schema = RequestedSchema.parse(cast("dict[str, Any]", body.get("requestedSchema")), policy=policy)
    return FormElicitation(message=message, schema=schema, asker=asker, cause=cause)


def _asker(shape: Any) -> Asker:
    """Who asks, by the kernel's word: the transport says that it is only that."""
    given = shape if isinstance(shape, dict) else {}
    name = str(given.get("name") or "This notebook")[:100]
    if given.get("kind") != "server":
        return Asker(name, kind="notebook")
    transport = str(given.get("transport") or "")[:200]
    return Asker(
        name,
        kind="server",
        transport=f"connected in the kernel, {transport}" if transport else "connected in the kernel",
        calls_itself=str(given.get("callsItself") or "")[:100],
    )


def _cause(shape: Any) -> Cause:
    given = shape if isinstance(shape, dict) else {}
    certainty: Literal["caused", "during", "none"] = (
        given["certainty"] if given.get("certainty") in ("caused", "during") else "none"
    )
    places = [given.get(each) for each in ("round", "number", "of")]
    return Cause(
        str(given.get("tool") or "")[:200],
        str(given.get("arguments") or "")[:100_000],
        certainty,
        *(each if type(each) is int and 0 <= each < 10_000 else 0 for each in places),
    )


def read_deadline(body: dict[str, Any]) -> float | None | Literal["default"]:
    """In seconds; ``None`` for never. ``LocalError`` when it is no time."""
    if "deadline" not in body:
        return "default"
    seconds = body["deadline"]
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= 10**9:
        raise LocalError('"deadline" must be a number of seconds above 0, or null for never.')
    return float(seconds)
