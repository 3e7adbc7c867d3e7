"""A connected MCP server and its tools, as code in a notebook uses them."""

from __future__ import annotations

import html
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from ..core.errors import LocalError
from ..core.text import shown
from ..core.wire import Json
from ..policy import Script
from .ask import asks
from .backend import Backend
from .conversation import Conversation
from .desk import Events
from .markup import LITERAL
from .offers import Contents, Messages
from .result import Result
from .unheard import ADVICE

if TYPE_CHECKING:
    from .trace import Trace


@dataclass(frozen=True)
class Tool:
    """One tool. ``input_schema`` is its JSON Schema, ``description`` the server's text."""

    name: str
    description: str
    input_schema: Json

    @property
    def signature(self) -> inspect.Signature:
        """Its arguments as keyword parameters; the optional ones last, with ``None`` or their default."""
        properties = self.input_schema.get("properties")
        required = self.input_schema.get("required")
        given = properties if isinstance(properties, dict) else {}
        needed = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()
        # Any other argument can still be given, in a dict to call_tool().
        names = [name for name in given if name.isidentifier() and not iskeyword(name)]
        parameters = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if name in needed else _default(given[name]),
            )
            for name in sorted(names, key=lambda name: name not in needed)
        ]
        return inspect.Signature(parameters)


class Tools(tuple[Tool, ...]):
    """The tools of a server, shown as a table."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self:
            return "This server has no tools."
        return "\n".join(f"{_named(tool)}{_arguments_of(tool)}  {_brief(tool.description)}" for tool in self)

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><td style="text-align:left"><code>{html.escape(_named(tool))}</code></td>'
            f'<td style="text-align:left"><code>{html.escape(_arguments_of(tool))}</code></td>'
            f'<td style="text-align:left">{html.escape(_brief(tool.description))}</td></tr>'
            for tool in self
        )
        head = "".join(
            f'<th style="text-align:left">{title}</th>' for title in ("tool", "arguments", "what it does")
        )
        return f"<table {LITERAL}><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


class McpServer:
    """A connected server. Its questions appear under the cell that calls one of its tools."""

    def __init__(
        self, name: str, backend: Backend, script: Script | None = None, advice: str = ADVICE
    ) -> None:
        self.name = name
        self.tools = ToolFunctions(self)
        self._backend = backend
        self._script = script
        self._advice = advice
        self._known = Tools()
        self._talks: list[Conversation] = []

    def __repr__(self) -> str:
        names = ", ".join(_named(tool) for tool in self._known) or "no tools"
        return f"<MCP server {self.name!r}: {names}>"

    @property
    def forms(self) -> tuple[Any, ...]:
        """The open forms of running calls, each an :class:`ElicitationForm`."""
        return tuple(form for talk in self._talks for form in talk.forms if form.is_open)

    async def list_tools(self) -> Tools:
        """What the server offers, read anew. Starts the server when it does not run."""
        who = asks(self._script)
        last = await self._talk().arun(lambda: self._backend.list_tools(who))
        self._known = Tools(
            Tool(str(each["name"]), str(each.get("description") or ""), each.get("inputSchema") or {})
            for each in last["result"]["tools"]
        )
        return self._known

    async def call_tool(self, name: str, arguments: Json | None = None) -> Result:
        """Call a tool and await its result; a question appears under this cell.

        Interrupting the cell withdraws the question and leaves the connection usable.
        Raises ``RemoteError`` when the server answers with an error, ``LocalError`` when
        it cannot be reached. A tool's own failure is a result with ``is_error``.
        """
        given = _arguments(arguments)
        who = asks(self._script)
        return Result(await self._arun(lambda: self._backend.call_tool(name, given, who)))

    def call(self, name: str, arguments: Json | None = None) -> Result:
        """The same, blocking: for scripts, and for code that cannot await."""
        given = _arguments(arguments)
        who = asks(self._script, blocking=True)
        return Result(self._run(lambda: self._backend.call_tool(name, given, who)))

    async def list_prompts(self) -> list[Json]:
        """The server's prompts, as the JSON objects of the specification."""
        return list((await self._arun(self._opening("list", "prompts")))["prompts"])

    async def get_prompt(self, name: str, arguments: Json | None = None) -> Messages:
        """A prompt's messages; ``arguments`` are text by name. Asks and raises as :meth:`call_tool` does."""
        return Messages(await self._arun(self._opening("prompt", name, arguments)))

    def prompt(self, name: str, arguments: Json | None = None) -> Messages:
        """The same, blocking."""
        return Messages(self._run(self._opening("prompt", name, arguments, blocking=True)))

    async def list_resources(self) -> list[Json]:
        """The server's resources, as the JSON objects of the specification."""
        return list((await self._arun(self._opening("list", "resources")))["resources"])

    async def read_resource(self, uri: str) -> Contents:
        """What a resource holds. Asks and raises as :meth:`call_tool` does."""
        return Contents(await self._arun(self._opening("resource", uri)))

    def resource(self, uri: str) -> Contents:
        """The same, blocking."""
        return Contents(self._run(self._opening("resource", uri, blocking=True)))

    def trace(self) -> Trace:
        """Every JSON-RPC frame of the connection so far: a table, and a diagram, with the meaning of each.

        What was answered, what came back for it and states are left out, unless the connection was made
        to keep them (trait ``trace_contents``, or ``connect(…, trace_contents=True)``). Of addresses
        only the host is kept. A call's arguments and the words of a question are shown: they are your
        code's, and the server's. The last 400 frames, oldest first, at most a million characters.
        Raises ``LocalError`` when the Jupyter server cannot be reached.
        """
        from .trace import Trace

        return Trace(self._backend.trace(), self.name)

    def close(self) -> None:
        """End a connection that lives in this kernel. A configured server's ends with the kernel."""
        self._backend.close()

    def _opening(
        self, kind: str, name: str, arguments: Json | None = None, *, blocking: bool = False
    ) -> Callable[[], Events]:
        given = _arguments(arguments)
        who = asks(self._script, blocking=blocking)
        return lambda: self._backend.run(kind, name, given, who)

    async def _arun(self, open_events: Callable[[], Events]) -> Json:
        __tracebackhide__ = True
        talk = self._talk()
        self._talks.append(talk)
        try:
            return dict((await talk.arun(open_events))["result"])
        finally:
            self._talks.remove(talk)

    def _run(self, open_events: Callable[[], Events]) -> Json:
        talk = self._talk()
        self._talks.append(talk)
        try:
            return dict(talk.run(open_events)["result"])
        finally:
            self._talks.remove(talk)

    def _talk(self) -> Conversation:
        return Conversation(self._backend.desk, script=self._script, advice=self._advice)

    def _tool(self, name: str) -> Tool | None:
        return next((tool for tool in self._known if tool.name == name), None)


