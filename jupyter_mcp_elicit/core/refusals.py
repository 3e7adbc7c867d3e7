"""Why an address must never become a link: one sentence for the person, or ``""``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from .hosts import address, machine, without_dot
from .location import USUAL_PORTS, Location, authority

MAX_LENGTH: Final = 16_384
#: Characters of a host as written: international names may be longer than the 253 that they stand for.
MAX_HOST: Final = 1024


def refusal_of_text(text: str) -> str:
    """What is wrong with the address as it was written, before anything reads it."""
    if not text:
        return "It is empty."
    if len(text) > MAX_LENGTH:
        return f"It is longer than {MAX_LENGTH} characters."
    if _BLANK.search(text) or (not text.isascii() and any(map(_is_hidden, text))):
        return "It has blanks, control characters or characters that cannot be seen."
    if "\\" in text:
        return "It has a backslash, which programs read in different ways."
    if not _START.match(text):
        return "It does not start with https:// or http:// and the name of a host."
    host = authority(text)
    if "@" in host:
        return "It has a user name before its host, as addresses made to deceive do."
    # A combining mark can turn such a character into one that is allowed, or into another host.
    if _FORBIDDEN.search(host):
        return "The name of its host has a character that does not belong there."
    if len(host) > MAX_HOST:
        return "The name of its host is too long."
    return ""


def refusal_of_location(location: Location, own: Sequence[Location]) -> str:
    """What is wrong with where it leads; ``own`` are the addresses of this notebook."""
    name = without_dot(location.host)
    if address(name) is None:
        if len(name) > 253:
            return "The name of its host is too long."
        if not all(_LABEL.fullmatch(label) for label in name.split(".")):
            return "The name of its host is not a valid one."
    if location.port == 0:
        return "Its port does not exist."
    if any(_is_served_by(location, each) for each in own):
        return "It leads to this notebook's own server, where it could act with your login."
    return ""


def _is_served_by(location: Location, own: Location) -> bool:
    # A server that has one usual port open leads to the other: http://hub goes on to https://hub.
    same_door = location.port == own.port or {location.port, own.port} == set(USUAL_PORTS.values())
    return same_door and machine(location.host) == machine(own.host)


def _is_hidden(char: str) -> bool:
    return char in _IGNORABLE or unicodedata.category(char) in _HIDDEN_CATEGORIES


_START = re.compile(r"[Hh][Tt][Tt][Pp][Ss]?://[^/?#\\]")
_BLANK = re.compile(r"[\x00-\x20\x7f]")
_FORBIDDEN = re.compile(r"[^A-Za-z0-9._:\[\]\x80-\U0010ffff-]")
_LABEL = re.compile(r"[a-z0-9_-]{1,63}")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
#: Drawn as nothing, or dropped from a host without a word, although their category says letter or mark.
_IGNORABLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0").union(
    map(chr, range(0x180B, 0x1810)), map(chr, range(0xFE00, 0xFE10)), map(chr, range(0xE0100, 0xE01F0))
)
