"""One sign-in at one server, shared by all connections to it: kept, renewed, and asked for once."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.client.auth.utils import validate_authorization_response_iss
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from pydantic import ValidationError

from ..core.errors import LocalError
from . import provider
from .credentials import Credentials
from .errands import Errands
from .refusal import NotSignedIn, reason
from .tokens import Key, Record, Tokens

# It logs its errors whole, and a server's answer to a token request with them.
logging.getLogger("mcp.client.auth.oauth2").setLevel(logging.CRITICAL + 1)


@dataclass(frozen=True, slots=True)
class Redirect:
    """What a browser came back with from an authorization server; ``""`` or ``None`` where it had nothing."""

    code: str = ""
    state: str = ""
    iss: str | None = None
    error: str = ""
    description: str = ""


#: ``ask(url)``: a person signs in there. ``LocalError`` when they do not.
Ask = Callable[[str], Awaitable[Redirect]]


class _Waiter:
    """A connection that cannot go on without the sign-in."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class Account:
    """The SDK's provider does the protocol; this decides when, and keeps what it brings.

    ``redirect_url()`` is where an authorization server is to send the browser back to.
    """

    def __init__(
        self, key: Key, credentials: Credentials, tokens: Tokens, redirect_url: Callable[[], str]
    ) -> None:
        self._key = key
        self._credentials = credentials
        self._tokens = tokens
        self._redirect_url = redirect_url
        self._errands = Errands(key.url)
        self._stamp = 0
        self._provider: OAuthClientProvider = self._fresh()
        self._flow: asyncio.Task[bool] | None = None
        self._waiters: list[_Waiter] = []
        self._url = ""

    @property
    def is_asking(self) -> bool:
        """Whether a sign-in is under way for somebody."""
        return bool(self._waiters)

    async def header(self) -> str:
        """What to send as ``Authorization``, renewed where its time is up; ``""`` before a sign-in."""
        await self._load()
        context = self._provider.context
        if not context.is_token_valid() and context.can_refresh_token():
            with suppress(LocalError):
                await self._joined(None, "", None)
        return self._bearer()

    async def renew(self, refused: httpx2.Response, ask: Ask, *, quietly: bool) -> bool:
        """Come by what the server wants instead of what ``refused`` was sent with.

        ``quietly``: without a person, where that may do. Whether a sign-in was gone through
        to its end. ``LocalError`` when it failed: for all that wait for the same one.
        """
        used = refused.request.headers.get("Authorization", "")
        if self._flow is None and self._bearer() != used:
            # Somebody else was faster.
            return False
        return await self._joined(refused, used, ask, quietly=quietly)

    async def _joined(
        self, refused: httpx2.Response | None, used: str, ask: Ask | None, *, quietly: bool = False
    ) -> bool:
        if self._flow is None:
            self._flow = asyncio.ensure_future(self._drive(refused, used, quietly))
            self._flow.add_done_callback(self._over)
        flow = self._flow
        waiter = _Waiter(ask) if ask is not None else None
        if waiter is not None:
            self._waiters.append(waiter)
        try:
            return await asyncio.shield(flow)
        finally:
            if waiter is not None:
                self._waiters.remove(waiter)
                if not waiter.gone.done():
                    waiter.gone.set_result(None)

    def _over(self, flow: asyncio.Task[bool]) -> None:
        self._flow = None
        if not flow.cancelled():
            # Whoever waited has it; nobody may.
            flow.exception()

    async def _drive(self, refused: httpx2.Response | None, used: str, quietly: bool) -> bool:
        """Once through the SDK's flow. ``refused``: what the server said to the request that it is for."""
        context = self._provider.context
        if quietly and refused is not None and refused.status_code == 401 and context.can_refresh_token():
            # However valid it looks.
            context.token_expiry_time = time.time() - 1
        probe = httpx2.Request("POST", self._key.url, headers=_version(refused))
        told = False
        try:
            # Not sent by the SDK's flow itself: it would let no other request through until the answer.
            async with aclosing(self._provider.async_auth_flow(probe)) as flow:
                outgoing = await anext(flow)
                while True:
                    if outgoing is not probe:
                        self._check_registration(outgoing)
                        response = await self._errands.send(outgoing)
                    elif refused is None or told or probe.headers.get("Authorization", used) != used:
                        return told
                    else:
                        told = True
                        self._prepare(refused)
                        response = httpx2.Response(
                            refused.status_code, headers=refused.headers, request=probe
                        )
                    outgoing = await flow.asend(response)
        except LocalError:
            raise
        except Exception as error:
            raise NotSignedIn(reason(error)) from None
        finally:
            await self._save()

    def _check_registration(self, request: httpx2.Request) -> None:
        is_one = request.headers.get("content-type", "").startswith("application/json")
        if is_one and self._credentials.client_id:
            raise NotSignedIn(
                'it leads to another authorization server than the "issuer" of its entry in mcp.json'
            )

    def _prepare(self, refused: httpx2.Response) -> None:
        """The sign-in begins: from here on a new registration may be needed."""
        context = self._provider.context
        redirect = self._redirect_url()
        provider.prepare(context, redirect, self._credentials, step_up=refused.status_code == 403)

    async def _ask(self) -> AuthorizationCodeResult:
        back = await self._asked()
        metadata = self._provider.context.oauth_metadata
        if back.error:
            # Whose word it is comes first: another's is not repeated.
            validate_authorization_response_iss(back.iss, metadata)
            more = f" ({back.description})" if back.description else ""
            raise NotSignedIn(f"the authorization server refused: {back.error}{more}")
        return AuthorizationCodeResult(code=back.code, state=back.state, iss=back.iss)

    async def _asked(self) -> Redirect:
        while self._waiters:
            waiter = self._waiters[0]
            asking = asyncio.ensure_future(waiter.ask(self._url))
            try:
                both: set[asyncio.Future[Any]] = {asking, waiter.gone}
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            finally:
                if not asking.done():
                    asking.cancel()
                    await asyncio.wait({asking})
            if not asking.cancelled():
                return asking.result()
        raise NotSignedIn("nobody waits for it any more")

    async def _show(self, url: str) -> None:
        self._url = url
        provider.settle_method(self._provider.context)

    # What the SDK's provider keeps, in memory; the record is written when its flow is over.

    async def get_tokens(self) -> OAuthToken | None:
        return self._provider.context.current_tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """It has them itself."""

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self._provider.context.client_info

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """It has it itself."""

    def _bearer(self) -> str:
        tokens = self._provider.context.current_tokens
        return f"Bearer {tokens.access_token}" if tokens is not None else ""

    def _fresh(self) -> OAuthClientProvider:
        return provider.make(self._key.url, self._credentials, self, self._show, self._ask)

    async def _load(self) -> None:
        """What is kept, where another program has signed in or out since."""
        stamp = self._tokens.stamp(self._key)
        if stamp == self._stamp or self._flow is not None:
            return
        self._stamp = stamp
        self._provider = self._fresh()
        if stamp:
            record = await asyncio.to_thread(self._tokens.read, self._key)
            _restore(self._provider, record, own=bool(self._credentials.client_id))

    async def _save(self) -> None:
        record = _record(self._provider)
        if record.get("tokens") or self._stamp:
            await asyncio.to_thread(self._tokens.write, self._key, record)
            self._stamp = self._tokens.stamp(self._key)


