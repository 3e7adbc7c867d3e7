"""One field asked at a prompt: what is printed, and what a typed line means for the form's draft."""

from __future__ import annotations

from typing import Any, Protocol

from ..core import secrecy
from ..core.text import shown
from ..core.wire import Json

#: More options than this are not all printed; they can be searched.
LISTED = 40

#: A line that starts with this is for us; a second one in front of it makes it text.
COMMAND = "!"


class Console(Protocol):
    """Where a person reads and types."""

    def say(self, text: str = "") -> None: ...
    def ask(self, prompt: str, *, secret: bool = False) -> str: ...


class Misread(Exception):
    """The line fits no option; ``str()`` of it says what would."""


class Command(Exception):
    """The person typed a command instead of a value. ``name`` is without its mark."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Prompt:
    """Asks for one field, for such an asker. Draft values are those of a page: options by their key."""

    def __init__(self, field: Json, console: Console, asker: str) -> None:
        self._field = field
        self._warning = secrecy.warning(asker)
        self._console = console
        self._options: list[Json] = field["options"]

    @property
    def label(self) -> str:
        return shown(self._field["label"], 120)

    def ask(self, value: Any, problem: str = "") -> Any:
        """The new draft value; an empty line keeps ``value``. Raises :class:`Command`."""
        self._introduce(problem)
        while True:
            line = self._line(value)
            try:
                return self._read(line, value)
            except Misread as error:
                self._console.say(f"  {error}")

    def told(self, value: Any) -> str:
        """``value`` as the review shows it."""
        if value is None or value == "":
            return "(not answered)" if value is None else "(empty)"
        if self._field["sensitive"]:
            return "•" * 8
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, list):
            return ", ".join(self._name(key) for key in value) or "(none of them)"
        return self._name(value) if self._options else shown(str(value), 500, newlines=True)

    def _introduce(self, problem: str) -> None:
        say, field = self._console.say, self._field
        say()
        say(f"{self.label}{' (required)' if field['required'] else ''}")
        for text in (field["help"], field["hint"], field["note"]):
            if text:
                say(f"  {shown(text, 2000, newlines=True)}")
        if field["sensitive"]:
            say(f"  {self._warning} What you type is not shown.")
        self._list(self._options)
        if problem:
            say(f"  ! {problem}")

    def _line(self, value: Any) -> str:
        kept = "" if value is None else f" [{self.told(value)}]"
        how = {"boolean": " y/n", "choices": " numbers, or 0 for none"}.get(self._field["kind"], "")
        return self._console.ask(f"{self.label}{how}{kept}: ", secret=self._field["sensitive"])

    def _read(self, line: str, value: Any) -> Any:
        text = line.strip()
        if text.startswith(COMMAND) and not text.startswith(COMMAND * 2):
            name = text[1:].strip().lower()
            if name == "skip":
                return None
            if name == "lines" and self._field["multiline"]:
                return self._lines()
            raise Command(name)
        if not line:
            return value
        if text.startswith(COMMAND):
            line = line.replace(COMMAND * 2, COMMAND, 1)
        kind = self._field["kind"]
        if kind == "boolean":
            return self._truth(text)
        if kind == "choice":
            return self._key(text)
        if kind == "choices":
            return [] if text == "0" else [self._key(each) for each in text.replace(",", " ").split()]
        return line

    def _lines(self) -> str:
        self._console.say("  Several lines; a line with a single dot ends them.")
        typed: list[str] = []
        while (line := self._console.ask("  ")) != ".":
            typed.append(line)
        return "\n".join(typed)

    def _truth(self, text: str) -> bool:
        if text.lower() in ("y", "yes", "true"):
            return True
        if text.lower() in ("n", "no", "false"):
            return False
        raise Misread("Type y or n.")

    def _key(self, text: str) -> str:
        if text.startswith("/"):
            self._list(self._matching(text[1:]))
            raise Misread("Type the number of an option.")
        if text.isascii() and text.isdigit() and 0 < int(text) <= len(self._options):
            return str(self._options[int(text) - 1]["key"])
        alike = [each for each in self._options if text in (each["label"], each["value"])]
        if len(alike) == 1:
            return str(alike[0]["key"])
        raise Misread(f"Type a number from 1 to {len(self._options)}, or /text to search.")

    def _matching(self, text: str) -> list[Json]:
        wanted = text.strip().casefold()
        return [each for each in self._options if wanted in each["label"].casefold()]

    def _list(self, options: list[Json]) -> None:
        for each in options[:LISTED]:
            self._console.say(f"  {self._options.index(each) + 1:>3}  {_option(each)}")
        if len(options) > LISTED:
            self._console.say(f"  … and {len(options) - LISTED} more: type /text to search them.")

    def _name(self, key: Any) -> str:
        return next((_option(each) for each in self._options if each["key"] == key), shown(str(key), 80))


def _option(option: Json) -> str:
    value = f" ({shown(option['value'], 80)})" if option["value"] else ""
    return shown(option["label"], 200) + value
