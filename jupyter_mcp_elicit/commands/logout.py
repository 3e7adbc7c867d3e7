"""``logout``: forget the sign-in to one MCP server."""

from __future__ import annotations

import argparse
from typing import Any


def add_to(commands: Any) -> None:
    """``commands``: what ``add_subparsers`` gives."""
    logout = commands.add_parser("logout", help="forget the sign-in to an MCP server")
    logout.add_argument("server", metavar="SERVER", help="its name in mcp.json")
    logout.set_defaults(run=_logout)


def _logout(parsed: argparse.Namespace) -> int:
    from ..client.tokens import Tokens

    if not Tokens.of_user().forget(parsed.server):
        print(f'There is no sign-in to "{parsed.server}"; nothing was changed.')
        return 1
    print(
        f'The sign-in to "{parsed.server}" is forgotten here, in running Jupyter servers too. '
        "To end it everywhere, take the access away on the site where you signed in."
    )
    return 0
