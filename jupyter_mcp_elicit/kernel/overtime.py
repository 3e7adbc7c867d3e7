"""The time that a person has at a prompt: said in words, and put off by a command."""

from __future__ import annotations

from collections.abc import Callable

from ..core.errors import LocalError
from ..core.wire import Json
from .prompt import COMMAND, Console

#: The command for more time, as a person types it.
MORE = f"{COMMAND}more"


class Overtime:
    """Asks for more time. ``more()`` gives the card with its new time; it raises ``LocalError``
    with the reason where there is none to give.
    """

    def __init__(self, console: Console, more: Callable[[], Json]) -> None:
        self._console = console
        self._more = more

    def word(self, prompt: str) -> str:
        """One line in small letters, without blanks around it; those that ask for more time are obeyed."""
        while (word := self._console.ask(prompt).strip().lower()) == MORE:
            self.take()
        return word

    def take(self) -> None:
        """Ask for it, and say what came of that."""
        try:
            card = self._more()
        except LocalError as error:
            # A question that is over calls the prompt off by itself.
            self._console.say(f"  {error.message}")
        else:
            self._console.say(f"  {told(card)}")


def told(card: Json, *, offered: bool = True) -> str:
    """The time that is left, empty where there is no deadline; ``offered``: and that there may be more."""
    if card["secondsLeft"] is None:
        return ""
    left = f"Time to answer: {_duration(card['secondsLeft'])}"
    if not card["mayExtend"]:
        return f"{left}, then whoever asks stops waiting."
    return f"{left} ({MORE} gives five minutes more)." if offered else f"{left}."


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes else f"{round(seconds)} s"
