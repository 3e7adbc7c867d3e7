"""An address that a server asks to open, at a prompt: text to copy into one's own browser, and no link."""

from __future__ import annotations

from collections.abc import Callable

from ..core.lifecycle import Turn
from ..core.text import shown
from ..core.wire import Json
from .overtime import Overtime
from .presence import kernel
from .prompt import COMMAND, Console
from .questionnaire import introduce

#: An address is shown whole; a longer one than this is refused long before.
_WHOLE = 1_000_000

CONSENT = "Type open to agree, decline to say no, cancel to dismiss: "
WAITING = "Type done when you have finished there, retry to see the address again, cancel to give up: "


class Invitation:
    """Asks what a card in URL mode asks, and then waits for the person to come back.

    ``submit(shape)`` hands the answer over, ``come_back(turn)`` says how the page ended, ``more()``
    asks for more time, as :class:`.Overtime` says; all give the card. Nothing here
    opens anything: who agrees copies the address.
    """

    def __init__(
        self,
        card: Json,
        console: Console,
        submit: Callable[[Json], Json],
        come_back: Callable[[Turn], Json],
        more: Callable[[], Json],
    ) -> None:
        self._card = card
        self._url: Json = card["url"]
        self._console = console
        self._submit = submit
        self._come_back = come_back
        self._overtime = Overtime(console, more)

    def run(self) -> Json:
        """Ask, and wait where the answer is yes; gives the card. The end of the input is a ``cancel``.

        Raises what ``submit`` raises, and what the console raises when it is called off.
        """
        introduce(self._card, self._console)
        self._show()
        action = self._action()
        shape: Json = {"action": action, "typed": True}
        if action == "accept":
            shape["confirmed"] = self._is_dangerous
        card = self._submit(shape)
        return self._wait() if action == "accept" else card

    @property
    def _is_dangerous(self) -> bool:
        return bool(self._url["level"] == "danger")

    @property
    def _site(self) -> str:
        return shown(str(self._url["domain"]), 253)

    def _show(self) -> None:
        say = self._console.say
        say()
        say("It asks you to open this address, in your own browser:")
        say()
        self._say_address()
        say()
        say(f"It leads to the site {self._site}.")
        for warning in self._url["warnings"]:
            say(f"  ! {shown(str(warning), 500)}")

    def _say_address(self) -> None:
        # On a line of its own, unbroken: it is what somebody copies.
        self._console.say(shown(str(self._url["href"]), _WHOLE))

    def _action(self) -> str:
        try:
            while True:
                word = self._word(CONSENT)
                if word == "open" and (not self._is_dangerous or self._agrees_again()):
                    return "accept"
                if word in ("decline", "cancel"):
                    return word
        except EOFError:
            return "cancel"

    def _agrees_again(self) -> bool:
        typed = self._word(f"Read the warnings above. To agree all the same, type the site, {self._site}: ")
        return typed == self._site.lower()

    def _wait(self) -> Json:
        self._console.say(
            f"Open it now. When {shown(self._card['asker']['name'], 80)} says that it is done, "
            "this goes on by itself."
            # Its front end reads on, whatever the kernel says, and prints nothing meanwhile.
            + (" A console shows that when you press Enter." if kernel() is not None else "")
        )
        try:
            while True:
                word = self._word(WAITING)
                if word == "done":
                    return self._come_back(Turn.FINISH)
                if word == "cancel":
                    return self._come_back(Turn.ABANDON)
                if word == "retry":
                    self._say_address()
        except EOFError:
            return self._come_back(Turn.ABANDON)

    def _word(self, prompt: str) -> str:
        return self._overtime.word(prompt).removeprefix(COMMAND)
