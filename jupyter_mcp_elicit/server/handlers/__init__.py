"""HTTP and websocket to the registry and back; the only room that knows ``HTTPError``."""

from __future__ import annotations

from typing import Any

from .calls import CallsHandler, ServersHandler, ToolsHandler
from .elicitations import (
    AnswerHandler,
    ElicitationHandler,
    ElicitationsHandler,
    FlowHandler,
    MoreHandler,
    ShownHandler,
    TypingHandler,
)
from .events import EventsHandler
from .oauth import CallbackHandler
from .preview import PreviewHandler
from .trace import TraceHandler

_ID = r"([A-Za-z0-9_-]{22})"

#: Paths below the base URL, and who answers there; ``rest-api.yml`` describes them.
ROUTES: list[tuple[str, type[Any]]] = [
    (r"/mcp-elicit/servers", ServersHandler),
    (r"/mcp-elicit/servers/([^/]+)/tools", ToolsHandler),
    (r"/mcp-elicit/calls", CallsHandler),
    (r"/mcp-elicit/elicitations", ElicitationsHandler),
    (rf"/mcp-elicit/elicitations/{_ID}", ElicitationHandler),
    (rf"/mcp-elicit/elicitations/{_ID}/answer", AnswerHandler),
    (rf"/mcp-elicit/elicitations/{_ID}/flow", FlowHandler),
    (rf"/mcp-elicit/elicitations/{_ID}/preview", PreviewHandler),
    (rf"/mcp-elicit/elicitations/{_ID}/shown", ShownHandler),
    (rf"/mcp-elicit/elicitations/{_ID}/more", MoreHandler),
    (rf"/mcp-elicit/elicitations/{_ID}/typing", TypingHandler),
    (r"/mcp-elicit/events", EventsHandler),
    (r"/mcp-elicit/oauth/callback", CallbackHandler),
    (r"/mcp-elicit/trace/([^/]+)", TraceHandler),
]
