"""One configured MCP server: how it is reached and what it may ask. It cannot exist invalid."""

from __future__ import annotations

import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from ..core.elicitation import Mode
from ..core.errors import LocalError
from .credentials import Credentials, digest_part

#: What ``era`` may say; a revision's own name offers exactly that revision.
ERAS = ("auto", "legacy", "2025-06-18", "2025-11-25", "2026-07-28")
MODES: tuple[Mode, ...] = ("form", "url")
MAX_NAME = 100

_VARIABLE = re.compile(r"\$\{env:([^}]*)\}")
_VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# The Jupyter server's own credentials must never reach a server by way of an expansion.
_OURS = re.compile(r"(?:JUPYTER|JPY)_", re.IGNORECASE)
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def _frozen(value: Mapping[str, str]) -> Mapping[str, str]:
    return MappingProxyType(dict(value))


@dataclass(frozen=True, kw_only=True)
class ServerSpec:
    """A server as the configuration writes it; ``${env:NAME}`` is still unexpanded.

    ``command``/``args``/``env``/``cwd`` or ``url``/``headers``, never both. ``capabilities``
    are the modes to declare, ``()`` = declare nothing. ``deadline`` in seconds overrides the
    owner's. ``client_completion``: also tell the server that a URL flow has ended. ``oauth``:
    how to sign in, ``None`` = never. Raises ``LocalError`` that names the server and the key.
    """

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = ""
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    oauth: Credentials | None = field(default_factory=Credentials)
    era: str = "auto"
    capabilities: tuple[Mode, ...] = ("form", "url")
    deadline: float | None = None
    client_completion: bool = True
    disabled: bool = False

    def __post_init__(self) -> None:
        check_name(self.name)
        object.__setattr__(self, "args", tuple(self.args))
        object.__setattr__(self, "env", _frozen(self.env))
        object.__setattr__(self, "headers", _frozen(self.headers))
        object.__setattr__(self, "capabilities", tuple(self.capabilities))
        if bool(self.command) == bool(self.url):
            both = "both a command and a url" if self.url else "neither a command nor a url"
            raise self._wrong(f"has {both}", "Give it exactly one.")
        if self.command:
            self._check_command()
        else:
            self._check_url()
        if self.era not in ERAS:
            raise self._wrong(f'has "era": {json.dumps(self.era)}', f"Use one of {', '.join(ERAS)}.")
        for mode in self.capabilities:
            if mode not in MODES:
                raise self._wrong(f'names the unknown mode {json.dumps(mode)} in "elicitation"')
        if self.deadline is not None and not 0 < self.deadline < math.inf:
            raise self._wrong('has a "deadline" that is not a number of seconds above 0')

    def __hash__(self) -> int:
        return hash((self.name, self.digest))

    @property
    def transport(self) -> str:
        """How it is reached, in our own words, short and without secrets."""
        from .words import transport_words

        return transport_words(self)

    @property
    def digest(self) -> str:
        """64 hex digits over what is started or reached, as written: what trust is bound to."""
        return hashlib.sha256(json.dumps(self.parts, sort_keys=True).encode()).hexdigest()

    @property
    def parts(self) -> dict[str, Any]:
        """What the digest covers, as JSON. Holds secrets where the configuration does."""
        return {
            "command": self.command,
            "args": list(self.args),
            "cwd": self.cwd,
            "env": dict(self.env),
            "url": self.url,
            "headers": dict(self.headers),
            **digest_part(self.oauth),
        }

    def expand(self, environ: Mapping[str, str]) -> ServerSpec:
        """The same server with each ``${env:NAME}`` replaced; ``LocalError`` names a missing variable."""

        def fill(key: str, text: str) -> str:
            return _VARIABLE.sub(lambda found: self._variable(key, found.group(1), environ), text)

        return ServerSpec(
            name=self.name,
            command=self.command,
            args=tuple(fill("args", each) for each in self.args),
            env={name: fill(f"env {name}", value) for name, value in self.env.items()},
            cwd=self.cwd,
            url=fill("url", self.url),
            headers={name: fill(f"headers {name}", value) for name, value in self.headers.items()},
            oauth=self.oauth and self.oauth.expand(fill),
            era=self.era,
            capabilities=self.capabilities,
            deadline=self.deadline,
            client_completion=self.client_completion,
            disabled=self.disabled,
        )

    def _variable(self, key: str, name: str, environ: Mapping[str, str]) -> str:
        if not _VARIABLE_NAME.fullmatch(name):
            raise self._wrong(f'has an odd variable name in "{key}": ${{env:{name}}}')
        if _OURS.match(name):
            raise self._wrong(
                f'asks for the variable {name} in "{key}"',
                "The Jupyter server's own variables are never given to MCP servers.",
            )
        value = environ.get(name)
        if value is None:
            raise self._wrong(
                f'needs the environment variable {name} in "{key}", and it is not set',
                "Set it before the Jupyter server starts.",
            )
        return value

    def _check_command(self) -> None:
        if self.headers:
            raise self._wrong('has "headers", which only a server with a url can have')
        if self.oauth != Credentials():
            raise self._wrong('has "oauth", which only a server with a url can have')
        if (
            not self.command.startswith("/")
            and re.search(r"[/\\]", self.command)
            and not _is_drive(self.command)
        ):
            raise self._wrong(
                f'has the relative command "{self.command}"',
                "Use an absolute path, or a bare name that is looked up on PATH.",
            )
        for key, text in [
            ("command", self.command),
            ("cwd", self.cwd),
            *(("args", each) for each in self.args),
        ]:
            if "\0" in text:
                raise self._wrong(f'has a NUL character in "{key}"')
        for name, value in self.env.items():
            if not name or "=" in name or "\0" in name + value:
                raise self._wrong('has a name or a value in "env" that no environment can hold')

    def _check_url(self) -> None:
        if self.args or self.env or self.cwd:
            raise self._wrong('has "args", "env" or "cwd", which only a server with a command can have')
        probe = _VARIABLE.sub("x", self.url)
        try:
            parts = urlsplit(probe)
            parts.port  # noqa: B018 - reading it is the check
        except ValueError:
            parts = urlsplit("")
        if parts.scheme not in ("http", "https") and not self.url.startswith("${env:"):
            raise self._wrong('has a "url" that does not start with http:// or https://')
        if re.search(r"[\x00-\x20\x7f]", probe) or (parts.scheme and not parts.hostname):
            raise self._wrong('has a "url" that is no URL')
        for name, value in self.headers.items():
            if not _HEADER_NAME.fullmatch(name) or re.search(r"[\x00-\x1f\x7f]", value):
                raise self._wrong('has a name or a value in "headers" that no HTTP header can hold')

    def _wrong(self, what: str, hint: str = "") -> LocalError:
        return LocalError(f'The server "{self.name}" {what}.', hint=hint)


def check_key(name: str) -> None:
    """Raises ``LocalError`` when ``name`` cannot be a server's key in the configuration."""
    if re.search(r"[/\\]", name) or name in (".", ".."):
        raise _bad_name(name, "it looks like a path")
    check_name(name)


def check_name(name: str) -> None:
    """Raises ``LocalError`` when ``name`` cannot stand for a server."""
    if not name.strip():
        raise _bad_name(name, "it is empty")
    if len(name) > MAX_NAME:
        raise _bad_name(name, f"it is longer than {MAX_NAME} characters")
    if any(unicodedata.category(each)[0] == "C" for each in name):
        raise _bad_name(name, "it has characters that cannot be seen")
    if name != name.strip() or name == "__proto__":
        raise _bad_name(name, "it would be taken for another name")


def _bad_name(name: str, why: str) -> LocalError:
    shown = json.dumps(name if len(name) <= 40 else name[:40] + "…")
    return LocalError(f"{shown} cannot be the name of a server: {why}.", hint="Give it another.")


def _is_drive(command: str) -> bool:
    return re.match(r"[A-Za-z]:[/\\]", command) is not None
