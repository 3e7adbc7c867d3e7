"""The accounts of one Jupyter server: one for each server and address, whoever connects."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .account import Account
from .credentials import brings_its_own
from .spec import ServerSpec
from .tokens import Key, Tokens


class Accounts:
    """``redirect_url()``: where an authorization server is to send the browser back to."""

    def __init__(self, tokens: Tokens, redirect_url: Callable[[], str], environ: Mapping[str, str]) -> None:
        self._tokens = tokens
        self._redirect_url = redirect_url
        self._environ = environ
        self._known: dict[str, tuple[ServerSpec, Account]] = {}

    def of(self, spec: ServerSpec) -> Account | None:
        """``None`` where nobody can sign in: a process, a token in the headers, or ``"oauth": false``."""
        if not spec.url or spec.oauth is None or brings_its_own(spec.headers):
            return None
        found = spec.expand(self._environ)
        known, account = self._known.get(spec.name, (None, None))
        if account is None or known is None or (known.url, known.oauth) != (found.url, found.oauth):
            assert found.oauth is not None  # noqa: S101 - expanding keeps it
            account = Account(Key(spec.name, found.url), found.oauth, self._tokens, self._redirect_url)
            self._known[spec.name] = (found, account)
        return account
