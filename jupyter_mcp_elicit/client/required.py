"""``-32042``: the addresses that must be opened before a call can go on."""

from __future__ import annotations

from typing import Any

from ..core.confirmation import confirmation
from ..core.elicitation import Asker, Cause, FormElicitation, UrlElicitation
from ..core.errors import RemoteError

#: More than this in one error is no list for a person.
MOST = 16


def read(
    data: Any, asker: Asker, cause: Cause, own_origins: tuple[str, ...]
) -> tuple[list[UrlElicitation], list[str]]:
    """The questions in the error's data, and a sentence for each entry that cannot be shown."""
    listed = data.get("elicitations") if isinstance(data, dict) else None
    if not isinstance(listed, list) or not listed:
        return [], ["The server says that an address must be opened, and names none."]
    found: list[UrlElicitation] = []
    issues: list[str] = []
    for place, entry in enumerate(listed[:MOST], 1):
        try:
            found.append(_question(entry, asker, cause, own_origins))
        except RemoteError as error:
            issues.append(
                f"Entry {place} of the addresses that the server lists was left out. {error.message}"
            )
    if len(listed) > MOST:
        issues.append(f"The server lists {len(listed)} addresses; only the first {MOST} are shown.")
    return found, issues


def reminder(asked: UrlElicitation) -> FormElicitation:
    """The same address once more: the server still waits, and whoever opened it says when to go on."""
    return confirmation(
        f'"{asked.asker.name}" still waits for what you opened at {asked.report.domain}. Call it again now?',
        asked.cause,
    )


def _question(entry: Any, asker: Asker, cause: Cause, own_origins: tuple[str, ...]) -> UrlElicitation:
    if not isinstance(entry, dict):
        raise RemoteError("It is no object.")
    if entry.get("mode", "url") != "url":
        raise RemoteError("It is not in URL mode.")
    elicitation_id = entry.get("elicitationId", "")
    return UrlElicitation(
        message=entry.get("message", ""),
        url=entry.get("url", ""),
        asker=asker,
        elicitation_id=elicitation_id if isinstance(elicitation_id, str) else "",
        own_origins=own_origins,
        cause=cause,
    )
