"""``servers``: what is configured, and what is wrong with it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any


def add_to(commands: Any) -> None:
    """``commands``: what ``add_subparsers`` gives."""
    servers = commands.add_parser(
        "servers", help="list the MCP servers that are configured, and what is wrong"
    )
    servers.set_defaults(run=_servers)


def _servers(parsed: argparse.Namespace) -> int:
    from jupyter_core.paths import jupyter_config_path

    from ..client.config import load_servers

    specs, problems = load_servers([Path(each) for each in jupyter_config_path()], {})
    for spec in specs.values():
        print(f"{spec.name}\t{spec.transport}\tera: {spec.era}")
    for problem in problems:
        print(problem, file=sys.stderr)
    if not specs and not problems:
        print("No MCP server is configured. Add one to mcp.json in one of:")
        print("\n".join(f"  {each}" for each in jupyter_config_path()))
    return 1 if problems else 0
