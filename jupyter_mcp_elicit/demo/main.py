"""The command line of the bistro."""

from __future__ import annotations

import argparse
import asyncio
import logging
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until the client leaves (stdio) or the process is told to stop (HTTP). Logs go to stderr only."""
    options = _parser().parse_args(argv)
    if options.hostile:
        return _hostile(options)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="bistro: %(message)s")

    from .bistro import bistro_server
    from .journal import Journal

    journal = Journal(options.journal)
    if options.conformance:
        from .conformance.server import conformance_server

        server = conformance_server(journal, patience=options.patience)
    else:
        server = bistro_server(journal, patience=options.patience)
    serving = _serve_http(server, options.host, options.port) if options.http else _serve_stdio(server)
    try:
        asyncio.run(serving)
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m jupyter_mcp_elicit.demo",
        description="A bistro that asks: a demo MCP server with elicitation, on stdio or streamable HTTP.",
    )
    parser.add_argument(
        "--hostile", action="store_true", help="the badly behaved twin instead, to see what a client bears"
    )
    parser.add_argument(
        "--conformance", action="store_true", help="the tools that the MCP conformance suite calls instead"
    )
    parser.add_argument("--http", action="store_true", help="streamable HTTP at /mcp instead of stdio")
    parser.add_argument(
        "--host", default="127.0.0.1", choices=LOOPBACK, help="loopback only; 127.0.0.1 by default"
    )
    parser.add_argument(
        "--port", type=int, default=0, help="0, the default, takes a free one; stderr says which"
    )
    parser.add_argument(
        "--journal", type=Path, metavar="FILE", help="append each answer received, one JSON line each"
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=3600.0,
        metavar="SECONDS",
        help="how long an answer may take on 2026-07-28",
    )
    return parser


def _hostile(options: argparse.Namespace) -> int:
    from .hostile import http, stdio

    try:
        if options.http:
            http.serve("127.0.0.1" if options.host == "localhost" else options.host, options.port)
        else:
            stdio.serve()
    except KeyboardInterrupt:
        return 130
    return 0


async def _serve_stdio(server: Server[Any]) -> None:
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


async def _serve_http(server: Server[Any], host: str, port: int) -> None:
    import uvicorn

    family = socket.AF_INET6 if host == "::1" else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        shown = f"[{host}]" if family == socket.AF_INET6 else host
        # Said before the first request can come: the socket listens as soon as uvicorn takes it.
        listener.listen()
        sys.stderr.write(f"bistro: open at http://{shown}:{listener.getsockname()[1]}/mcp\n")
        sys.stderr.flush()
        config = uvicorn.Config(
            server.streamable_http_app(host=host),
            log_config=None,
            access_log=False,
            # A client that keeps its stream open must not keep a stopped server alive.
            timeout_graceful_shutdown=1,
        )
        await uvicorn.Server(config).serve(sockets=[listener])
