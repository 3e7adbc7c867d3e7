"""A question asked line by line, for consoles and front ends that show no form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core import secrecy
from ..core.submission import NotValid
from ..core.text import shown
from ..core.wire import Json
from .overtime import Overtime, told
from .prompt import COMMAND, Command, Console, Prompt

HELP = (
    "Enter keeps what stands in [brackets]. Commands: !skip leaves a field out, !back goes back one,\n"
    "!decline says no, !cancel dismisses the question, !help says this again. !! starts text with a !."
)

_ENDS = {"decline": "decline", "cancel": "cancel"}


class Questionnaire:
    """Asks what a card asks. ``submit(shape)`` hands the answer over and gives the card;
    it raises ``NotValid`` with the fields to be asked again. ``more()`` asks for more time, as
    :class:`.Overtime` says.
    """

    def __init__(
        self, card: Json, console: Console, submit: Callable[[Json], Json], more: Callable[[], Json]
    ) -> None:
        self._card = card
        self._console = console
        self._submit = submit
        self._overtime = Overtime(console, more)
        self._kind = kind = str(card["asker"]["kind"])
        self._prompts = [Prompt(each, console, kind) for each in card["fields"]]
        self._names = [str(each["name"]) for each in card["fields"]]
        self._draft: dict[str, Any] = dict(card["draft"])

    def run(self) -> Json:
        """Ask until there is an answer; gives the card. The end of the input is a ``cancel``.

        Raises what ``submit`` raises but ``NotValid``, and what the console raises when it is called off.
        """
        introduce(self._card, self._console)
        if self._names:
            self._console.say(HELP)
        wanted = dict.fromkeys(self._names, "")
        while True:
            action = self._fill(wanted)
            shape: Json = {"action": action, "typed": True}
            if action == "accept":
                shape["draft"] = [[name, self._draft.get(name)] for name in self._names]
                # The words that were typed to send it said so.
                shape["secrets"] = self._holds_secrets
            try:
                return self._submit(shape)
            except NotValid as error:
                wanted = {name: error.problems[name] for name in self._names if name in error.problems}
                for name, problem in error.problems.items():
                    if name not in wanted:
                        self._console.say(f"! {shown(name, 80) + ': ' if name else ''}{problem}")
                if not wanted:
                    wanted = dict.fromkeys(self._names, "")

    def _fill(self, wanted: dict[str, str]) -> str:
        """Ask for the fields of ``wanted`` (name -> problem), then for the last word; gives the action."""
        try:
            self._ask_fields(wanted)
            while True:
                word = self._last_word()
                if word in ("yes", "y"):
                    return "accept"
                if word in ("edit", "e") and self._names:
                    self._ask_fields(dict.fromkeys(self._names, ""))
                elif word == "decline" or (not self._names and word in ("no", "n")):
                    # A no to "Send it?" may only mean "not yet".
                    return "decline"
                elif word == "cancel":
                    return "cancel"
        except Command as command:
            return _ENDS[command.name]
        except EOFError:
            return "cancel"

    def _ask_fields(self, wanted: dict[str, str]) -> None:
        place, names = 0, list(wanted)
        while place < len(names):
            name = names[place]
            prompt = self._prompts[self._names.index(name)]
            try:
                self._draft[name] = prompt.ask(self._draft.get(name), wanted[name])
            except Command as command:
                if command.name in _ENDS:
                    raise
                if command.name == "back":
                    place = max(0, place - 1)
                elif command.name == "more":
                    self._overtime.take()
                else:
                    self._console.say(HELP)
                continue
            place += 1

    def _last_word(self) -> str:
        if not self._names:
            return self._asked("Type yes to agree, no to decline, cancel to dismiss: ")
        self._console.say()
        self._console.say("This will be sent:")
        for name, prompt in zip(self._names, self._prompts, strict=True):
            self._console.say(f"  {prompt.label}: {prompt.told(self._draft.get(name))}")
        if not self._holds_secrets:
            return self._asked("Send it? yes, edit, decline or cancel: ")
        self._console.say(secrecy.review(self._kind))
        word = self._asked("Type send secret to send it all the same, or edit, decline, cancel: ")
        return "yes" if word == "send secret" else "" if word in ("yes", "y") else word

    @property
    def _holds_secrets(self) -> bool:
        return any(each["sensitive"] and self._draft.get(each["name"]) for each in self._card["fields"])

    def _asked(self, prompt: str) -> str:
        return self._overtime.word(prompt).removeprefix(COMMAND)


def introduce(card: Json, console: Console, *, is_typed: bool = True) -> None:
    """Who asks, why, what, and how long there is to answer. ``is_typed``: the answer is, at this prompt."""
    asker, cause = card["asker"], card["cause"]
    during = f" during {shown(cause['tool'], 80)}" if cause["tool"] else ""
    say = console.say
    say()
    say(f"── {shown(asker['name'], 80)} asks{during} {'─' * 20}")
    if asker["callsItself"] and asker["callsItself"] != asker["name"]:
        say(f'It calls itself "{shown(asker["callsItself"], 120)}" ({shown(asker["transport"], 200)}).')
    if card["cause"]["certainty"] == "none" and asker["kind"] == "server":
        say("It was not caused by anything you ran.")
    say(shown(card["message"], 10_000, newlines=True))
    for note in card["notes"]:
        say(f"  {note}")
    if time := told(card, offered=is_typed):
        say(time)