def _version(refused: httpx2.Response | None) -> dict[str, str]:
    if refused is None:
        return {}
    version = refused.request.headers.get("mcp-protocol-version")
    return {"mcp-protocol-version": version} if version else {}


_PARTS: dict[str, tuple[str, Any]] = {
    "tokens": ("current_tokens", OAuthToken),
    "client": ("client_info", OAuthClientInformationFull),
    "metadata": ("oauth_metadata", OAuthMetadata),
    "resource": ("protected_resource_metadata", ProtectedResourceMetadata),
}


def _record(of: OAuthClientProvider) -> Record:
    context = of.context
    record: Record = {"expires": context.token_expiry_time, "issuer": context.auth_server_url}
    for name, (attribute, _) in _PARTS.items():
        value = getattr(context, attribute)
        if value is not None:
            record[name] = value.model_dump(mode="json", exclude_none=True)
    return record


def _restore(of: OAuthClientProvider, record: Record, *, own: bool) -> None:
    """``own``: the client is the configuration's, and not a registration that was kept."""
    context = of.context
    for name, (attribute, kind) in _PARTS.items():
        if name in record and not (own and name == "client"):
            with suppress(ValidationError):
                setattr(context, attribute, kind.model_validate(record[name]))
    # The SDK keeps no clock of its own over a restart.
    context.token_expiry_time = record.get("expires")
    context.auth_server_url = record.get("issuer")
