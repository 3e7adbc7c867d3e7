"""``ElicitationForm``: the form as an ipywidgets DOM widget, to hold, watch, fill in and compose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import anywidget
import traitlets

from ..core.elicitation import Answer
from ..core.errors import LocalError
from ..core.schema import RequestedSchema
from ..core.submission import NotValid, typed_secrets
from ..core.text import shown
from ..core.wire import Json
from . import record
from .desk import KernelDesk
from .draft import draft_of
from .link import Refused
from .marimo import listening
from .pagetalk import PageTalk
from .script import widget_script
from .standalone import Standalone
from .ticket import Ticket

if TYPE_CHECKING:
    from .controls import Controls
    from .desk import Desk


class ElicitationForm(anywidget.AnyWidget):
    """A question as a widget.

    ``ElicitationForm("Book a table?", schema)`` makes one that belongs to this notebook, without
    a schema a plain confirmation; the forms of running calls are in ``server.forms``. Traits,
    all observable:

    - ``message``: the question's text.
    - ``fields``: a tuple of :class:`~jupyter_mcp_elicit.core.Field`.
    - ``draft``: what the form holds, by field name (the table of drafts is in the docs). Set it
      as a whole, or use :meth:`fill`; a change inside the dict is not seen.
    - ``problems``: one sentence per field name, after an answer that did not fit.
    - ``state``: one of the values of :class:`~jupyter_mcp_elicit.core.lifecycle.State`.

    Only ``card``, the question without any answer, is synchronised with the page, so neither
    the repr nor the saved widget state holds what was typed; when the question is over the
    draft is emptied. :meth:`close` it when done: ipywidgets keeps every open widget for ever.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    # A page is told the card; what it says about it is not believed.
    card: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True, from_json=lambda _, form: form.card)
    message = traitlets.Unicode(read_only=True)
    fields = traitlets.Tuple(read_only=True)
    draft: traitlets.Dict[str, Any] = traitlets.Dict()
    problems: traitlets.Dict[str, str] = traitlets.Dict(read_only=True)
    state = traitlets.Unicode("pending", read_only=True)

    _question: Standalone | None = None
    _talk: PageTalk | None = None

    def __init__(
        self, message: str, schema: Mapping[str, Any] | None = None, *, name: str = "This notebook"
    ) -> None:
        """``name`` is what the form says asks. Raises ``RemoteError`` when no form can show the schema."""
        self._question = question = Standalone(message, schema, name)
        self._set_up(question.card, question.schema, question.answer)

    @classmethod
    def of_card(cls, card: Json, requested_schema: Json | None, desk: Desk) -> ElicitationForm:
        """The form of a question that waits at ``desk``; its answer goes there."""
        schema = RequestedSchema.parse(requested_schema or {})
        form = cls.__new__(cls)
        # A Jupyter server hears the rest from its pages themselves.
        ticket = desk.ticket(card["id"]) if isinstance(desk, KernelDesk) else None
        form._set_up(card, schema, lambda shape: desk.answer(card["id"], shape), ticket)
        return form

    def _set_up(
        self,
        card: Json,
        schema: RequestedSchema,
        answer: Callable[[Json], Json],
        ticket: Ticket | None = None,
    ) -> None:
        self._schema = schema
        self._answer_with = answer
        self._controls: WeakSet[Controls] = WeakSet()
        super().__init__(card=card, _esm=widget_script())
        self._own_layout = self.layout  # somebody may put another in its place
        self.set_trait("message", card["message"])
        self.set_trait("fields", schema.fields)
        self.set_trait("state", card["state"])
        self.draft = schema.initial
        shown = None if self._question is None else self._question.shown
        self._talk = PageTalk(self, schema, shown, ticket)

    def __repr__(self) -> str:
        return f"<ElicitationForm {shown(self.message, 80)!r}: {record.sentence(self.card)}>"

    def _repr_mimebundle_(self, **_: Any) -> Any:
        made: Any = super()._repr_mimebundle_()
        view, metadata = made
        return {**view, **record.bundle(self.card)}, metadata

    @property
    def is_open(self) -> bool:
        """Whether it can still be answered."""
        return record.is_open(self.card)

    @property
    def typed_secrets(self) -> list[str]:
        """The names of the fields that ask for a secret and hold something that was typed."""
        return typed_secrets(self._schema, self.draft)

    @property
    def answer(self) -> Answer | None:
        """The answer, once there is one, of a form that was made by this notebook."""
        return None if self._question is None else self._question.given

    async def wait(self) -> Answer:
        """The answer, as soon as there is one. Only for a form that was made by this notebook."""
        if self._question is None:
            raise LocalError("The call that asked gets this answer.", hint="Await the call instead.")
        with listening():
            return await self._question.wait()

    def fill(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> None:
        """Fill in fields, in the page too. ``None`` clears one; numbers may be given as numbers.

        Raises ``LocalError`` on an unknown name, a value that its field cannot hold, a question that is over.
        """
        self.draft = {**self.draft, **(values or {}), **more}

    def check(self) -> dict[str, Any]:
        """What :meth:`submit` would send. Raises :class:`NotValid`, and shows why, when it does not fit."""
        reading = self._schema.read(self.draft)
        self.set_trait("problems", dict(reading.problems))
        if reading.content is None:
            raise NotValid(reading.problems)
        return reading.content

    def submit(self) -> None:
        """Send what the form holds. Raises as :meth:`check`, and ``LocalError`` when it cannot be sent."""
        self.put({"action": "accept", "content": dict(self.draft)})

    def decline(self) -> None:
        """Say no."""
        self.put({"action": "decline"})

    def cancel(self) -> None:
        """Dismiss the question: neither yes nor no."""
        self.put({"action": "cancel"})

    def controls(self) -> Controls:
        """The same form as standard ipywidgets controls, bound to the same draft; closed with this form."""
        from .controls import Controls

        made = Controls(self)
        self._controls.add(made)
        return made

    def hear(self, said: Any) -> None:
        """A message of its page, from any thread."""
        if self._talk is not None:
            self._talk.hear(said)

    def take(self, card: Json) -> None:
        """The question has changed; what it held goes when it is over."""
        self.card = card
        if not self.is_open:
            self.draft = {}
            self.set_trait("problems", {})
        self.set_trait("state", card["state"])

    def close(self) -> None:
        """Forget the draft and leave the registry of widgets. An own question still open is withdrawn."""
        if self.comm is not None:
            if self._question is not None:
                self.take(self._question.withdraw())
            self._talk = None
            self.draft = {}
            for made in list(self._controls):
                made.close()
            self._own_layout.close()
        super().close()

    def put(self, shape: Json) -> None:
        """Give an answer, shaped as pages send it, and show what became of it. Raises as :meth:`submit`."""
        try:
            self.take(self._answer_with(shape))
        except NotValid as error:
            self.set_trait("problems", error.problems)
            raise
        except Refused as error:
            if "card" in error.shape:
                self.take(error.shape["card"])
            raise

    def __del__(self) -> None:
        # Only when it was never finished, or Python shuts down: too late for more.
        super().close()

    @traitlets.validate("draft")
    def _hold(self, proposal: Any) -> dict[str, Any]:
        if proposal["value"] and not self.is_open:
            raise LocalError("The question is over, so there is nothing to fill in.")
        return draft_of(self.fields, proposal["value"])

    @traitlets.observe("draft")
    def _drawn(self, change: Any) -> None:
        if self._talk is None or not self.is_open:
            return
        old, new = change["old"], change["new"]
        changed = [name for name in new if old.get(name) != new[name]]
        if self.problems:
            self.set_trait("problems", {k: v for k, v in self.problems.items() if k not in changed})
        if changed and not self._talk.hearing:
            self._talk.fill(changed)
