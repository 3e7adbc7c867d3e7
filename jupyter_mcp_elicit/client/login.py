"""One connection's part in a sign-in: the token on its requests, and what to do when it is refused."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractContextManager

import httpx2
from mcp.shared._request_clock import waiting_on_a_person

from ..core.errors import LocalError
from .account import Account, Redirect
from .calls import CURRENT
from .http import CURRENT_ATTEMPT, HttpRecord, is_call, is_refusal
from .refusal import NotSignedIn

Paused = Callable[[], AbstractContextManager[None]]

#: One to renew quietly, one for a person, one for what they brought.
_TRIES = 3


class Login:
    """``ask(url, token)``: a person signs in; ``token`` is the running call's, ``None`` while connecting.

    ``told(token)``: the sign-in that this call needs is asked for elsewhere already.
    """

    def __init__(
        self,
        account: Account,
        ask: Callable[[str, object], Awaitable[Redirect]],
        told: Callable[[object], None],
    ) -> None:
        self._account = account
        self._ask = ask
        self._told = told

    def auth(self, paused: Paused, record: HttpRecord) -> Auth:
        """For one session. ``paused()``: its clock stands still."""
        return Auth(self, paused, record)

    async def header(self) -> str:
        return await self._account.header()

    async def renew(self, refused: httpx2.Response, *, quietly: bool) -> bool:
        call = CURRENT.get()
        token = None if call is None else call.token
        if self._account.is_asking:
            self._told(token)
        return await self._account.renew(refused, lambda url: self._ask(url, token), quietly=quietly)


class Auth(httpx2.Auth):
    """Of one session."""

    def __init__(self, login: Login, paused: Paused, record: HttpRecord) -> None:
        self._login = login
        self._paused = paused
        self._record = record

    async def async_auth_flow(
        self, request: httpx2.Request
    ) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        signed_in = False
        for tries in range(1, _TRIES + 1):
            if header := await self._login.header():
                request.headers["Authorization"] = header
            response = yield request
            # Listening and saying goodbye are nothing to disturb a person for.
            if request.method != "POST" or not is_refusal(response):
                return
            if signed_in or tries == _TRIES:
                self._fail(request, NotSignedIn(_refused(response)))
                return
            try:
                with self._paused(), waiting_on_a_person():
                    signed_in = await self._login.renew(response, quietly=tries == 1)
            except LocalError as error:
                self._fail(request, error)
                return

    def _fail(self, request: httpx2.Request, error: LocalError) -> None:
        """A call fails with what the server said, and the session goes on; anything else ends it."""
        why = str(error).rstrip(".")
        attempt = CURRENT_ATTEMPT.get()
        if attempt is not None and is_call(request):
            attempt.sign_in = why
            return
        self._record.failure = f"wants you to sign in: {why}"
        raise error


def _refused(response: httpx2.Response) -> str:
    return f"it refuses even the token of this sign-in (HTTP {response.status_code})"
