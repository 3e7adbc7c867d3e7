"""``connect``: a configured server by its name, or a URL, a command list, a server object."""

from __future__ import annotations

import asyncio
import os
import weakref
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..core.errors import LocalError
from ..policy import Answers, Script
from .backend import Backend, ServerBackend
from .desk import Desk, KernelDesk, find_desk
from .link import Link
from .presence import FrontEnd, front_end, kernel
from .toolbox import McpServer
from .unheard import ADVICE

if TYPE_CHECKING:
    from ..client.spec import ServerSpec
    from ..core.elicitation import Mode
    from .start import Start


async def connect(
    server: Any,
    *,
    answers: Answers | None = None,
    name: str | None = None,
    era: str | None = None,
    elicitation: Iterable[str] | None = None,
    trace_contents: bool = False,
) -> McpServer:
    """Connect to an MCP server; its questions appear under the cell that calls its tools.

    ``server`` is the name of a configured server (the connection lives in the Jupyter
    server), or a URL, a command as a list, or a server object (it lives in this kernel).
    ``answers`` answers by script: a list of ``Accept``, ``Decline``, ``Cancel``, used up
    in order, or a function of the question. ``name`` is what the form calls a server that
    is not configured; ``era`` and ``elicitation`` are what mcp.json would say of it: ``auto``,
    ``legacy`` or a revision (``legacy`` for a server object, else ``auto``), and the kinds of
    question that it may ask, ``form`` and ``url`` (none of them: ``[]``, and it is told so).
    ``trace_contents``: its trace keeps what was answered too; for a configured server that is the
    trait ``trace_contents``. Raises ``LocalError`` when there is no such server or it cannot start.
    """
    connected = await reach(
        server,
        answers=answers,
        name=name,
        era=era,
        elicitation=elicitation,
        trace_contents=trace_contents,
    )
    await connected.list_tools()
    return connected


async def reach(
    server: Any,
    *,
    answers: Answers | None = None,
    name: str | None = None,
    era: str | None = None,
    elicitation: Iterable[str] | None = None,
    trace_contents: bool = False,
    advice: str = ADVICE,
) -> McpServer:
    """As :func:`connect`, with nothing started yet. ``advice``: what to do where nobody can answer."""
    script = None if answers is None else Script(answers)
    desk = find_desk()
    # Here, since other threads do not tell whose page it is.
    there = front_end()
    link = Link.find()
    backend: Backend
    if isinstance(server, str) and not _is_url(server):
        if name is not None or era is not None or elicitation is not None:
            raise LocalError(
                "name=, era= and elicitation= are for servers that are not configured; mcp.json has them."
            )
        if trace_contents and link is not None:
            raise LocalError(
                "trace_contents= is for connections of this kernel.",
                hint="For configured servers start Jupyter with --ElicitApp.trace_contents=True.",
            )
        title = server
        if link is not None:
            backend = ServerBackend(link, desk, server)
        else:
            # mcp takes half a second to import: not on the kernel's loop.
            backend = await asyncio.to_thread(_configured, desk, there, server)
    else:
        title = name or _title(server)
        modes = ("form", "url") if elicitation is None else tuple(elicitation)
        if not {*modes} <= {"form", "url"}:
            raise LocalError('elicitation= is a list of "form" and "url", or [] for none of them.')
        backend = await asyncio.to_thread(_of_kernel, desk, there, server, title, era, modes, trace_contents)
    connected = McpServer(title, backend, script, advice)
    # A cell that is run again makes a new connection: the old one and its process end with its last user.
    weakref.finalize(connected, backend.let_go).atexit = False
    return connected


def _is_url(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))


def _title(server: Any) -> str:
    if isinstance(server, str):
        # As a server's name, without what a URL may hold of secrets.
        return urlsplit(server).netloc.rpartition("@")[2] or "MCP server"
    if isinstance(server, list | tuple) and server:
        return Path(str(server[0])).name
    return str(getattr(server, "name", "") or type(server).__name__)


def _configured(desk: Desk, there: FrontEnd, name: str) -> Backend:
    """Without a Jupyter server, the same mcp.json, connected to from this kernel."""
    from jupyter_core.paths import jupyter_config_path

    from ..client.config import load_servers

    specs, problems = load_servers([Path(each) for each in jupyter_config_path()], {})
    if name not in specs:
        known = ", ".join(sorted(specs)) or "none"
        elsewhere = (
            "and the servers of the page's Jupyter are out of reach: this kernel runs behind a gateway"
            if "KERNEL_GATEWAY" in os.environ
            else "and this kernel has no Jupyter server with jupyter_mcp_elicit to ask"
        )
        raise LocalError(
            f'There is no MCP server "{name}" in the configuration (configured: {known})'
            + (f", {elsewhere}." if kernel() is not None else "."),
            hint=" ".join(problems)
            or "Add it to mcp.json in a Jupyter config directory of this machine, or give a URL or command.",
        )
    from ..client.trust import TrustStore
    from .start import Start

    trust = TrustStore.of_user()
    spec = trust.in_era(specs[name])
    # Without a Jupyter server the desk is this kernel's own.
    start = Start(spec, trust, desk) if isinstance(desk, KernelDesk) else None
    return _of_spec(desk, there, spec, start=start)


def _of_kernel(
    desk: Desk,
    there: FrontEnd,
    server: Any,
    title: str,
    era: str | None,
    modes: tuple[Any, ...],
    trace_contents: bool,
) -> Backend:
    from ..client.spec import ServerSpec

    if isinstance(server, str):
        spec = ServerSpec(name=title, url=server, era=era or "auto", capabilities=modes)
        return _of_spec(desk, there, spec, trace_contents)
    if isinstance(server, list | tuple):
        if not server or not all(isinstance(part, str) for part in server):
            raise LocalError('A command must be a list of text, like ["python", "-m", "my_server"].')
        command, *args = server
        spec = ServerSpec(
            name=title, command=command, args=tuple(args), era=era or "auto", capabilities=modes
        )
        return _of_spec(desk, there, spec, trace_contents)
    from ..client.connection import Connection
    from .local import KernelBackend

    declared = _modes(desk, there, modes)
    # In the handshake era every way of asking works that such a server has, ctx.elicit included.
    return KernelBackend(
        desk,
        lambda ask, hooks: Connection.of_server(
            title, server, ask, era=era or "legacy", capabilities=declared, **hooks
        ),
        trace_contents=trace_contents,
    )


def _of_spec(
    desk: Desk, there: FrontEnd, spec: ServerSpec, trace_contents: bool = False, start: Start | None = None
) -> Backend:
    from ..client.connection import Connection
    from .local import KernelBackend

    declared = replace(spec, capabilities=_modes(desk, there, spec.capabilities))
    return KernelBackend(
        desk,
        lambda ask, hooks: Connection(declared, ask, **hooks),
        start=start,
        deadline=spec.deadline,
        trace_contents=trace_contents,
    )


def _modes(desk: Desk, there: FrontEnd, wanted: tuple[Mode, ...]) -> tuple[Mode, ...]:
    """Those of ``wanted`` that can be asked from here: to open an address takes a person, at a page, or
    at a prompt of this kernel's own.
    """
    can_open = there == "page" or (there == "text" and isinstance(desk, KernelDesk))
    return tuple(mode for mode in wanted if mode == "form" or can_open)
