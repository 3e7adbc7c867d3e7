"""A server extension with one authenticated POST that does nothing: the yardstick of the calls."""

from __future__ import annotations

from typing import Any

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from tornado import web


class EmptyHandler(APIHandler):
    @web.authenticated
    @authorized(action="write", resource="empty")
    async def post(self) -> None:
        self.finish("{}")


def _jupyter_server_extension_points() -> list[dict[str, Any]]:
    return [{"module": "empty_post"}]


def _load_jupyter_server_extension(app: Any) -> None:
    app.web_app.add_handlers(".*$", [(app.base_url + "empty-post", EmptyHandler)])
