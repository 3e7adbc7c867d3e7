"""The connections of one owner: made when first needed, anew when an entry has changed."""

from __future__ import annotations

import asyncio
import importlib
import logging
from typing import TYPE_CHECKING

from ..core.confirmation import confirmation
from ..core.elicitation import Accept, Cause
from ..core.errors import LocalError
from ..core.lifecycle import Turn
from ..trace import Recorder
from .asking import Asking
from .call import Call
from .entrance import Entrance
from .rules import Rules
from .signin import SignIn

if TYPE_CHECKING:
    from ..client.config import ServerSpec
    from ..client.connection import Connection
    from ..client.trust import TrustStore


class Connections:
    """By the names of their servers."""

    def __init__(
        self, asking: Asking, rules: Rules, trust: TrustStore, entrance: Entrance, log: logging.Logger
    ) -> None:
        self._asking = asking
        self._entrance = entrance
        self._rules = rules
        self._trust = trust
        self._log = log
        self._open: dict[str, Connection] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._traces: dict[str, Recorder] = {}
        self._signins: dict[str, SignIn] = {}

    def state(self, name: str) -> str:
        """A word or a sentence for the person: "not started" when there is none."""
        connection = self._open.get(name)
        return "not started" if connection is None else connection.state

    def trace(self, name: str) -> Recorder | None:
        """The frames of the connection to a server, ``None`` when it has never been opened."""
        return self._traces.get(name)

    async def to(self, spec: ServerSpec, call: Call) -> Connection:
        """The connection, opened for ``call`` where it is not. ``LocalError`` says why there is none."""
        # The MCP SDK takes half a second to load, and this loop is every notebook's.
        await asyncio.to_thread(importlib.import_module, "..client.connection", __package__)
        spec = self._trust.in_era(spec)
        async with self._locks.setdefault(spec.name, asyncio.Lock()):
            connection = self._open.get(spec.name)
            if connection is None or connection.spec != spec:
                await self._trusted(spec, call)
                await self._end(spec.name)
                self._asking.check_open()
                connection = self._open[spec.name] = self._made(spec)
            self._signins[spec.name].call = call
            await connection.open()
            self._trust.record(spec)
            return connection

    async def close(self) -> None:
        """End every connection with its process."""
        connections = list(self._open.values())
        self._open.clear()
        for ended in await asyncio.gather(*(each.close() for each in connections), return_exceptions=True):
            if isinstance(ended, BaseException):
                self._log.error("Closing a connection failed", exc_info=ended)

    async def _end(self, name: str) -> None:
        connection = self._open.pop(name, None)
        if connection is not None:
            asker = connection.asker
            self._asking.broker.turn_pages(lambda question: question.elicitation.asker == asker, Turn.CUT)
            await connection.close()

    def _made(self, spec: ServerSpec) -> Connection:
        from ..client.connection import Connection
        from ..client.login import Login
        from ..client.tap import as_json

        asking, rules = self._asking, self._rules
        signin = self._signins[spec.name] = SignIn(spec, asking, self._entrance.signins, rules.own_origins)
        account = self._entrance.accounts().of(spec)
        trace = self._traces[spec.name] = Recorder(contents=rules.trace_contents)
        connection = Connection(
            spec,
            lambda elicitation, of: asking.by_server(connection, elicitation, of),
            schema_policy=rules.schema_policy,
            sensitive_fields=rules.sensitive_fields,
            unsolicited=rules.unsolicited,
            own_origins=rules.own_origins,
            on_complete=lambda each: asking.turn(each, Turn.COMPLETE),
            on_cut=lambda each: asking.turn(each, Turn.CUT),
            on_refused=lambda why, of: _told(of, f'A question of "{spec.name}" was refused. {why}'),
            open_timeout=rules.open_timeout,
            max_pending=rules.questions_per_connection,
            login=None if account is None else Login(account, signin.ask, signin.told),
            on_frame=lambda direction, frame: trace.see(direction, as_json(frame), connection.generation),
        )
        return connection

    async def _trusted(self, spec: ServerSpec, call: Call) -> None:
        if self._trust.state(spec) != "changed":
            return
        changes = "\n".join(self._trust.changes(spec))
        answer = await self._asking.by_jupyter(
            confirmation(
                f'The entry "{spec.name}" has changed since it last started:\n{changes}\nStart it so?',
                Cause(tool=spec.name, certainty="caused"),
            ),
            call,
        )
        if not isinstance(answer, Accept):
            raise LocalError(
                f'"{spec.name}" was not started: its entry changed and nobody agreed to the change.',
                hint="Check mcp.json, then call again"
                + (" once without a script, and agree to it." if call.asks == "script" else "."),
            )
        self._trust.record(spec)


def _told(call: object, text: str) -> None:
    """The server alone would know otherwise, and may hide it."""
    if isinstance(call, Call):
        call.notice(text)
