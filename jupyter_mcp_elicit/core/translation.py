"""ECMA-262 expressions in the words that ``re`` and RE2 share, with a bound on what a search costs."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SPACE = r"\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def _spelt(classes: str) -> str:
    """A class's inside with its characters themselves: RE2 knows no ``\\u``."""
    return re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), classes)


#: Classes as ECMA-262 means them; the inside of a bracket expression, or "" where none can say it.
_CLASSES = {
    "d": "0-9",
    "w": "A-Za-z0-9_",
    "s": _spelt(_SPACE),
}
_CONTROLS = {"t": r"\t", "n": r"\n", "r": r"\r", "f": r"\f", "v": r"\x0b", "0": r"\x00"}
_SYNTAX = frozenset("^$\\.*+?()[]{}|/-")
_COUNT = re.compile(r"\{([0-9]{1,3})(,([0-9]{0,3}))?\}")
_HEX = re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}")


class Untranslatable(Exception):
    """An expression that the two engines cannot say, or not surely the same way; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Translation:
    """``text`` for ``re`` and RE2. Where ``bounded``, a search takes at most ``cost`` steps."""

    text: str
    bounded: bool
    anchored: bool
    loops: int
    factor: int

    def cost(self, length: int) -> int:
        """An upper bound of the steps that a backtracking search takes."""
        starts = 1 if self.anchored else length + 1
        return int(starts * max(length, 1) ** self.loops * self.factor)


def translated(source: str, end: str = r"\Z") -> Translation:
    """The translation of ``source``, or :class:`Untranslatable`. ``end`` is the engine's word for the end."""
    reader = _Reader(source, end)
    text = reader.alternatives(0)
    if reader.at < len(source):
        raise Untranslatable("it closes a group that it did not open")
    anchored = source.startswith("^") and not reader.splits_on_top
    return Translation(text, reader.bounded, anchored, reader.loops, reader.factor)


class _Reader:
    """Reads an expression from left to right; ``at`` is the next character."""

    def __init__(self, source: str, end: str) -> None:
        self.source = source
        self.end = end
        self.at = 0
        self.bounded = True
        self.splits_on_top = False
        self.loops = 0
        self.factor = 1 + len(source)

    def alternatives(self, depth: int) -> str:
        if depth > 20:
            raise Untranslatable("its groups are nested too deep")
        branches = [self._sequence(depth)]
        while self._peek() == "|":
            self.at += 1
            branches.append(self._sequence(depth))
        if len(branches) > 1:
            self.factor *= len(branches)
            self.splits_on_top = self.splits_on_top or depth == 0
        return "|".join(branches)

    def _sequence(self, depth: int) -> str:
        parts: list[str] = []
        while self._peek() not in ("", "|", ")"):
            before = (self.loops, self.factor)
            atom, fixed = self._atom(depth)
            varies = (self.loops, self.factor) != before
            parts.append(atom + self._quantifier(varies, fixed))
        return "".join(parts)

    def _quantifier(self, varies: bool, fixed: bool) -> str:
        char = self._peek()
        if char and char in "*+?":
            self.at += 1
            least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[char]
            text = char
        elif char == "{":
            match = _COUNT.match(self.source, self.at)
            if match is None:
                raise Untranslatable("it has a brace that counts nothing")
            self.at = match.end()
            text = match[0]
            least = int(match[1])
            most = least if match[2] is None else int(match[3]) if match[3] else None
            if most is not None and most < least:
                raise Untranslatable("it counts backwards")
        else:
            return ""
        if fixed:
            raise Untranslatable("it repeats what has no length")
        if varies and most != 1:
            # A repeated choice is what makes a backtracking search explode.
            self.bounded = False
        if most is None:
            self.loops += 1
        else:
            self.factor *= most - least + 1
            self.factor += most
        if self._peek() == "?":
            self.at += 1
            text += "?"
        if self._peek() and self._peek() in "*+?{":
            raise Untranslatable("it repeats a repetition")
        return text

    def _atom(self, depth: int) -> tuple[str, bool]:
        """The next atom, and whether it has no length."""
        char = self._next()
        if char == "(":
            return self._group(depth), False
        if char == "[":
            return self._bracket(), False
        if char == "\\":
            return self._escape()
        if char == "^":
            return r"\A", True
        if char == "$":
            return self.end, True
        if char == ".":
            return "[^\n\r\u2028\u2029]", False
        if char in "*+?{}]":
            raise Untranslatable("it repeats nothing")
        return re.escape(char), False

    def _group(self, depth: int) -> str:
        if self._peek() == "?":
            self.at += 1
            if self._next() != ":":
                raise Untranslatable("it looks around, or names a group")
        inside = self.alternatives(depth + 1)
        if self._next() != ")":
            raise Untranslatable("it leaves a group open")
        return f"(?:{inside})"

    def _bracket(self) -> str:
        negated = self._peek() == "^"
        if negated:
            self.at += 1
        parts: list[str] = []
        while (char := self._next()) != "]":
            if char == "\\":
                char = self._escape_in_bracket()
            elif char == "-":
                char = "-" if self._is_range(parts) else r"\-"
            elif char in "[&|~":
                char = "\\" + char
            parts.append(char)
        inside = "".join(parts)
        if not inside:
            raise Untranslatable("it has an empty class")
        return f"[{'^' if negated else ''}{inside}]"

    def _is_range(self, parts: list[str]) -> bool:
        return bool(parts) and self._peek() != "]" and len(parts[-1]) <= 2 and parts[-1] != "-"

    def _escape_in_bracket(self) -> str:
        char = self._next()
        if char in _CLASSES:
            return _CLASSES[char]
        if char == "b":
            return r"\x08"
        return self._character(char)

    def _escape(self) -> tuple[str, bool]:
        char = self._next()
        if char in _CLASSES:
            return f"[{_CLASSES[char]}]", False
        if char.lower() in _CLASSES:
            return f"[^{_CLASSES[char.lower()]}]", False
        if char in "bB":
            # RE2 and re.ASCII agree on it, but only the flag makes re do so.
            raise Untranslatable("it asks for the edge of a word")
        return self._character(char), False

    def _character(self, char: str) -> str:
        if char == "0" and self._peek().isdigit():
            raise Untranslatable("it counts in octal")
        if char in _CONTROLS:
            return _CONTROLS[char]
        match = _HEX.match(self.source, self.at - 1)
        if match is not None:
            code = int(match[1] or match[2] or match[3], 16)
            if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
                raise Untranslatable("it names half a character")
            self.at = match.end()
            return re.escape(chr(code))
        if char in _SYNTAX:
            return "\\" + char
        raise Untranslatable(f"it has an escape that is not translated: {char}")

    def _peek(self) -> str:
        return self.source[self.at : self.at + 1]

    def _next(self) -> str:
        char = self._peek()
        if not char:
            raise Untranslatable("it ends too early")
        self.at += 1
        return char
