"""``call``: one tool of an MCP server, from a terminal, where its questions are asked too."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.elicitation import Answer
from ..core.errors import LocalError, RemoteError
from ..core.text import shown
from ..core.wire import Json, read_answer

if TYPE_CHECKING:
    from ..kernel.result import Result
    from ..kernel.toolbox import McpServer

FAILED, TOOL_FAILED, INTERRUPTED = 1, 3, 130

CODES = """\
exit code: 0 a result; 1 an error of ours or of the server; 2 a wrong command line;
3 a result that says that the tool failed; 130 interrupted"""

ADVICE = "call it from a terminal, or give --answers FILE"


def main(arguments: Sequence[str]) -> int:
    """The exit code, as :data:`CODES` says. Where stdout is piped, it gets the result and nothing else."""
    options = _options(arguments)
    try:
        with _talk_beside_the_result():
            result = _called(options)
    except (LocalError, RemoteError) as error:
        # A server's words may hold what a terminal would obey.
        print(shown(str(error), 10_000, newlines=True), file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("\nInterrupted: the call was cancelled.", file=sys.stderr)
        return INTERRUPTED
    print(_printed(result, options.output))
    for sentence in ("The tool failed." if result.is_error else "", result.hint, result.note):
        if sentence:
            print(sentence, file=sys.stderr)
    return TOOL_FAILED if result.is_error else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    words, command = list(arguments), []
    if "--" in words:
        place = words.index("--")
        words, command = words[:place], words[place + 1 :]
    parser = _parser()
    options = parser.parse_intermixed_args(words)
    if "--" in arguments:
        if not command:
            parser.error("after -- the command of a server is missing")
        if len(options.names) != 1:
            parser.error("with -- COMMAND give the name of the tool alone")
        options.server, options.tool = command, options.names[0]
    elif len(options.names) != 2:
        parser.error("give a server and the name of its tool")
    else:
        options.server, options.tool = options.names
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jupyter mcp-elicit call",
        usage="%(prog)s [options] SERVER TOOL\n       %(prog)s [options] TOOL -- COMMAND [ARGUMENT …]",
        description="Call a tool of an MCP server. What it asks is asked here, at the prompt.",
        epilog=CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "names", nargs="*", metavar="SERVER TOOL", help="SERVER: a name in mcp.json, or the URL of a server"
    )
    parser.add_argument(
        "--arg",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an argument of the tool, read by the type that the tool says it has; may be repeated",
    )
    parser.add_argument("--json", metavar="OBJECT", help="all arguments of the tool as one JSON object")
    parser.add_argument(
        "--answers",
        type=Path,
        metavar="FILE",
        help='answer by script: a JSON list of {"action": "accept", "content": {…}}, decline or cancel',
    )
    parser.add_argument(
        "--output", choices=["text", "json"], default="text", help="the result's text, or all of it"
    )
    parser.add_argument("--era", help="of a server that is not configured: auto, legacy or a revision of MCP")
    return parser


@contextlib.contextmanager
def _talk_beside_the_result() -> Iterator[None]:
    """Where the result is piped, or nobody types, questions and notices go to stderr."""
    if sys.stdout.isatty() and sys.stdin.isatty():
        yield
        return
    with contextlib.redirect_stdout(sys.stderr):
        yield


def _called(options: argparse.Namespace) -> Result:
    from ..kernel.connect import reach

    answers = None if options.answers is None else _answers(options.answers)
    given = {} if options.json is None else _object("--json", options.json)
    server = asyncio.run(reach(options.server, answers=answers, era=options.era, advice=ADVICE))
    try:
        asyncio.run(server.list_tools())
        return server.call(options.tool, {**given, **_arguments(server, options.tool, options.arg)})
    finally:
        # Its process ends before ours does.
        server.close()


def _arguments(server: McpServer, name: str, given: Sequence[str]) -> Json:
    tools = {tool.name: tool for tool in server.tools}
    if name not in tools:
        known = ", ".join(sorted(tools)) or "none"
        raise LocalError(f'"{server.name}" has no tool "{name}" (it has: {known}).')
    properties = tools[name].input_schema.get("properties")
    shapes = properties if isinstance(properties, dict) else {}
    read: Json = {}
    for each in given:
        key, equals, text = each.partition("=")
        if not equals:
            raise LocalError(f"--arg takes NAME=VALUE, not {each!r}.")
        read[key] = _value(key, text, _types(shapes.get(key)))
    return read


def _types(shape: Any) -> set[str]:
    """The JSON types that a schema names, also inside ``anyOf`` and ``oneOf``; empty when it names none."""
    if not isinstance(shape, dict):
        return set()
    named = shape.get("type")
    found = {str(each) for each in (named if isinstance(named, list) else [named]) if each is not None}
    for key in ("anyOf", "oneOf"):
        inner = shape.get(key)
        found.update(*(_types(each) for each in inner) if isinstance(inner, list) else ())
    return found


def _value(name: str, text: str, types: set[str]) -> Any:
    if not types or "string" in types:
        return text
    try:
        return json.loads(text)
    except ValueError:
        wanted = " or ".join(sorted(types))
        raise LocalError(f"--arg {name}={text} is no JSON, and the tool wants {wanted} there.") from None


def _object(option: str, text: str) -> Json:
    try:
        read = json.loads(text)
    except ValueError as error:
        raise LocalError(f"{option} is no JSON: {error}.") from None
    if not isinstance(read, dict):
        raise LocalError(f"{option} must be a JSON object.")
    return read


def _answers(path: Path) -> list[Answer]:
    try:
        read = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise LocalError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise LocalError(f"{path} is no JSON: {error}.") from None
    if not isinstance(read, list) or not all(isinstance(each, dict) for each in read):
        raise LocalError(f'{path} must hold a list, like [{{"action": "accept", "content": {{…}}}}].')
    return [read_answer(each) for each in read]


def _printed(result: Result, output: str) -> str:
    if output == "json":
        whole = {
            "content": result.content,
            "structuredContent": result.structured_content,
            "isError": result.is_error,
            "_meta": result.meta,
        }
        kept = {key: value for key, value in whole.items() if value is not None and value != {}}
        return json.dumps(kept, indent=2, ensure_ascii=sys.stdout.isatty())
    is_text = all(block.get("type") == "text" for block in result.content)
    # A pipe gets the text as it is; a terminal would obey what it holds.
    return result.text if is_text and result.content and not sys.stdout.isatty() else result.plain
