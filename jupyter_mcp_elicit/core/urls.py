"""Whether an MCP server's address may become a link, and what the person should know before the click.

Pure: nothing is fetched and no name is looked up.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeAlias
from urllib.parse import unquote_plus

from .hosts import address, machine, place
from .international import international
from .location import USUAL_PORTS, Location, Reader, authority, best_reader
from .refusals import refusal_of_location, refusal_of_text
from .suffixes import registrable

Level: TypeAlias = Literal["ok", "warn", "danger", "refuse"]


@dataclass(frozen=True, slots=True)
class UrlReport:
    """What to do with an address, and what to say about it.

    ``level``: ``ok``, ``warn`` (say the warnings), ``danger`` (also ask a second time) or ``refuse``
    (no link; ``reason`` is one sentence, everything else is empty). ``ok`` is no praise: it means
    that nothing was noticed.

    ``href`` is the address in canonical form, both to show and to link. ``scheme`` is ``http`` or
    ``https``, ``host`` the browser's ``URL.hostname``, ``unicode_host`` the international name that
    it stands for or ``""``, ``domain`` the registrable domain or the whole host.
    """

    level: Level
    reason: str = ""
    href: str = ""
    scheme: str = ""
    host: str = ""
    unicode_host: str = ""
    domain: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def allowed(self) -> bool:
        """Whether it may be a link."""
        return self.level != "refuse"


def examine(url: object, own_origins: Iterable[str] = ()) -> UrlReport:
    """The report on ``url``, any object at all; never raises.

    ``own_origins`` are the addresses under which the person has the notebook open, such as
    ``http://localhost:8888``; what is no http(s) address among them is no origin of a page, and ignored.
    """
    return examine_by(best_reader(), url, own_origins)


def examine_by(read: Reader, url: object, own_origins: Iterable[str] = ()) -> UrlReport:
    """The same, with a reader of one's choice."""
    if not isinstance(url, str):
        return UrlReport("refuse", "It is not text.")
    reason = refusal_of_text(url)
    if reason:
        return UrlReport("refuse", reason)
    try:
        location = read(url)
    except ValueError as error:
        return UrlReport("refuse", str(error))
    own = _own(read, own_origins)
    reason = refusal_of_location(location, own)
    if reason:
        return UrlReport("refuse", reason)
    return _report(location, _PORT.sub("", authority(url)), own)


def _report(location: Location, written: str, own: Sequence[Location]) -> UrlReport:
    host = location.host
    dangers: list[str] = []
    warnings: list[str] = []
    if any(machine(host) == machine(each.host) for each in own):
        # Cookies do not know ports.
        dangers.append(
            "It leads to the machine that this notebook comes from:"
            " your browser may send your notebook login along."
        )
    if location.scheme == "http" and place(host) != "loopback":
        dangers.append("It is not encrypted (plain http): others on the way can read and change it.")
    name = international(host)
    reads = name.reads if name else ""
    if name:
        dangers += name.faults
    if reads:
        warnings.append(f'Its name is international and reads "{reads}": other letters may look the same.')
    if unicodedata.normalize("NFC", written.lower()) not in (host, reads):
        warnings.append(f"Its host was written in an unusual way; what opens is {host}.")
    if host.endswith("."):
        warnings.append("The name of its host ends in a dot.")
    warnings += _whereabouts(host)
    if location.port != USUAL_PORTS[location.scheme]:
        warnings.append(f"It uses the port {location.port}, not the usual one.")
    names = _credentials(location.href)
    if names:
        warnings.append(f"The address itself carries what looks like a credential ({', '.join(names)}).")
    return UrlReport(
        "danger" if dangers else "warn" if warnings else "ok",
        href=location.href,
        scheme=location.scheme,
        host=host,
        unicode_host=reads,
        domain=registrable(host),
        warnings=(*dangers, *warnings),
    )


def _whereabouts(host: str) -> list[str]:
    where = place(host)
    if where == "loopback":
        return ["It leads to the computer that your browser runs on, not to the internet."]
    if where == "inside":
        return ["It leads into a private network, not to the internet."]
    if address(host) is not None:
        return ["Its host is a number without a name, so nothing tells whose it is."]
    return []


def _own(read: Reader, origins: Iterable[str]) -> list[Location]:
    found: list[Location] = []
    for origin in (origins,) if isinstance(origins, str) else origins:
        with suppress(ValueError, AttributeError, TypeError):
            found.append(read(origin))
    return found


def _credentials(href: str) -> list[str]:
    found: dict[str, None] = {}
    for part in _SEPARATOR.split(href)[1:]:
        name, _, value = part.partition("=")
        name = unquote_plus(name).lower().replace("-", "_")
        if value and name in _SECRET_NAMES:
            found[name] = None
    return list(found)


_PORT = re.compile(r":[0-9]*\Z")
_SEPARATOR = re.compile(r"[?&#;]")
_SECRET_NAMES = frozenset(
    {"access_token", "api_key", "apikey", "auth_token", "client_secret", "id_token"}
    | {"passwd", "password", "pwd", "refresh_token", "secret", "token"}
)
