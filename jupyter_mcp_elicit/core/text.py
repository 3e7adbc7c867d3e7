"""Foreign text made safe for surfaces that show plain text: terminals, logs, titles, error messages."""

from __future__ import annotations

import unicodedata

#: Marks that may sit on one letter; real scripts need far fewer.
MAX_MARKS = 8

#: Characters that look like nothing although their category says letter, mark or symbol.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\uffa0")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def shown(text: str, limit: int, *, newlines: bool = False) -> str:
    """``text`` as at most ``limit`` characters that hide nothing.

    Control, bidi, invisible, private and unassigned characters become boxes such as
    ``[U+202E]``; marks beyond :data:`MAX_MARKS` on one letter become one box; a cut
    ends in an ellipsis. Line breaks and tabs are kept with ``newlines``, else each
    run of them is one space.
    """
    # Cut before normalising: the cost of NFC is quadratic in a run of marks.
    cut = len(text) > limit
    text = unicodedata.normalize("NFC", text[:limit].replace("\r\n", "\n"))
    if not newlines:
        text = one_line(text)
    pieces: list[str] = []
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me") else 0
        if marks > MAX_MARKS:
            if marks == MAX_MARKS + 1:
                pieces.append("[more marks]")
        elif char in "\n\t" and newlines:
            pieces.append(char)
        else:
            pieces.append(f"[U+{ord(char):04X}]" if _is_hidden(char) else char)
    result = "".join(pieces)
    if cut or len(result) > limit:
        return result[: max(limit - 1, 0)] + "\u2026"
    return result


def one_line(text: str) -> str:
    """``text`` with each run of line breaks and tabs as one space, and nothing else changed."""
    if text.isprintable() or not any(char in text for char in _BREAKS):
        return text
    return " ".join(part for part in text.translate(_TO_LINE_FEED).split("\n") if part)


def quoted(name: str) -> str:
    """A field's name for a sentence: in quotes, at most 80 characters."""
    return f'"{shown(name, 80)}"'


def _is_hidden(char: str) -> bool:
    return char in _BLANK or unicodedata.category(char) in _HIDDEN_CATEGORIES


_BREAKS = "\n\r\t\v\f\x85\u2028\u2029"
_TO_LINE_FEED = dict.fromkeys(map(ord, _BREAKS), "\n")
