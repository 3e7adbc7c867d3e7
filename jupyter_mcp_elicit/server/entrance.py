"""Where sign-ins begin and come back to, for all owners: one account for each MCP server."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from .signin import SignIns

if TYPE_CHECKING:
    from ..client.accounts import Accounts


class Entrance:
    """``redirect_url()``: this server's own address for it, as the person's browser knows it."""

    def __init__(self, redirect_url: Callable[[], str]) -> None:
        self._redirect_url = redirect_url
        self._accounts: Accounts | None = None
        self.signins = SignIns()

    def accounts(self) -> Accounts:
        """Made on first need: what it is made of loads the MCP SDK."""
        if self._accounts is None:
            from ..client.accounts import Accounts
            from ..client.tokens import Tokens

            self._accounts = Accounts(Tokens.of_user(), self._redirect_url, os.environ)
        return self._accounts
