"""Where an address leads by a browser's rules: scheme, host, port and the address in canonical form.

Two readers, the best that is installed: ``ada_url`` (the WHATWG URL Standard, as browsers
have it) and a plain one for platforms without it, which takes less than browsers do and
never anything else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from ipaddress import IPv4Address
from typing import Final, TypeAlias

#: Scheme -> the port that it has when none is written.
USUAL_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Location:
    """An http or https address. ``host`` is the browser's ``URL.hostname``: ASCII, IPv6 in brackets."""

    scheme: str
    host: str
    port: int
    href: str


#: Reads an address. Raises ``ValueError`` with one sentence for the person.
Reader: TypeAlias = Callable[[str], Location]


@lru_cache(maxsize=1)
def best_reader() -> Reader:
    """The browser's reader where it is installed, else the plain one."""
    try:
        import_module("ada_url")
    except ImportError:
        return plain
    return ada


def ada(text: str) -> Location:
    """As browsers read it."""
    import ada_url

    try:
        url = ada_url.URL(_without_disagreement(text))
    except ValueError:
        raise ValueError("Browsers cannot read it as an address.") from None
    scheme, usual = url.protocol.removesuffix(":"), USUAL_PORTS.get(url.protocol[:-1])
    if usual is None or url.username or url.password:
        raise ValueError("It is not an http or https address of a host alone.")
    if not authority(text).isascii() and not _is_international(url.hostname):
        raise ValueError("Its host is not a valid international name.")
    return Location(scheme, url.hostname, int(url.port or usual), url.href)


def authority(text: str) -> str:
    """Host and port as they were written in an address that has a ``//``."""
    return _END.split(text.partition("//")[2], maxsplit=1)[0]


def plain(text: str) -> Location:
    """As browsers read it, and only where nothing about it could be read in two ways: ASCII, no IPv6."""
    match = _PLAIN.fullmatch(text)
    if match is None or _DOTS.search(match["path"] or ""):
        raise ValueError("It cannot be checked here: ada-url is not installed, so only simple addresses can.")
    scheme, host = match["scheme"].lower(), match["host"].lower()
    labels = host.removesuffix(".").split(".")
    if _NUMBER.fullmatch(labels[-1]) and not _is_dotted_quad(host):
        raise ValueError("Its host looks like a number, and such hosts can be read in more than one way.")
    if any(label.startswith("xn--") and not _is_sound(label) for label in labels):
        raise ValueError("Its host is not a valid international name.")
    usual = USUAL_PORTS[scheme]
    port = int(match["port"] or usual)
    if port > 65535:
        raise ValueError("Its port does not exist.")
    shown_port = "" if port == usual else f":{port}"
    # Browsers escape this one character in a query, and nowhere else.
    query = (match["query"] or "").replace("'", "%27")
    href = f"{scheme}://{host}{shown_port}{match['path'] or '/'}{query}{match['fragment'] or ''}"
    return Location(scheme, host, port, href)


_END = re.compile(r"[/?#]")
_TAIL = re.compile(r"[?#]")
_SAFE = r"A-Za-z0-9\-._~!$&'()*+,;=:@/"
_PLAIN = re.compile(
    r"(?P<scheme>[Hh][Tt][Tt][Pp][Ss]?)://"
    r"(?P<host>[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*\.?)"
    r"(?::(?P<port>[1-9][0-9]{0,4}))?"
    rf"(?P<path>/(?:[{_SAFE}]|%[0-9A-Fa-f]{{2}})*)?"
    rf"(?P<query>\?(?:[{_SAFE}?]|%[0-9A-Fa-f]{{2}})*)?"
    rf"(?P<fragment>\#(?:[{_SAFE}?]|%[0-9A-Fa-f]{{2}})*)?"
)
_DOTS = re.compile(r"/(?:\.|%2[Ee]){1,2}(?:/|\Z)")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")


def _is_dotted_quad(host: str) -> bool:
    try:
        return str(IPv4Address(host)) == host
    except ValueError:
        return False


def _is_sound(label: str) -> bool:
    import idna

    try:
        return idna.encode(idna.decode(label)).decode("ascii") == label
    except UnicodeError:
        return False


def _without_disagreement(text: str) -> str:
    # Whether these are escaped in a path differs by browser and version; escaped ones stay so everywhere.
    path = _TAIL.split(text, maxsplit=1)[0]
    return path.replace("|", "%7C").replace("^", "%5E") + text[len(path) :]


def _is_international(host: str) -> bool:
    # ada-url knows these rules of names for older letters only, and the direction of single labels only.
    import idna

    try:
        labels = [
            label[4:].encode().decode("punycode") if label.startswith("xn--") else label
            for label in host.removesuffix(".").split(".")
        ]
        if any(not label or unicodedata.category(label[0]).startswith("M") for label in labels):
            return False
        directions = {unicodedata.bidirectional(char) for label in labels for char in label}
        # Letters from right to left anywhere bind the whole name.
        return directions.isdisjoint({"R", "AL", "AN"}) or all(
            idna.check_bidi(label, check_ltr=True) for label in labels
        )
    except UnicodeError:
        return False
