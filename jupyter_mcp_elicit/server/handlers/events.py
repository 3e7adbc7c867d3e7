"""``events``: a websocket that tells pages of every change. It only tells; answers come by ``POST``."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import urlsplit

from jupyter_core.utils import ensure_async
from jupyter_server.auth.decorator import ws_authenticated
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from tornado import web, websocket

from ...core.wire import Json
from ..registry import Registry
from .access import RESOURCE

#: How many origins of pages are remembered; a person has one or two.
_ORIGINS = 20


class EventsHandler(WebSocketMixin, websocket.WebSocketHandler, JupyterHandler):
    """First a snapshot of all that may still change, then a card at each change."""

    auth_resource = RESOURCE
    _stop: Callable[[], None] | None = None

    @ws_authenticated
    async def get(self, *args: Any, **kwargs: Any) -> None:
        allowed = self.authorizer.is_authorized(self, self.current_user, "read", RESOURCE)
        if not await ensure_async(allowed):
            raise web.HTTPError(403, f"This user may not read {RESOURCE}.")
        opened = super().get(*args, **kwargs)
        if opened is not None:
            await opened

    def open(self, *args: str, **kwargs: str) -> None:
        super().open(*args, **kwargs)
        # A question must not wait for the acknowledgement of the message before it.
        self.set_nodelay(True)
        self._send({"type": "snapshot", "elicitations": self._registry.living_cards()})
        self._stop = self._registry.listen(lambda card: self._send({"type": "card", "card": card}))
        self._sockets.add(self)
        self._remember_origin()

    def _remember_origin(self) -> None:
        origin = self.request.headers.get("Origin", "")
        known = self.settings["jupyter_mcp_elicit"].page_origins
        if urlsplit(origin).netloc == self.request.host:
            # Not one of another site that was allowed in.
            self.settings["jupyter_mcp_elicit"].page_origin = origin
        if origin:
            known.pop(origin, None)
            known[origin] = None
        while len(known) > _ORIGINS:
            del known[next(iter(known))]

    def on_message(self, message: str | bytes) -> None:
        """Nothing that a socket says is heard."""

    def on_close(self) -> None:
        if self._stop is not None:
            self._stop()
            self._stop = None
        self._sockets.discard(self)
        super().on_close()

    @property
    def _registry(self) -> Registry:
        return cast("Registry", self.settings["jupyter_mcp_elicit"].registry)

    @property
    def _sockets(self) -> set[EventsHandler]:
        return cast("set[EventsHandler]", self.settings["jupyter_mcp_elicit"].sockets)

    def _send(self, shape: Json) -> None:
        try:
            sending = self.write_message(json.dumps(shape))
        except websocket.WebSocketClosedError:
            self.on_close()
        else:
            # A page that goes away in between needs no line in the log.
            sending.add_done_callback(lambda sent: sent.cancelled() or sent.exception())
