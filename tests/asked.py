"""Questions to ask in tests, and answers that nobody could mistake for a part of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from hypothesis import strategies as st

from jupyter_mcp_elicit.core import Asker, Cause, FormElicitation, RequestedSchema, UrlElicitation
from jupyter_mcp_elicit.core.question import Question

AT = datetime(2026, 12, 1, 9, 30, tzinfo=timezone.utc)

BISTRO = Asker("bistro", transport="stdio: python -m bistro", calls_itself="Bistro")

#: One field of each kind; none has to be answered.
EVERY_KIND: dict[str, Any] = {
    "string": {"type": "string"},
    "email": {"type": "string", "format": "email"},
    "uri": {"type": "string", "format": "uri"},
    "date": {"type": "string", "format": "date"},
    "date-time": {"type": "string", "format": "date-time"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "choice": {"enum": ["low", 2, True, "", "Accept"]},
    "choices": {"type": "array", "items": {"type": "string", "enum": ["r", "w", "x"]}},
}

#: What a person might fill in, by kind. Texts and numbers hold a mark that stands nowhere else.
PLANTED: dict[str, st.SearchStrategy[Any]] = {
    "string": st.text('abcé😀\n"\\', max_size=8).map(lambda text: f"planted{text}"),
    "email": st.integers(0, 10**6).map(lambda n: f"planted{n}@example.org"),
    "uri": st.integers(0, 10**6).map(lambda n: f"https://planted.example/{n}"),
    "date": st.dates().map(str),
    "date-time": st.datetimes().map(lambda at: f"{at.replace(microsecond=0).isoformat()}Z"),
    "integer": st.integers(10**18, 10**30),
    "number": st.floats(1e10, 1e100).filter(lambda n: not n.is_integer() or n > 1e16),
    "boolean": st.booleans(),
    "choice": st.sampled_from(["low", 2, True, "", "Accept"]),
    "choices": st.lists(st.sampled_from(["r", "w", "x"]), unique=True).map(sorted),
}


def contents() -> st.SearchStrategy[dict[str, Any]]:
    """Valid contents for :data:`EVERY_KIND`, some fields left out."""
    return st.fixed_dictionaries({}, optional=PLANTED)


def schema(properties: Mapping[str, Any] | None = None, *required: str) -> RequestedSchema:
    return RequestedSchema.parse(
        {"type": "object", "properties": dict(properties or {}), "required": list(required)}
    )


def form(
    properties: Mapping[str, Any] | None = None,
    *required: str,
    message: str = "Which table?",
    asker: Asker = BISTRO,
    cause: Cause | None = None,
) -> FormElicitation:
    return FormElicitation(
        message=message, schema=schema(properties, *required), asker=asker, cause=cause or Cause()
    )


def url(address: str = "https://bank.example/pay?id=1") -> UrlElicitation:
    return UrlElicitation(message="Please pay", url=address, asker=BISTRO)


def question(properties: Mapping[str, Any] | None = None, *required: str, queued: bool = False) -> Question:
    return Question(form(properties, *required), created=AT, queued=queued)
