"""What mcp.json says about signing in to one HTTP server."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from ..core.errors import LocalError

#: How a token is come by: a person signs in, or the program has a secret of its own.
GRANTS = ("authorization_code", "client_credentials")

_KEYS = {
    "clientId": "client_id",
    "clientSecret": "client_secret",
    "scope": "scope",
    "clientMetadataUrl": "metadata_url",
    "issuer": "issuer",
    "grant": "grant",
}


@dataclass(frozen=True, kw_only=True)
class Credentials:
    """What was arranged beforehand; all of it may be ``""``: then this client registers itself.

    ``issuer`` names the one authorization server that the id and the secret are for, ``scope``
    what to ask for instead of what the server proposes. Raises ``LocalError`` that says what does not fit.
    """

    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    scope: str = ""
    metadata_url: str = ""
    issuer: str = ""
    grant: str = "authorization_code"

    def __post_init__(self) -> None:
        if self.grant not in GRANTS:
            raise LocalError(f'"grant" must be {" or ".join(GRANTS)}')
        if self.client_secret and not self.client_id:
            raise LocalError('"clientSecret" needs a "clientId"')
        if self.grant == "client_credentials" and not (self.client_id and self.client_secret and self.issuer):
            raise LocalError('"grant": "client_credentials" needs "clientId", "clientSecret" and "issuer"')
        for key, url in (("clientMetadataUrl", self.metadata_url), ("issuer", self.issuer)):
            if url and not url.startswith("${env:"):
                parts = urlsplit(url)
                if parts.scheme not in ("https", "http") or not parts.netloc:
                    raise LocalError(f'"{key}" must be an https:// address')
        parts = urlsplit(self.metadata_url)
        if parts.scheme == "http" or (parts.scheme and parts.path in ("", "/")):
            raise LocalError('"clientMetadataUrl" must be an https:// address with a path')

    @classmethod
    def read(cls, shape: Mapping[str, Any]) -> tuple[Credentials, list[str]]:
        """From the object of mcp.json, and the keys in it that are not known."""
        for key, value in shape.items():
            if key in _KEYS and not isinstance(value, str):
                raise LocalError(f'"{key}" must be text')
        given = {_KEYS[key]: value for key, value in shape.items() if key in _KEYS}
        return cls(**given), [key for key in shape if key not in _KEYS]

    def expand(self, fill: Callable[[str, str], str]) -> Credentials:
        """The same with each text through ``fill(key, text)``."""
        return Credentials(**{name: fill(f"oauth {key}", getattr(self, name)) for key, name in _KEYS.items()})

    def as_json(self) -> dict[str, str]:
        """What is not left to its default, secrets included."""
        return {
            key: getattr(self, name)
            for key, name in _KEYS.items()
            if getattr(self, name) != getattr(_NOTHING, name)
        }


_NOTHING = Credentials()


def brings_its_own(headers: Mapping[str, str]) -> bool:
    """Whether a token stands in the headers already."""
    return any(name.lower() == "authorization" for name in headers)


def digest_part(credentials: Credentials | None) -> dict[str, str]:
    """What a server's digest covers of it: nothing where mcp.json says nothing."""
    if credentials is None:
        return {"oauth": json.dumps(False)}
    return {"oauth": json.dumps(credentials.as_json())} if credentials != _NOTHING else {}
