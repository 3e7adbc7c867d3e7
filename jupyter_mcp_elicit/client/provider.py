"""The SDK's OAuth provider, with what mcp.json says and what the SDK leaves open."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.client.auth.oauth2 import OAuthContext
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata
from pydantic import AnyUrl, PrivateAttr

from ..core.hosts import place
from .credentials import Credentials

#: In the order of our liking; the first is what a server means that says nothing (RFC 8414).
_METHODS = ("client_secret_basic", "client_secret_post")


class _Metadata(OAuthClientMetadata):
    """What we register as. The SDK writes each scope that a server proposes; a configured one stays."""

    _fixed: str = PrivateAttr(default="")

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, (self._fixed or value) if name == "scope" else value)


def make(
    url: str,
    credentials: Credentials,
    storage: TokenStorage,
    show: Callable[[str], Awaitable[None]],
    ask: Callable[[], Awaitable[AuthorizationCodeResult]],
) -> OAuthClientProvider:
    """For the MCP server at ``url``. ``show(address)``, then ``ask()``: a person signs in there."""
    if credentials.grant == "client_credentials":
        return ClientCredentialsOAuthProvider(
            url,
            storage,
            credentials.client_id,
            credentials.client_secret,
            scope=credentials.scope or None,
            issuer=credentials.issuer,
        )
    # Where the browser is to come back to is known when a sign-in begins.
    metadata = _Metadata(redirect_uris=None, client_name="Jupyter (jupyter_mcp_elicit)")
    provider = OAuthClientProvider(
        url, metadata, storage, show, ask, client_metadata_url=credentials.metadata_url or None
    )
    provider.context.client_info = _arranged(credentials)
    return provider


def prepare(context: OAuthContext, redirect: str, credentials: Credentials, *, step_up: bool) -> None:
    """A sign-in begins, and ``redirect`` is where the browser is to come back to."""
    metadata = context.client_metadata
    if not isinstance(metadata, _Metadata):
        return
    metadata.redirect_uris = [AnyUrl(redirect)]
    metadata.application_type = "native" if place(AnyUrl(redirect).host or "") == "loopback" else "web"
    # More than the configured scope only where a call needs it.
    metadata._fixed = "" if step_up else credentials.scope
    if credentials.client_id:
        context.client_info = _arranged(credentials)
    elif context.client_info is not None and not _serves(context.client_info, redirect):
        context.client_info = None


def settle_method(context: OAuthContext) -> None:
    """How the client shows its secret, where neither the registration nor mcp.json says so."""
    client, server = context.client_info, context.oauth_metadata
    if client is None or client.client_secret is None or client.token_endpoint_auth_method is not None:
        return
    takes = (server and server.token_endpoint_auth_methods_supported) or _METHODS
    client.token_endpoint_auth_method = next((each for each in _METHODS if each in takes), _METHODS[0])


def _arranged(credentials: Credentials) -> OAuthClientInformationFull | None:
    if not credentials.client_id:
        return None
    return OAuthClientInformationFull(
        client_id=credentials.client_id,
        client_secret=credentials.client_secret or None,
        issuer=credentials.issuer or None,
    )


def _serves(client: OAuthClientInformationFull, redirect: str) -> bool:
    """Whether a kept registration still holds, and knows the address to come back to."""
    if client.client_secret_expires_at and client.client_secret_expires_at < time.time():
        return False
    return not client.redirect_uris or AnyUrl(redirect) in client.redirect_uris
