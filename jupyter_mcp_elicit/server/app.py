"""The server extension: traits, start, stop. It wires; the registry and the brokers do the work."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from jupyter_core.paths import jupyter_config_path
from jupyter_server.extension.application import ExtensionApp
from tornado.ioloop import PeriodicCallback
from traitlets import Bool, CaselessStrEnum, Dict, Float, Int, Unicode, default

from ..broker import Limits
from .call import Asks, Call, Emit
from .entrance import Entrance
from .handlers import ROUTES
from .identity import KernelIdentity
from .registry import Registry
from .rules import Rules

if TYPE_CHECKING:
    from jupyter_server.serverapp import ServerApp

    from ..client.config import ServerSpec
    from ..client.trust import TrustStore
    from .handlers.events import EventsHandler

#: Where kernels find this server. Not a secret: the proof is the kernel's own key.
ENVIRONMENT = "JUPYTER_MCP_ELICIT"

_LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")

#: What "listen everywhere" looks like, and where such a server is found from its own machine.
_EVERYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104


class ElicitApp(ExtensionApp):
    """Asks the person in the notebook what MCP servers want to know."""

    name = "jupyter_mcp_elicit"
    extension_url = "/mcp-elicit/servers"
    load_other_extensions = True

    deadline = Float(
        600.0,
        allow_none=True,
        help="Seconds that a question waits for its person before it is cancelled. None: for ever.",
    ).tag(config=True)
    when_busy = CaselessStrEnum(
        ["queue", "side-by-side", "refuse"],
        "side-by-side",
        help="A second question while one waits: 'side-by-side' shows both, 'queue' lets it wait "
        "its turn, 'refuse' answers the MCP server with error -32600.",
    ).tag(config=True)
    schema_policy = CaselessStrEnum(
        ["lenient", "strict"],
        "lenient",
        help="'strict' refuses every requested schema outside the MCP specification's subset; "
        "'lenient' shows what can be shown honestly, with a note.",
    ).tag(config=True)
    sensitive_fields = CaselessStrEnum(
        ["warn", "refuse"],
        "warn",
        help="A form that asks for a password, a key, a card or a code: 'warn' shows it, says that MCP "
        "forbids it, and sends such a field only when the person agrees; 'refuse' answers with error -32602.",
    ).tag(config=True)
    typing_time = Float(
        3600.0,
        min=0.0,
        help="Seconds by which typing alone may put a question's deadline off: while somebody types, its "
        "clock stands still.",
    ).tag(config=True)
    unsolicited = CaselessStrEnum(
        ["show", "refuse"],
        "show",
        help="A question that no call caused: 'show' it, marked so, or 'refuse' with error -32602.",
    ).tag(config=True)
    kernel_answers = Bool(
        True,
        help="Whether a kernel's code may answer the questions of its own calls (scripted answers). "
        "They are recorded as such.",
    ).tag(config=True)
    max_pending = Int(256, min=1, help="Questions that one kernel or agent may have waiting at once.").tag(
        config=True
    )
    max_pending_per_connection = Int(
        16, min=1, help="Questions that one MCP connection may have waiting at once."
    ).tag(config=True)
    open_timeout = Float(30.0, help="Seconds that an MCP server may take to start and say hello.").tag(
        config=True
    )
    reap_every = Float(
        15.0, min=0.01, help="Seconds between looks for kernels that are gone, to end their MCP servers."
    ).tag(config=True)
    trace_contents = Bool(
        False,
        help="Whether traces keep what was answered, and what came back for it. Off, they say only how "
        "much was left out.",
    ).tag(config=True)
    servers: Dict[str, dict[str, Any]] = Dict(
        help='MCP servers beside those of mcp.json, in the same shape: {"name": {"command": …}}.'
    ).tag(config=True)

    oauth_redirect_url = Unicode(
        "",
        help="The address of this Jupyter server's mcp-elicit/oauth/callback as the person's browser knows "
        "it, where an authorization server sends it back to. Empty: as the page in the browser has it.",
    ).tag(config=True)

    @default("log_level")
    def _quiet(self) -> int:
        return cast("int", self.serverapp.log_level) if self.serverapp else 30

    def initialize_settings(self) -> None:
        self.sockets: set[EventsHandler] = set()
        #: The origins of the pages that were open lately, the latest last.
        self.page_origins: dict[str, None] = {}
        #: The latest of them that is this server's own.
        self.page_origin = ""
        self.identity = KernelIdentity(self._key_of)
        entrance = Entrance(self._redirect_url)
        self.signins = entrance.signins
        self.registry = Registry(self._load, self._rules(), _trust_store, entrance, self.log)
        self._reaper = PeriodicCallback(self._reap, self.reap_every * 1000)
        self.settings["jupyter_mcp_elicit"] = self
        self._tell_kernels()

    def initialize_handlers(self) -> None:
        self.handlers.extend(ROUTES)

    async def _start_jupyter_server_extension(self, serverapp: Any) -> None:
        # Only now is the port final: Jupyter tries the next one when a port is taken.
        self._tell_kernels()
        self._reaper.start()

    async def stop_extension(self) -> None:
        """End every connection and its process, and tell the pages."""
        self._reaper.stop()
        await self.registry.close()
        for socket in list(self.sockets):
            socket.close(1001, "the Jupyter server stops")
        os.environ.pop(ENVIRONMENT, None)

    @property
    def _server(self) -> ServerApp:
        return cast("ServerApp", self.serverapp)

    def _rules(self) -> Rules:
        limits = Limits(
            deadline=self.deadline,
            when_busy=cast("Any", self.when_busy),
            pending=self.max_pending,
            typing=self.typing_time,
        )
        return Rules(
            limits,
            schema_policy=cast("Any", self.schema_policy),
            sensitive_fields=cast("Any", self.sensitive_fields),
            unsolicited=cast("Any", self.unsolicited),
            open_timeout=self.open_timeout,
            questions_per_connection=self.max_pending_per_connection,
            own_origins=self.own_origins,
            trace_contents=self.trace_contents,
        )

    def new_call(self, emit: Emit, asks: Asks) -> Call:
        """One that knows whether pages with our extension are there; one that reloads is there still."""
        return Call(emit, asks, labextension=bool(self.sockets or self.page_origins))

    def own_origins(self) -> tuple[str, ...]:
        """Where this server's pages are open: as it knows itself, and as browsers have called it."""
        port = self._server.port
        local = [f"{scheme}://{host}:{port}" for scheme in ("http", "https") for host in _LOCAL_NAMES]
        return (*local, self._server.connection_url, *self.page_origins)

    def _redirect_url(self) -> str:
        if self.oauth_redirect_url:
            return self.oauth_redirect_url
        # The cookie of the login belongs to the name that the page was opened under.
        origin = self.page_origin
        if not origin:
            parts = urlsplit(self._server.connection_url)
            origin = f"{parts.scheme}://{parts.netloc}"
        return f"{origin}{self._server.base_url.rstrip('/')}/mcp-elicit/oauth/callback"

    def _load(self) -> tuple[dict[str, ServerSpec], list[str]]:
        from ..client.config import load_servers

        return load_servers([Path(each) for each in jupyter_config_path()], self.servers)

    def _key_of(self, kernel_id: str) -> bytes | None:
        manager = self._server.kernel_manager
        if kernel_id not in manager:
            return None
        key = manager.get_kernel(kernel_id).session.key
        return key if isinstance(key, bytes) else None

    async def _reap(self) -> None:
        manager = self._server.kernel_manager
        gone = [
            owner_id
            for owner_id in self.registry.owner_ids()
            if owner_id.startswith("kernel:") and owner_id.removeprefix("kernel:") not in manager
        ]
        await asyncio.gather(*(self.registry.close_owner(owner_id) for owner_id in gone))

    def _tell_kernels(self) -> None:
        app = self._server
        url = urlsplit(app.connection_url)
        if not app.sock and app.ip in _EVERYWHERE:
            # A machine's own name need not lead back to it.
            url = url._replace(netloc=f"{_EVERYWHERE[app.ip]}:{app.port}")
        os.environ[ENVIRONMENT] = json.dumps(
            {
                "url": f"{url.geturl().rstrip('/')}/mcp-elicit/",
                "socket": app.sock or "",
                "certificate": str(Path(app.certfile).absolute()) if app.certfile else "",
                "pid": os.getpid(),
            }
        )


def _trust_store() -> TrustStore:
    from ..client.trust import TrustStore

    return TrustStore.of_user()
