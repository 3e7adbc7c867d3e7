"""How an international host name reads, and what about it is made to deceive."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

from .text import shown

#: First words of character names that do not name the script, and the script.
_SCRIPTS: Final = {
    "CJK": "Han",
    "HENTAIGANA": "Hiragana",
    "IDEOGRAPHIC": "Han",
    "KATAKANA-HIRAGANA": "Katakana",
    "MASU": "Katakana",
}
#: Chinese, Japanese and Korean names mix these, and Latin letters with them.
_TOGETHER: Final = frozenset({"Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"})


@dataclass(frozen=True, slots=True)
class International:
    """``reads`` is the name in its own letters, nothing hidden, or ``""`` when none can be read.

    ``faults`` has one sentence for each thing that no honest name has.
    """

    reads: str
    faults: tuple[str, ...]


def international(name: str) -> International | None:
    """What an ASCII host name with ``xn--`` in it stands for; ``None`` when it has none."""
    labels = name.split(".")
    if not any(label.startswith("xn--") for label in labels):
        return None
    faults: list[str] = []
    for at, label in enumerate(labels):
        if label.startswith("xn--"):
            letters = _decoded(label)
            if letters is None:
                faults.append("A part of its name is no valid international name.")
                continue
            labels[at] = letters
            scripts = _scripts(letters)
            if len(scripts) > 1 and not (_TOGETHER & scripts and scripts <= _TOGETHER | {"Latin"}):
                faults.append(f"Its name mixes {_listed(scripts)} letters, as names made to deceive do.")
    reads = ".".join(labels)
    return International("" if reads == name else shown(reads, 1024), tuple(dict.fromkeys(faults)))


def _decoded(label: str) -> str | None:
    import idna

    try:
        return idna.decode(label)
    except UnicodeError:
        return None


def _scripts(letters: str) -> frozenset[str]:
    words = (unicodedata.name(char, "UNKNOWN").split()[0] for char in letters if char.isalpha())
    return frozenset(_SCRIPTS.get(word, word.capitalize()) for word in words)


def _listed(scripts: frozenset[str]) -> str:
    *others, last = sorted(scripts)
    return f"{', '.join(others)} and {last}"
