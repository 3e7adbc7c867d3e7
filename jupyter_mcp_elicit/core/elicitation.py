"""The question, who asks it and why, and the three answers a person can give."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from .errors import LocalError, RemoteError
from .lifecycle import REASONS
from .text import shown

if TYPE_CHECKING:
    from .schema import RequestedSchema
    from .urls import UrlReport

Mode: TypeAlias = Literal["form", "url"]
Certainty: TypeAlias = Literal["caused", "during", "none"]


def mint() -> str:
    """A new id: 22 URL-safe characters that nobody can guess."""
    while True:
        token = secrets.token_urlsafe(16)
        if not token.startswith("-"):
            return token


@dataclass(frozen=True, slots=True, repr=False)
class Accept:
    """The person said yes. ``content`` is a dict in form mode and ``None`` in URL mode.

    Raises ``LocalError`` when ``content`` is something else.
    """

    content: Mapping[str, Any] | None = None
    action = "accept"

    def __post_init__(self) -> None:
        given: object = self.content
        if given is None:
            return
        if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
            raise LocalError(
                "Accept takes what was filled in, by the names of the fields.",
                hint='For example: Accept({"name": "Ada"})',
            )
        object.__setattr__(self, "content", MappingProxyType(dict(given)))

    def __repr__(self) -> str:
        # A repr lands in the notebook file: names only, never what was answered.
        names = ", ".join(self.content) if self.content is not None else "no content"
        return f"Accept({shown(names, 200)})"

    def __reduce__(self) -> tuple[type[Accept], tuple[dict[str, Any] | None]]:
        return Accept, (None if self.content is None else dict(self.content),)


@dataclass(frozen=True, slots=True)
class Decline:
    """The person said no, by pressing Decline. Nothing else makes one."""

    action = "decline"


@dataclass(frozen=True, slots=True)
class Cancel:
    """Nobody said yes or no. ``reason`` is one of the names in ``lifecycle.REASONS``.

    Raises ``LocalError`` on another reason.
    """

    reason: str = "dismissed"
    action = "cancel"

    def __post_init__(self) -> None:
        if self.reason not in REASONS:
            raise LocalError(
                f"There is no reason {shown(str(self.reason), 80)!r}.",
                hint=f"Use one of {', '.join(REASONS)}.",
            )


Answer: TypeAlias = Accept | Decline | Cancel


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, as *our* configuration names them.

    ``name`` is the configuration key (or the notebook's own word for ``ask``),
    ``transport`` how it is reached, ``calls_itself`` what it says its name is.
    """

    name: str
    kind: Literal["server", "notebook", "jupyter"] = "server"
    transport: str = ""
    calls_itself: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """The call that a question belongs to.

    ``arguments`` is the JSON text of the call's arguments. ``certainty``: ``caused``
    when the protocol links the two, ``during`` when they only overlap in time (over
    stdio nothing links them), ``none`` when no call of ours was running.
    ``round`` counts a call's rounds of questions from 1, and this is question ``number``
    ``of`` its round; all 0 where the protocol has no rounds.
    """

    tool: str = ""
    arguments: str = ""
    certainty: Certainty = "none"
    round: int = 0
    number: int = 0
    of: int = 0

    def is_beside(self, other: Cause) -> bool:
        """Whether ``other`` is another question of the same round of the same call, as far as can be told."""
        return self.number != other.number and replace(self, number=0) == replace(other, number=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormElicitation:
    """A question in form mode; ``id`` is ours, never the server's.

    ``within``: seconds that its asker waits, ``None`` where nobody says.
    """

    message: str
    schema: RequestedSchema
    asker: Asker
    cause: Cause = field(default_factory=Cause)
    id: str = field(default_factory=mint)
    within: float | None = None
    mode: Mode = field(default="form", init=False)

    def __post_init__(self) -> None:
        _require_message(self.message)


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlElicitation:
    """A question in URL mode. ``elicitation_id`` is the server's, ``""`` where it has none.

    ``own_origins`` are the addresses that the notebook itself is open under. ``report`` is
    what :func:`~jupyter_mcp_elicit.core.examine` says of the address; one that is refused
    raises ``RemoteError(-32602)`` with the reason, so no card can ever hold it.
    """

    message: str
    url: str
    asker: Asker
    elicitation_id: str = ""
    own_origins: tuple[str, ...] = ()
    cause: Cause = field(default_factory=Cause)
    id: str = field(default_factory=mint)
    within: float | None = None
    mode: Mode = field(default="url", init=False)
    report: UrlReport = field(init=False)

    def __post_init__(self) -> None:
        _require_message(self.message)
        from .urls import examine

        report = examine(self.url, self.own_origins)
        if not report.allowed:
            raise RemoteError(f"The address cannot be opened from here: {report.reason}")
        object.__setattr__(self, "report", report)


Elicitation: TypeAlias = FormElicitation | UrlElicitation


def _require_message(message: object) -> None:
    if not isinstance(message, str):
        raise RemoteError("An elicitation needs a message, and it must be text.")
