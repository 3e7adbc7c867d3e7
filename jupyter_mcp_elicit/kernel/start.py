"""Whether a configured server may start from here: a changed entry is asked about once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.confirmation import confirmation
from ..core.elicitation import Accept, Cause
from ..core.errors import LocalError
from .background import Emit
from .desk import KernelDesk

if TYPE_CHECKING:
    from ..client.spec import ServerSpec
    from ..client.trust import TrustStore


class Start:
    """Of one configured server, by the same memory of what was started as the Jupyter server's."""

    def __init__(self, spec: ServerSpec, trust: TrustStore, desk: KernelDesk) -> None:
        self._spec = spec
        self._trust = trust
        self._desk = desk

    async def allow(self, asks: str, emit: Emit) -> None:
        """Returns when it may start. Raises ``LocalError`` when its entry changed and nobody agrees to that.

        ``asks`` is who can be asked: a script answers its server's questions only.
        """
        if self._trust.state(self._spec) != "changed":
            return
        name = self._spec.name
        changes = "\n".join(self._trust.changes(self._spec))
        question = confirmation(
            f'The entry "{name}" has changed since it last started:\n{changes}\nStart it so?',
            Cause(tool=name, certainty="caused"),
        )
        answer = await self._desk.put(question, "nobody" if asks == "script" else asks, emit)
        if not isinstance(answer, Accept):
            raise LocalError(
                f'"{name}" was not started: its entry changed and nobody agreed to the change.',
                hint="Check mcp.json, then agree to it once: in JupyterLab without a script, or at a "
                f"terminal with: jupyter mcp-elicit call {name} TOOL",
            )
        self.record()

    def record(self) -> None:
        """It has started so."""
        self._trust.record(self._spec)
