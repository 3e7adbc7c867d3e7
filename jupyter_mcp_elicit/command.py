"""``jupyter mcp-elicit``: which command is meant, and its errors in one sentence."""

from __future__ import annotations

import argparse
import sys

from ._version import __version__
from .commands import demo, doctor, logout, servers
from .core.errors import LocalError


def main(argv: list[str] | None = None) -> int:
    """The exit code. Errors are one sentence on stderr."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments[:1] == ["demo-server"]:
        from .demo.main import main as serve

        return serve(arguments[1:])
    if arguments[:1] == ["call"]:
        from .commands.call import main as call

        return call(arguments[1:])
    parsed = _parser().parse_args(arguments)
    try:
        return int(parsed.run(parsed) or 0)
    except LocalError as error:
        print(error, file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jupyter mcp-elicit", description="Answer MCP servers inside the running notebook cell."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    demo.add_to(commands)
    commands.add_parser(
        "demo-server",
        help="run the bistro alone, or its --hostile twin, over stdio or with --http",
        add_help=False,
    )
    servers.add_to(commands)
    doctor.add_to(commands)
    commands.add_parser(
        "call", help="call a tool of an MCP server from a terminal, which asks at its prompt", add_help=False
    )
    logout.add_to(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
