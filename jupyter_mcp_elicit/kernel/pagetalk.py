"""What a form and its pages say to one another over the widget's comm."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from ..core import wire
from ..core.errors import LocalError
from ..core.lifecycle import Turn
from ..core.preview import preview
from ..core.schema import RequestedSchema
from ..core.submission import NotValid
from ..core.wire import Json
from .draft import from_page
from .link import Refused
from .sighting import SIGHTING
from .ticket import Ticket

if TYPE_CHECKING:
    from .form import ElicitationForm

log = logging.getLogger(__name__)

#: What of a page's answer is taken.
_ANSWER = ("action", "draft", "answerId", "secrets", "confirmed")

#: What a person says who comes back from a page.
TURNS = {"finish": Turn.FINISH, "cancel": Turn.ABANDON}


class PageTalk:
    """Hears ``here``, ``hello``, ``shown``, ``draft``, ``typing`` and, with a ``result`` in reply,
    ``answer``, ``preview``, ``more``, ``flow``; says ``welcome`` and ``fill``.

    ``here``: the script runs; whatever a page says, this kernel's forms are seen.
    ``shown``: tells that a page has painted the question, and gives its card; ``ticket``: what else
    the one who asks can hear of it.
    """

    def __init__(
        self,
        form: ElicitationForm,
        schema: RequestedSchema,
        shown: Callable[[], Json] | None,
        ticket: Ticket | None,
    ) -> None:
        self._form = form
        self._schema = schema
        self._shown = shown
        self._ticket = ticket
        self._replies: dict[str, Callable[[Json], Json]] = {
            "answer": self._answer,
            "preview": self._preview,
            "more": self._more,
            "flow": self._flow,
        }
        self.hearing = False
        form.on_msg(lambda _, said, __: self.hear(said))

    def fill(self, names: Collection[str]) -> None:
        """Show these fields' values in every page that shows the form."""
        # Only what changed: a page may hold newer text in other fields, and secrets that it never tells.
        self._form.send({"type": "fill", "draft": [pair for pair in self._draft() if pair[0] in names]})

    def _draft(self) -> list[list[Any]]:
        return wire.draft_to_page(self._schema, self._form.draft)

    def hear(self, said: Any) -> None:
        """What a page says: a message that is none is left alone."""
        kind = said.get("type") if isinstance(said, dict) else None
        if kind is not None:
            SIGHTING.report()
        if kind in self._replies:
            self._form.send({"type": "result", "answerId": said.get("answerId"), **self._reply(kind, said)})
        elif not self._form.is_open:
            # A draft that was on its way when the answer came must not bring it back.
            return
        elif kind == "hello":
            # No order: by the time it is heard, a person may have typed something newer.
            self._form.send({"type": "welcome", "draft": self._draft()})
        elif kind == "shown" and self._shown is not None:
            self._form.take(self._shown())
        elif kind == "typing" and self._ticket is not None:
            self._form.take(self._ticket.typed())
        elif kind == "draft":
            self._take(from_page(self._schema, said.get("draft")))

    def _take(self, draft: dict[str, Any]) -> None:
        self.hearing = True
        try:
            self._form.fill(draft)
        finally:
            self.hearing = False

    def _answer(self, said: Json) -> Json:
        self._form.put({key: said[key] for key in _ANSWER if key in said})
        return self._card()

    def _preview(self, said: Json) -> Json:
        if not self._form.is_open:
            raise Refused(409, {"message": "This question is over already.", "card": self._form.card})
        return {"content": preview(self._schema, said.get("draft"))}

    def _more(self, said: Json) -> Json:
        if self._ticket is None:
            raise LocalError("This question has no deadline that could be put off.")
        self._form.take(self._ticket.more())
        return self._card()

    def _flow(self, said: Json) -> Json:
        turn = TURNS.get(str(said.get("action")))
        if turn is None or self._ticket is None:
            raise Refused(400, {"message": "The kernel does not know what that means."})
        self._form.take(self._ticket.come_back(turn))
        return self._card()

    def _card(self) -> Json:
        return {"card": self._form.card}

    def _reply(self, kind: str, said: Json) -> Json:
        """What became of it, by HTTP's numbers."""
        try:
            return {"status": 200, **self._replies[kind](said)}
        except NotValid as error:
            problems = [list(each) for each in error.problems.items()]
            return {"status": 422, "message": error.message, "problems": problems}
        except Refused as error:
            return {"status": error.status, "message": error.message, **error.shape}
        except LocalError as error:
            return {"status": 500, "message": str(error)}
        except Exception:
            # A page that gets no reply would wait for ever.
            log.exception("What a page said was not taken.")
            return {"status": 500, "message": "The kernel failed to take it."}
