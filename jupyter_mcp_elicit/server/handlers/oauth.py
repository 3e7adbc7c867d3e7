"""``oauth/callback``: where a browser comes back to from an authorization server."""

from __future__ import annotations

import html
from typing import Any

from jupyter_core.utils import ensure_async
from jupyter_server.auth.decorator import allow_unauthenticated
from jupyter_server.base.handlers import JupyterHandler
from tornado import web

from ...core.text import shown
from ..signin import NoSuchSignIn
from .access import RESOURCE

#: The page runs nothing, loads nothing, and stands in no frame; its address holds a code.
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
}

_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="color-scheme" content="light dark"><title>{title}</title></head>
<body><h1>{title}</h1><p>{text}</p></body></html>
"""


class CallbackHandler(JupyterHandler):
    """A page for the person. The login says whose browser it is; the state, that we began it.

    No redirect to Jupyter's login: its address, and with it a log, would hold the code.
    """

    auth_resource = RESOURCE

    async def prepare(self) -> None:  # type: ignore[override]
        await super().prepare()
        if not self.check_origin():
            raise web.HTTPError(404, "This is no page for other pages to ask for.")

    def get_login_url(self) -> str:
        """Where other verbs would be sent."""
        raise web.HTTPError(403)

    @allow_unauthenticated
    async def get(self) -> None:
        if not self.current_user:
            raise web.HTTPError(
                403,
                f"This browser is not logged in to Jupyter under the name {self.request.host}. Log in there, "
                "then reload this page. If it has another, its trait oauth_redirect_url can say so.",
            )
        if not await ensure_async(self.authorizer.is_authorized(self, self.current_user, "write", RESOURCE)):
            raise web.HTTPError(403, f"This user may not write {RESOURCE}.")
        from ...client.account import Redirect

        error = self._one("error")
        back = Redirect(
            code=self._one("code"),
            state=self._one("state"),
            iss=self._one("iss") if "iss" in self.request.query_arguments else None,
            error=shown(error, 100),
            description=shown(self._one("error_description"), 500),
        )
        try:
            server = self.settings["jupyter_mcp_elicit"].signins.arrive(back)
        except NoSuchSignIn as none:
            self._page(400, "Nothing to sign in to", str(none))
            return
        if error:
            said = f"{back.error}: {back.description}" if back.description else back.error
            self._page(400, "Not signed in", f"The authorization server for “{server}” said: {said}")
        else:
            self._page(
                200,
                "Back in Jupyter",
                f"The sign-in to “{server}” has come back, and your notebook goes on. "
                "You can close this page.",
            )

    def _one(self, name: str) -> str:
        """The only value of a parameter; two are nobody's."""
        values = self.get_query_arguments(name, strip=False)
        if len(values) > 1:
            raise web.HTTPError(400, f"The address has “{name}” more than once.")
        return values[0] if values else ""

    def _page(self, status: int, title: str, text: str) -> None:
        self.set_status(status)
        for name, value in _HEADERS.items():
            self.set_header(name, value)
        self.finish(_PAGE.format(title=html.escape(title), text=html.escape(text)))

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        error = (kwargs.get("exc_info") or (None, None, None))[1]
        told = (
            getattr(error, "log_message", None) or "It went wrong. The log of the Jupyter server says more."
        )
        self._page(status_code, "Not signed in", told)
