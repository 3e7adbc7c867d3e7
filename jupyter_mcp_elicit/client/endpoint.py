"""How one generation reaches its server, and what to say when that ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ..core.elicitation import Mode
from ..core.errors import LocalError
from . import failures
from .credentials import brings_its_own
from .http import HttpRecord, bounded_http
from .login import Login, Paused
from .spec import ERAS, ServerSpec, check_name
from .stdio import MAX_FRAME, StdioRecord, bounded_stdio
from .tap import Transport

# What the SDK says for an HTTP status that came without a JSON-RPC error.
_MADE_UP = ("Server returned an error response", "Not Found")
_STATUS = {
    401: ", which means that it wants a login",
    403: ", which means that it refuses access",
    404: ", which means that nothing is there",
    429: ", which means that it was asked too often",
}


class Endpoint(Protocol):
    """Used for one generation only."""

    def connect(self, paused: Paused) -> Transport:
        """The transport, not yet entered. ``paused()``: a person is asked, and connecting takes no time."""

    def ending(self) -> tuple[str, str]:
        """How the peer ended it, as the end of a sentence about the server, and more lines of text."""

    @property
    def failure(self) -> str:
        """Why we ended it: the end of a sentence about the server; ``""`` when we did not."""

    @property
    def stderr(self) -> str:
        """The end of what a process wrote to stderr, as written."""

    @property
    def skipped(self) -> int:
        """How many lines were no JSON-RPC."""

    def refusal(self, message: str) -> str:
        """What lies behind an error that the SDK made up, as a sentence; ``""`` for a server's own."""


class StdioEndpoint:
    """A server process."""

    def __init__(
        self,
        spec: ServerSpec,
        environ: Mapping[str, str],
        *,
        limit: int,
        on_stderr: Callable[[str], None] | None,
    ) -> None:
        self._spec = spec.expand(environ)
        self._limit = limit
        self._on_stderr = on_stderr
        self.record = StdioRecord()

    def connect(self, paused: Paused) -> Transport:
        spec = self._spec
        return bounded_stdio(
            [spec.command, *spec.args],
            env=spec.env,
            cwd=str(Path(spec.cwd).expanduser()) if spec.cwd else None,
            limit=self._limit,
            on_stderr=self._on_stderr,
            record=self.record,
        )

    def ending(self) -> tuple[str, str]:
        lines = failures.last_lines(self.stderr)
        more = f"Its last words on stderr:\n{lines}" if lines else ""
        return failures.ended(None if self.record.child is None else self.record.child.code), more

    @property
    def stderr(self) -> str:
        return "" if self.record.child is None else self.record.child.stderr

    @property
    def skipped(self) -> int:
        return self.record.skipped

    @property
    def failure(self) -> str:
        return self.record.failure

    def refusal(self, message: str) -> str:
        return ""


class HttpEndpoint:
    """A server at a URL."""

    stderr = ""
    skipped = 0

    def __init__(
        self, spec: ServerSpec, environ: Mapping[str, str], *, limit: int, login: Login | None
    ) -> None:
        self._spec = spec.expand(environ)
        self._limit = limit
        self._login = login
        self.record = HttpRecord()

    def connect(self, paused: Paused) -> Transport:
        auth = None if self._login is None else self._login.auth(paused, self.record)
        return bounded_http(
            self._spec.url, self._spec.headers, limit=self._limit, record=self.record, auth=auth
        )

    def ending(self) -> tuple[str, str]:
        return "ended the connection", ""

    @property
    def failure(self) -> str:
        return self.record.failure

    def refusal(self, message: str) -> str:
        if message.startswith("Failed to parse "):
            # The SDK's words repeat the message itself.
            return "A message of the server could not be read."
        if message not in _MADE_UP or not self.record.status:
            return ""
        said = f"It answered with HTTP {self.record.status}{_STATUS.get(self.record.status, '')}."
        return f"{said} {self._way_in()}" if self.record.status == 401 and self._login is None else said

    def _way_in(self) -> str:
        if brings_its_own(self._spec.headers):
            return 'It did not take the "Authorization" that is given for it under "headers".'
        if self._spec.oauth is None:
            return 'Signing in is switched off for it ("oauth": false in mcp.json).'
        return "Only a Jupyter server signs in: enter it in mcp.json, and call it by that name in a notebook."


class OwnEndpoint:
    """A transport that the caller makes."""

    stderr = ""
    skipped = 0
    failure = ""

    def __init__(self, make: Callable[[], Transport]) -> None:
        self._make = make

    def connect(self, paused: Paused) -> Transport:
        return self._make()

    def ending(self) -> tuple[str, str]:
        return "ended the connection", ""

    def refusal(self, message: str) -> str:
        return ""


@dataclass(frozen=True, kw_only=True)
class OwnServer:
    """A server that is no configuration's: ``make`` gives a new transport for each generation.

    ``transport`` is our word for how it is reached. The rest as in :class:`ServerSpec`.
    """

    name: str
    make: Callable[[], Transport]
    transport: str = "in this process"
    era: str = "auto"
    capabilities: tuple[Mode, ...] = ("form",)
    deadline: float | None = None
    client_completion: bool = True
    disabled: bool = False

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.era not in ERAS:
            raise LocalError(f"The era must be one of {', '.join(ERAS)}, not {self.era!r}.")


def endpoint(
    spec: ServerSpec | OwnServer,
    environ: Mapping[str, str],
    *,
    limit: int = MAX_FRAME,
    on_stderr: Callable[[str], None] | None = None,
    login: Login | None = None,
) -> Endpoint:
    """The endpoint that ``spec`` names. ``LocalError`` when one of its variables is not set."""
    if isinstance(spec, OwnServer):
        return OwnEndpoint(spec.make)
    if spec.url:
        return HttpEndpoint(spec, environ, limit=limit, login=login)
    return StdioEndpoint(spec, environ, limit=limit, on_stderr=on_stderr)
