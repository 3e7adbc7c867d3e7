"""What lives from one opening of a connection to the next: nothing of it is ever used in another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata

from mcp import Client, MCPError
from mcp.client.session import LoggingFnT
from mcp_types import Implementation, LoggingLevel

from ..core.errors import LocalError
from . import eras, failures
from .endpoint import Endpoint, OwnServer
from .link import Link
from .manners import Manners
from .questions import Questions
from .spec import ServerSpec
from .tap import OnFrame, tap


@dataclass(frozen=True, kw_only=True)
class Options:
    """What every generation of one connection shares. ``open_timeout`` in seconds."""

    open_timeout: float
    log_level: LoggingLevel | None
    on_frame: OnFrame | None
    on_log: LoggingFnT
    on_complete: Callable[[str], None] | None
    opened: Callable[[Client], None]


class Generation:
    """One session with one server, from connecting to its end."""

    def __init__(
        self, spec: ServerSpec | OwnServer, endpoint: Endpoint, questions: Questions, options: Options
    ) -> None:
        self._spec = spec
        self._options = options
        #: Why we gave it up, as the end of a sentence about the server.
        self.given_up = ""
        self.endpoint = endpoint
        self.questions = questions
        self._mode, offer = eras.SETTINGS[spec.era]
        self.manners = Manners(eras.declared(spec.era, spec.capabilities), offer, self._completed)
        self.link = Link(
            self._client, opened=options.opened, ending=questions.end, open_timeout=options.open_timeout
        )

    @property
    def client(self) -> Client:
        """The SDK's client. ``LocalError`` when the session is over."""
        return self.link.client

    def give_up(self, why: str) -> None:
        """End it soon; ``why`` is the end of a sentence about the server."""
        self.given_up = self.given_up or why
        self.link.hang_up()

    def why(self) -> tuple[str, str]:
        """Why it is over: the end of a sentence about the server, and more lines of text."""
        link = self.link
        how, more = self.endpoint.ending()
        if link.timed_out:
            return f"did not finish connecting within {self._options.open_timeout:g} seconds", more
        if self.endpoint.failure:
            return self.endpoint.failure, more
        if link.peer_ended:
            return how, more
        if self.given_up or link.failure is None:
            return self.given_up or "was closed", ""
        cause = failures.root(link.failure)
        if isinstance(cause, LocalError):
            return f"cannot be started. {cause}".rstrip("."), ""
        refusal = self.endpoint.refusal(cause.message) if isinstance(cause, MCPError) else ""
        if refusal:
            return f"cannot be reached. {refusal.rstrip('.')}", more
        return f"cannot be reached: {failures.why(cause)}", more

    def _completed(self, elicitation_id: str) -> None:
        # Unknown, foreign and repeated ids say nothing.
        question = self.questions.completed(elicitation_id)
        if question and self._options.on_complete is not None:
            self._options.on_complete(question)

    def _client(self, on_end: Callable[[], None]) -> Client:
        transport = tap(
            self.endpoint.connect(self.link.paused),
            self._options.on_frame,
            rewrite=self.manners,
            on_end=on_end,
        )
        return Client(
            transport,
            mode=self._mode,
            elicitation_callback=self.questions.pushed,
            logging_callback=self._options.on_log,
            log_level=self._options.log_level,
            client_info=Implementation(name="jupyter-mcp-elicit", version=_version()),
            # A list of tools that somebody asks for is asked of the server.
            cache=None,
        )


def _version() -> str:
    try:
        return metadata.version("jupyter_mcp_elicit")
    except metadata.PackageNotFoundError:
        return "0"
