"""A tool that can only ask in the handshake eras: at the person's word, reconnect there and call again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from ..core.confirmation import confirmation
from ..core.elicitation import Accept, Answer, Cause, Elicitation
from ..core.errors import RemoteError
from ..core.text import quoted
from ..core.wire import HINT_KEY, Json

if TYPE_CHECKING:
    from ..client.config import ServerSpec
    from ..client.trust import TrustStore


class Detour:
    """Of one call. ``ask`` asks the person on the page where the call runs."""

    def __init__(self, spec: ServerSpec, trust: TrustStore, ask: Callable[[Elicitation], Awaitable[Answer]]):
        self._spec = spec
        self._trust = trust
        self._ask = ask

    async def agreed(self, name: str, end: Json | RemoteError) -> bool:
        """Whether to call again: ``end`` is for want of a way to ask, and a person wants it so.

        That is remembered then; the next connection of the server is in the handshake era.
        """
        if not self._is_trapped(end) or self._trust.in_era(self._spec).era != "auto":
            return False
        question = confirmation(
            f"{quoted(name)} of {quoted(self._spec.name)} wanted to ask something, and has no way to "
            "ask in the newest revision of MCP, so it failed. Reconnect in an older one, where it can, and "
            "call it again?\n"
            "What it did before it wanted to ask may be done a second time. Other calls that run on this "
            f"connection end. Jupyter remembers this for {quoted(self._spec.name)} until its entry changes.",
            Cause(name, certainty="caused"),
        )
        if not isinstance(await self._ask(question), Accept):
            return False
        self._trust.record_era(self._spec, "legacy")
        return True

    def _is_trapped(self, end: Json | RemoteError) -> bool:
        if not isinstance(end, RemoteError):
            # Ours alone: what a server itself puts there is taken out.
            return HINT_KEY in end.get("_meta", {})
        from ..client.eras import hint_for

        return bool(hint_for(end.message, self._spec.name))
