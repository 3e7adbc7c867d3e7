"""Why a connection failed, in one sentence: exception groups flattened, our own errors first."""

from __future__ import annotations

import re
from collections.abc import Iterator

import anyio
import httpx2
import pydantic
from mcp import MCPError
from mcp_types import CONNECTION_CLOSED

from ..core.errors import LocalError

STDERR_LINES = 8
STDERR_CHARS = 1500


def flatten(error: BaseException) -> Iterator[BaseException]:
    """The exceptions that are no groups, in order."""
    # By its attribute: the class has two homes until Python 3.11.
    inner = getattr(error, "exceptions", None)
    if isinstance(inner, tuple) and inner:
        for each in inner:
            yield from flatten(each)
    else:
        yield error


def root(error: BaseException) -> BaseException:
    """The one to tell: ours before the rest, a mere "Connection closed" last."""

    def rank(each: BaseException) -> int:
        if isinstance(each, LocalError):
            return 0
        return 2 if isinstance(each, MCPError) and each.code == CONNECTION_CLOSED else 1

    return min(flatten(error), key=rank)


def why(error: BaseException) -> str:
    """One sentence without its full stop, for a person."""
    cause = root(error)
    if isinstance(cause, httpx2.ConnectError):
        return f"nothing answers there ({cause})"
    if isinstance(cause, MCPError) and cause.code == CONNECTION_CLOSED:
        return plain(cause.message)
    if isinstance(cause, MCPError):
        return f"it answered: {plain(cause.message)} ({cause.code})"
    if isinstance(cause, LocalError):
        return str(cause).rstrip(".")
    return f"{type(cause).__name__}: {plain(str(cause))}" if str(cause) else type(cause).__name__


def where(error: pydantic.ValidationError) -> str:
    """The first thing that does not fit, and where; without the value."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    return f"{'.'.join(str(each) for each in first['loc'])}: {first['msg']}"


def ended(code: int | None) -> str:
    """How a process ended."""
    if code is None:
        return "closed its output"
    return f"was killed by signal {-code}" if code < 0 else f"exited with code {code}"


def last_lines(stderr: str) -> str:
    """The end of a server's stderr as plain text, with control characters made visible; may be empty."""
    lines = [line for line in stderr.splitlines() if line.strip()][-STDERR_LINES:]
    text = "\n".join(plain(line) for line in lines)
    return text if len(text) <= STDERR_CHARS else "…" + text[-STDERR_CHARS:]


def plain(text: str) -> str:
    """Control and invisible formatting characters as ``[U+001B]``."""
    return re.sub(
        r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]",
        lambda found: f"[U+{ord(found.group()):04X}]",
        text,
    )


def is_loss(error: Exception) -> bool:
    """Whether the connection itself is gone, and not only a request refused."""
    if isinstance(error, MCPError):
        # A server may use the same code for its own purposes; these texts are the SDK's.
        return error.code == CONNECTION_CLOSED and error.message.startswith(
            ("Connection closed", "SSE stream")
        )
    return isinstance(error, (anyio.ClosedResourceError, anyio.BrokenResourceError))


def with_more(sentence: str, more: str) -> str:
    """The sentence, and below it what a process said last, if anything."""
    return f"{sentence}\n{more}" if more else sentence
