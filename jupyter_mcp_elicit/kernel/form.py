"""``ElicitationForm``: the form as an ipywidgets DOM widget, to hold, watch, fill in and compose."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from ..core import wire
from ..core.elicitation import Answer
from ..core.errors import LocalError
from ..core.schema import RequestedSchema
from ..core.submission import NotValid
from ..core.wire import Json
from .link import Refused
from .standalone import Standalone

if TYPE_CHECKING:
    from .controls import Controls
    from .desk import Desk

_SCRIPT = Path(__file__).parent.parent / "static" / "widget.js"


class ElicitationForm(anywidget.AnyWidget):
    """A question as a widget.

    ``ElicitationForm("Book a table?", schema)`` makes one that belongs to this notebook;
    the forms of running calls are in ``server.forms``. Traits, all readable and observable:

    - ``message``: the question's text.
    - ``fields``: a tuple of :class:`~jupyter_mcp_elicit.core.Field`.
    - ``draft``: what the form holds, by field name (the table of drafts is in the docs).
    - ``problems``: one sentence per field name, after an answer that did not fit.
    - ``state``: ``pending``, ``shown``, ``accepted``, ``declined``, ``dismissed``, ``expired`` or
      ``withdrawn``.

    Only ``card``, the question without any answer, is synchronised with the page, so neither
    the repr nor the saved widget state holds what was typed.
    """

    _esm = _SCRIPT

    card: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    message = traitlets.Unicode()
    fields = traitlets.Tuple()
    draft: traitlets.Dict[str, Any] = traitlets.Dict()
    problems: traitlets.Dict[str, str] = traitlets.Dict()
    state = traitlets.Unicode("pending")

    def __init__(self, message: str, schema: Mapping[str, Any], *, name: str = "This notebook") -> None:
        question = Standalone(message, schema, name)
        self._set_up(question.card, question.schema, question.answer)
        self._question: Standalone | None = question

    @classmethod
    def of_card(cls, card: Json, requested_schema: Json | None, desk: Desk) -> ElicitationForm:
        """The form of a question that waits at ``desk``; its answer goes there."""
        form = cls.__new__(cls)
        schema = RequestedSchema.parse(requested_schema or {})
        form._set_up(card, schema, lambda shape: desk.answer(card["id"], shape))
        form._question = None
        return form

    def _set_up(self, card: Json, schema: RequestedSchema, answer: Callable[[Json], Json]) -> None:
        self._schema = schema
        self._answer_with = answer
        self._from_page = False
        super().__init__(
            card=card,
            message=card["message"],
            fields=schema.fields,
            draft=schema.initial,
            state=card["state"],
        )
        self.on_msg(self._heard)

    __repr__ = object.__repr__

    @property
    def answer(self) -> Answer | None:
        """The answer, once there is one, of a form that was made by this notebook."""
        return None if self._question is None else self._question.given

    async def wait(self) -> Answer:
        """The answer, as soon as there is one. Only for a form that was made by this notebook."""
        if self._question is None:
            raise LocalError("The call that asked gets this answer.", hint="Await the call instead.")
        done = asyncio.Event()
        loop = asyncio.get_running_loop()

        def look(_: object) -> None:
            loop.call_soon_threadsafe(done.set)

        self.observe(look, "state")
        try:
            while self._question.given is None:
                await done.wait()
                done.clear()
        finally:
            self.unobserve(look, "state")
        return self._question.given

    def fill(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> None:
        """Fill in fields, in the page too. ``None`` clears one. Raises ``LocalError`` on an unknown name."""
        given = {**(values or {}), **more}
        known = {field.name for field in self.fields}
        for name in given:
            if name not in known:
                raise LocalError(
                    f'The form has no field "{name}".', hint=f"It has: {', '.join(sorted(known))}."
                )
        self.draft = {**self.draft, **given}

    def submit(self) -> None:
        """Send what the form holds. Raises :class:`NotValid`, and shows why, when it does not fit."""
        reading = self._schema.read(self.draft)
        if reading.content is None:
            self.problems = dict(reading.problems)
            raise NotValid(reading.problems)
        given = {name: self.draft.get(name) for name in self._schema.initial}
        self._put({"action": "accept", "content": given})

    def decline(self) -> None:
        """Say no."""
        self._put({"action": "decline"})

    def cancel(self) -> None:
        """Dismiss the question: neither yes nor no."""
        self._put({"action": "cancel"})

    def controls(self) -> Controls:
        """The same form as standard ipywidgets controls, bound to the same draft."""
        from .controls import Controls

        return Controls(self)

    def take(self, card: Json) -> None:
        """The question has changed."""
        self.card = card
        self.state = card["state"]
        if card["outcome"] is not None:
            self.draft = {}
            self.problems = {}

    def close(self) -> None:
        """Forget the draft and leave the registry of widgets."""
        self._from_page = True
        self.draft = {}
        super().close()

    @traitlets.observe("draft")
    def _drawn(self, change: Any) -> None:
        if not self._from_page and getattr(self, "comm", None) is not None and change["new"]:
            self.send({"type": "fill", "draft": wire.draft_to_page(self._schema, self.draft)})

    def _put(self, shape: Json) -> None:
        try:
            self.take(self._answer_with(shape))
        except NotValid as error:
            self.problems = error.problems
            raise

    def _heard(self, _: object, said: Any, __: object) -> None:
        kind = said.get("type") if isinstance(said, dict) else None
        if kind == "hello":
            self.send({"type": "fill", "draft": wire.draft_to_page(self._schema, self.draft)})
        elif kind == "draft":
            self._from_page = True
            try:
                self.draft = {**self.draft, **wire.draft_from_page(self._schema, said.get("draft"))}
            finally:
                self._from_page = False
        elif kind == "answer":
            self.send({"type": "result", "answerId": said.get("answerId"), **self._reply(said)})

    def _reply(self, said: Json) -> Json:
        shape: Json = {key: said[key] for key in ("action", "draft", "answerId") if key in said}
        try:
            self.take(self._answer_with(shape))
        except NotValid as error:
            self.problems = error.problems
            return {
                "status": 422,
                "message": error.message,
                "problems": list(map(list, error.problems.items())),
            }
        except Refused as error:
            return {"status": error.status, "message": error.message, **error.shape}
        except LocalError as error:
            return {"status": 500, "message": str(error)}
        return {"status": 200, "card": self.card}
