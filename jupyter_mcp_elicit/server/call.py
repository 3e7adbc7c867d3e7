"""A running call: what its caller is told, and the route that its questions take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from ..broker import Broker
from ..core import wire
from ..core.elicitation import FormElicitation
from ..core.question import Question

#: Who can be asked during a call: a person at a page, the kernel's script, or nobody.
Asks = Literal["page", "script", "nobody"]

#: What a call is about; ``list`` names what is listed.
Kind = Literal["tool", "prompt", "resource", "list"]
KINDS: tuple[Kind, ...] = ("tool", "prompt", "resource", "list")
LISTS = ("tools", "prompts", "resources")

#: How many sentences one call may put before its caller.
NOTICES = 32

Emit = Callable[[wire.Json], None]


@dataclass(eq=False, slots=True)
class Call:
    """A running call: the route that its questions take. ``emit`` sends one line to the caller.

    ``labextension``: a page with our extension is open, or was lately, and shows what is asked.
    """

    emit: Emit
    asks: Asks = "page"
    labextension: bool = False
    _known: set[str] = field(default_factory=set)
    _noticed: set[str] = field(default_factory=set)

    def present(self, broker: Broker, question: Question) -> None:
        """Tell the caller of its own questions, and of those that belong to no call."""
        if question.id not in self._known:
            if not question.is_open or broker.route_of(question) not in (self, None):
                return
            self._known.add(question.id)
            asked = question.elicitation
            schema = asked.schema.source if isinstance(asked, FormElicitation) else {}
            told = {"card": broker.card(question), "requestedSchema": schema}
            self.emit({"type": "elicit", **told, "labextension": self.labextension})
        else:
            self.emit({"type": "update", "card": broker.card(question)})

    def notice(self, text: str) -> None:
        """One sentence for the person, once; a server that gives cause without end gets no more of them."""
        if text not in self._noticed and len(self._noticed) < NOTICES:
            self._noticed.add(text)
            self.emit({"type": "notice", "text": text})
