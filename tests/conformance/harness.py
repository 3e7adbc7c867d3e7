"""The official conformance suite: which scenarios a revision requires, and what its checks say.

Its exit code is not what counts: it is 0 where a scenario was skipped or never scored.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Side = Literal["client", "server"]

#: Seconds that one scenario may take.
LIMIT = 45


@dataclass(frozen=True)
class Outcome:
    """The checks of one scenario in one revision, as the harness wrote them down."""

    scenario: str
    revision: str
    checks: tuple[dict[str, Any], ...]
    said: str

    def named(self, status: str) -> list[str]:
        return [check["name"] for check in self.checks if check["status"] == status]

    @property
    def passed(self) -> int:
        """How many of the scenario's own checks succeeded. That what was sent is valid is no scenario."""
        return sum(
            check["status"] == "SUCCESS" and not check["id"].startswith("wire-schema")
            for check in self.checks
        )

    @property
    def trouble(self) -> str:
        """Why it did not pass, ``""`` when it did: a check succeeded, and none failed or warned."""
        bad = [
            f"{check['status']} {check['id']}: {check.get('errorMessage') or check['description']}"
            for check in self.checks
            if check["status"] not in ("SUCCESS", "INFO", "SKIPPED")
        ]
        if not self.passed:
            bad.append("no check succeeded")
        return "\n".join([*bad, self.said[-3000:]]) if bad else ""


class Harness:
    """``program``: node and the harness's script."""

    def __init__(self, program: tuple[str, ...]) -> None:
        self._program = program

    def required(self, side: Side, revision: str) -> list[str]:
        """The scenarios that ``revision`` requires on that side, by the harness's own word."""
        told = self._run("list", "--requirements", revision).stdout
        required = told.partition("never scored")[0]
        client = required.partition("Client scenarios")[2]
        part = client if side == "client" else required.partition("Client scenarios")[0]
        found = re.findall(r"^  - (\S+)$", part, re.MULTILINE)
        assert found, told
        return found

    def client(self, scenario: str, revision: str, command: list[str], more: dict[str, str]) -> Outcome:
        return self._scenario("client", scenario, revision, ["--command", shlex.join(command)], more)

    def server(self, scenario: str, revision: str, url: str) -> Outcome:
        return self._scenario("server", scenario, revision, ["--url", url], {})

    def _scenario(
        self, side: Side, scenario: str, revision: str, options: list[str], more: dict[str, str]
    ) -> Outcome:
        with tempfile.TemporaryDirectory() as folder:
            done = self._run(
                side,
                *options,
                *("--scenario", scenario, "--spec-version", revision, "--output-dir", folder),
                *("--timeout", str(LIMIT * 1000)),
                more=more,
            )
            # A scenario that the harness skips writes none, and so has no check that succeeded.
            files = sorted(Path(folder).rglob("checks.json"))
            checks = [check for file in files for check in json.loads(file.read_text("utf-8"))]
            return Outcome(scenario, revision, tuple(checks), done.stdout + done.stderr)

    def _run(self, *arguments: str, more: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self._program, *arguments],
            env={**os.environ, "NO_COLOR": "1", **(more or {})},
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT + 15,
        )