class ToolFunctions:
    """``server.tools.<name>(…)``: each tool as an async function with its signature and description."""

    def __init__(self, server: McpServer) -> None:
        self._server = server

    def __dir__(self) -> list[str]:
        return sorted(tool.name for tool in self._server._known if tool.name.isidentifier())

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._server._known)

    def __repr__(self) -> str:
        return repr(self._server._known)

    def _repr_html_(self) -> str:
        return self._server._known._repr_html_()

    def __getitem__(self, name: str) -> Any:
        return self._function(name)

    def __getattr__(self, name: str) -> Any:
        # IPython and copy() probe for all sorts of methods; a tool that does not exist must look absent.
        if name.startswith("_"):
            raise AttributeError(name)
        if self._server._tool(name) is None:
            known = ", ".join(_named(tool) for tool in self._server._known) or "none"
            raise AttributeError(f'{self._server.name} has no tool "{name}" (it has: {known}).')
        return self._function(name)

    def _function(self, name: str) -> Any:
        tool = self._server._tool(name)
        if tool is None:
            raise LocalError(
                f'{self._server.name} has no tool "{name}".', hint="list_tools() reads them anew."
            )

        async def function(**arguments: Any) -> Result:
            return await self._server.call_tool(name, arguments)

        function.__name__ = function.__qualname__ = name
        function.__doc__ = shown(tool.description, 10_000, newlines=True)
        function.__signature__ = tool.signature  # type: ignore[attr-defined]
        return function


def _arguments(given: Json | None) -> Json:
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise LocalError(f"A tool's arguments are a dict, not {type(given).__name__}.")
    return given


def _named(tool: Tool) -> str:
    return shown(tool.name, 80)


def _arguments_of(tool: Tool) -> str:
    return shown(str(tool.signature), 200)


def _default(shape: Any) -> Any:
    return shape.get("default") if isinstance(shape, dict) else None


def _brief(text: str) -> str:
    return shown(text.strip().split("\n\n")[0], 200)
