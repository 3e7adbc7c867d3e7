"""The questions of one call asked at a prompt: each ends with its answer, or once nobody waits for it."""

from __future__ import annotations

from ..core.text import shown
from ..core.wire import Json
from . import record
from .desk import Desk, KernelDesk
from .invitation import Invitation
from .lines import CalledOff, Lines
from .link import Refused
from .presence import kernel
from .questionnaire import Questionnaire, introduce


class Typist:
    """Asks on behalf of ``desk``. One that types can be called off by what :meth:`hear` is told meanwhile."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lines: dict[str, Lines] = {}

    def hear(self, event: Json) -> None:
        """What happens while a line is being typed; called as soon as the event is there, in any thread."""
        kind = event.get("type")
        if kind == "elicit":
            self._lines[event["card"]["id"]] = Lines()
        elif kind == "update":
            lines = self._lines.get(event["card"]["id"])
            if lines is not None and not _is_alive(event["card"]):
                lines.call_off(record.sentence(event["card"]))
        elif kind in ("result", "answer", "error"):
            for lines in self._lines.values():
                lines.call_off("Nobody waits for this answer any more.")

    def ask(self, card: Json) -> Json | None:
        """The card as it is then; ``None`` where somebody else was first, or nobody waits any more.

        Only for a question that was heard of. Raises ``KeyboardInterrupt``.
        """
        lines = self._lines[card["id"]]
        if kernel() is not None and card["fields"]:
            lines.say("What you type at a prompt becomes part of this output, and is saved where it is.")
        try:
            return self._asked(lines, card)
        except CalledOff:
            # Why, the record below it will say.
            lines.say()
        except Refused as error:
            # Somebody else was first, or its time was up while the last word was typed.
            lines.say(error.message)
        return None

    def _asked(self, lines: Lines, card: Json) -> Json:
        def submit(shape: Json) -> Json:
            return desk.answer(card["id"], shape)

        def more() -> Json:
            return desk.more(card["id"])

        desk = self._desk
        if card["mode"] != "url":
            return Questionnaire(card, lines, submit, more).run()
        if isinstance(desk, KernelDesk):
            return Invitation(card, lines, submit, desk.ticket(card["id"]).come_back, more).run()
        introduce(card, lines, is_typed=False)
        lines.say(
            f"It asks you to open an address of {shown(card['url']['domain'], 253)}. Only a page of this "
            'Jupyter server can show it and take your answer: its panel "Questions".'
        )
        return card


def _is_alive(card: Json) -> bool:
    return record.is_open(card) or record.is_flowing(card)
