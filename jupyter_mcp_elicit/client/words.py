"""What our chrome says about a server's transport: short, one line, without secrets."""

from __future__ import annotations

import re
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from .spec import ServerSpec

MAX_WORDS = 60
MASK = "***"

_SECRET_OPTION = re.compile(
    r"(?:^|[-_])(?:token|secret|password|passwd|pwd|key|apikey|auth|credential|bearer|pat)s?$", re.IGNORECASE
)
_SECRET_VALUE = re.compile(
    r"(?:sk|ghp|gho|github_pat|xox[abp]|glpat|hf|AKIA|eyJ)[-_A-Za-z0-9]{12,}|[A-Za-z0-9+/_=-]{32,}"
)
_URL = re.compile(r"(?i)^[a-z][a-z0-9+.-]*://")


def transport_words(spec: ServerSpec) -> str:
    """``stdio: python -m bistro`` or ``http: host:port``, at most 60 characters."""
    if spec.url:
        return f"http: {host(spec.url)}"
    return _short(" ".join([f"stdio: {_bare(spec.command)}", *mask(spec.args)]))


def host(url: str) -> str:
    """The host and port of a URL; never its user info, path or query."""
    netloc = urlsplit(url).netloc.rpartition("@")[2]
    return _short(netloc or url)


def shown_url(url: str) -> str:
    """The URL without user info, and with a query replaced by ``***``."""
    parts = urlsplit(url)
    address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    return address + (f"?{MASK}" if parts.query else "")


def mask(args: tuple[str, ...]) -> list[str]:
    """The arguments with what looks like a secret replaced by ``***``."""
    shown: list[str] = []
    hide_next = False
    for each in args:
        name, equals, value = each.partition("=")
        is_secret = bool(_SECRET_OPTION.search(name.lstrip("-")))
        if hide_next and not each.startswith("-"):
            shown.append(MASK)
        elif equals and (is_secret or _SECRET_VALUE.search(value)):
            shown.append(f"{name}={MASK}")
        elif _URL.match(each):
            shown.append(shown_url(each))
        elif _SECRET_VALUE.fullmatch(each):
            shown.append(MASK)
        else:
            shown.append(each)
        hide_next = each.startswith("-") and is_secret and not equals
    return shown


def _bare(command: str) -> str:
    path = PureWindowsPath(command) if "\\" in command else PurePosixPath(command)
    return path.name or command


def _short(text: str) -> str:
    line = re.sub(r"\s+", " ", "".join(each if each.isprintable() else " " for each in text))
    return line if len(line) <= MAX_WORDS else line[: MAX_WORDS - 1] + "…"
