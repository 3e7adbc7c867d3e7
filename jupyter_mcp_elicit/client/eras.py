"""What differs between the revisions of MCP, in one table; nothing else asks for a version's date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mcp_types import JSONRPCRequest

from ..core.elicitation import Mode
from ..core.wire import HINT_KEY as HINT_KEY

CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"


@dataclass(frozen=True, slots=True)
class Era:
    """``pushes``: the server asks by a request of its own and can be refused with an error;
    else it asks inside a call's result. ``completes``: there is ``notifications/elicitation/complete``.
    """

    version: str
    modes: tuple[Mode, ...]
    pushes: bool
    completes: bool


ERAS: dict[str, Era] = {
    each.version: each
    for each in (
        Era("2025-06-18", modes=("form",), pushes=True, completes=False),
        Era("2025-11-25", modes=("form", "url"), pushes=True, completes=True),
        Era("2026-07-28", modes=("form", "url"), pushes=False, completes=False),
    )
}
_BEFORE = Era("", modes=(), pushes=True, completes=False)

#: Our setting -> the SDK's mode, and the revision to offer instead of the SDK's own (or "").
SETTINGS: dict[str, tuple[str, str]] = {
    "auto": ("auto", ""),
    "legacy": ("legacy", ""),
    "2025-06-18": ("legacy", "2025-06-18"),
    "2025-11-25": ("legacy", ""),
    "2026-07-28": ("2026-07-28", ""),
}

#: What servers say when a tool asks by a request of its own on 2026-07-28, where nothing can carry it.
_NO_BACK_CHANNEL = (
    "no back-channel for server-initiated requests",  # mcp 2
    "via server-initiated requests is unavailable on 2026-07-28",  # fastmcp 4
    "Server-to-client requests are not available on protocol revision 2026-07-28",  # TypeScript 2
)


def era_of(version: str) -> Era:
    """The row of a negotiated revision; one without elicitation for those before 2025-06-18."""
    return ERAS.get(version, _BEFORE)


def hint_for(text: str, server: str) -> str:
    """The way out when ``text`` says that this tool can only ask in the handshake eras, else ``""``."""
    if any(each in text for each in _NO_BACK_CHANNEL):
        return (
            f'Set "era": "legacy" for the server "{server}" in mcp.json, or connect(…, era="legacy") where '
            "it is not configured: this tool can only ask in that era."
        )
    return ""


def with_hint(result: dict[str, Any], server: str) -> dict[str, Any]:
    """A tool's result with our hint in its ``_meta`` where it failed for want of a back channel.

    Ours alone to say: what a server itself puts there would speak with our voice, and is taken out.
    """
    result.get("_meta", {}).pop(HINT_KEY, None)
    if result["isError"]:
        text = " ".join(str(each.get("text", "")) for each in result.get("content", []))
        if hint := hint_for(text, server):
            result["_meta"] = {**result.get("_meta", {}), HINT_KEY: hint}
    return result


def declared(setting: str, modes: Sequence[Mode]) -> tuple[Mode, ...]:
    """Those of the configured ``modes`` that the setting's revision knows: what is declared, and answered."""
    offer = SETTINGS[setting][1]
    return tuple(mode for mode in modes if not offer or mode in ERAS[offer].modes)


def narrowed(request: JSONRPCRequest, modes: Sequence[Mode], offer: str) -> JSONRPCRequest:
    """An outgoing request that declares ``modes`` and offers ``offer`` (a revision, ``""``: the SDK's).

    By itself the SDK always declares every mode and offers its newest revision.
    """
    params = request.params or {}
    if request.method == "initialize":
        if offer:
            params = {**params, "protocolVersion": offer}
        changed = {**params, "capabilities": _declared(params.get("capabilities"), modes)}
    else:
        meta = params.get("_meta")
        if not isinstance(meta, dict) or CAPABILITIES_KEY not in meta:
            return request
        changed = {**params, "_meta": {**meta, CAPABILITIES_KEY: _declared(meta[CAPABILITIES_KEY], modes)}}
    return request.model_copy(update={"params": changed})


def _declared(capabilities: Any, modes: Sequence[Mode]) -> dict[str, Any]:
    others = dict(capabilities) if isinstance(capabilities, dict) else {}
    others.pop("elicitation", None)
    return {**others, "elicitation": {mode: {} for mode in modes}} if modes else others
