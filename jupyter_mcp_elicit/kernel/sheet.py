"""One question in one cell's output: the live form while it is open, a quiet record afterwards."""

from __future__ import annotations

from typing import Any

from ..core.wire import MIME, Json
from ..core.withdrawal import Withdrawal
from . import record
from .desk import Desk, KernelDesk
from .screen import Screen, find_screen


class Sheet:
    """Shows a card in the output of the cell that is running, and keeps it true.

    With ``visible`` off (a script answers) nothing is shown but the record.
    """

    def __init__(
        self,
        card: Json,
        requested_schema: Json | None,
        desk: Desk,
        *,
        visible: bool = True,
        blocking: bool = False,
    ) -> None:
        self.card = card
        self.form: Any = None
        self._schema = requested_schema
        self._desk = desk
        self._visible = visible
        self._screen: Screen = find_screen(blocking=blocking)
        # Only a Jupyter server knows a question by its id; elsewhere the widget is the form.
        self._by_id = {} if isinstance(desk, KernelDesk) else {MIME: {"id": card["id"]}}
        self._view: dict[str, Any] = {}
        self._published: dict[str, Any] = {}

    @property
    def is_open(self) -> bool:
        return self.form is not None and record.is_open(self.card)

    def show(self) -> None:
        """Display the live form: our MIME type, the widget, and words for the file and other front ends."""
        if not record.is_open(self.card):
            self.update(self.card)
            return
        if not self._screen.shows_forms:
            # What becomes of the question will be told.
            return
        self._publish({**self._by_id, **self._widget(), **record.bundle(self.card)})

    def update(self, card: Json) -> None:
        """The question has changed; when it is over, the output becomes the record."""
        self.card = card
        if self.form is not None:
            self.form.take(card)
        if record.is_open(card) or (record.is_flowing(card) and self.form is not None and not self._by_id):
            # The widget itself shows that a page is open, and takes the person's word on its end.
            return
        if self._visible or self._published:
            self._publish({**self._remains(card), **record.bundle(card)})
        self._drop()

    def close(self, why: Withdrawal | None) -> None:
        """The call is over. A form that is still open can no longer be answered from here."""
        if record.is_open(self.card):
            by = "" if why is None else why.value
            outcome = {"action": "cancel", "reason": "withdrawn", "withdrawnBy": by}
            self.update({**self.card, "state": "withdrawn", "outcome": outcome})
        elif record.is_flowing(self.card) and self._by_id and self.form is not None:
            # Nobody tells the widget any more how the page ends; our renderer hears it from the server.
            self.form.close()
            self._view = {}
            self._publish({**self._remains(self.card), **record.bundle(self.card)})
        self._drop()

    def _publish(self, bundle: dict[str, Any]) -> None:
        if bundle == self._published:
            return
        self._published = bundle
        self._screen.publish(bundle, self.form if record.is_open(self.card) else None)

    def _widget(self) -> dict[str, Any]:
        from .form import ElicitationForm

        self.form = ElicitationForm.of_card(self.card, self._schema, self._desk)
        bundle = self.form._repr_mimebundle_()
        data: dict[str, Any] = bundle[0] if isinstance(bundle, tuple) else bundle or {}
        self._view = {key: value for key, value in data.items() if key.startswith("application/")}
        return self._view

    def _remains(self, card: Json) -> dict[str, Any]:
        # Where the person was cut off, the page keeps what they typed, to be copied; an opened
        # address is waited for, and its card shows how that ends even after the call.
        alive = card["state"] in ("withdrawn", "expired") or record.is_flowing(card)
        if not (alive and self._published):
            return {}
        # While the call waits for the page, a page without our renderer has only the widget to end that.
        return {**self._by_id, **(self._view if record.is_flowing(card) else {})}

    def _drop(self) -> None:
        # A widget is kept for ever by its registry unless it is closed, and its draft with it.
        if self.form is not None and not record.is_open(self.card) and not record.is_flowing(self.card):
            self.form.close()
