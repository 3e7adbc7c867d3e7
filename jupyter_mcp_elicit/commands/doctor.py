"""``doctor``: what works here and what does not, one line each."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from typing import Any

from ..core.text import shown


def add_to(commands: Any) -> None:
    """``commands``: what ``add_subparsers`` gives."""
    doctor = commands.add_parser("doctor", help="say what works here and what does not, and what to do")
    doctor.add_argument(
        "--connect", action="store_true", help="also start each configured MCP server and list its tools"
    )
    doctor.add_argument("--json", action="store_true", help="as a JSON list")
    doctor.set_defaults(run=_doctor)


def _doctor(parsed: argparse.Namespace) -> int:
    from ..doctor.checkup import examine

    findings = []
    for finding in examine(connect=parsed.connect):
        findings.append(finding)
        if not parsed.json:
            print(shown(str(finding), 4000), flush=True)
    if parsed.json:
        json.dump([asdict(each) for each in findings], sys.stdout, indent=2)
        print()
    return 1 if any(each.level == "problem" for each in findings) else 0
