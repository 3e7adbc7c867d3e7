"""Installs the peers into ``.cache/peers`` under the project's root.

``python tests/interop/peers/install.py``:
node packages by ``npm ci``, and one virtual environment per Python SDK.
What was made from the same requirements before is left alone.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from runtime import CACHE, node

HERE = Path(__file__).resolve().parent

#: Copied beside node_modules, where node looks for their imports.
BESIDE = ("loopback.cjs", "ts2.mjs")


def main() -> None:
    CACHE.mkdir(parents=True, exist_ok=True)
    for name in BESIDE:
        shutil.copyfile(HERE / name, CACHE / name)
    _once("node_modules", ("package.json", "package-lock.json", ".npmrc"), _node_modules)
    for name in ("fastmcp", "mcp1"):
        _once(name, (f"requirements-{name}.txt",), lambda name=name: _venv(name))


def _once(name: str, requirements: Sequence[str], make: Callable[[], None]) -> None:
    digest = hashlib.sha256(sys.version.encode())
    for file in requirements:
        digest.update((HERE / file).read_bytes())
    stamp = CACHE / f"{name}.stamp"
    if (CACHE / name).is_dir() and stamp.exists() and stamp.read_text() == digest.hexdigest():
        sys.stdout.write(f"{name}: up to date\n")
        return
    stamp.unlink(missing_ok=True)
    make()
    # Written last: an install that was cut off is made anew.
    stamp.write_text(digest.hexdigest())
    sys.stdout.write(f"{name}: installed\n")


def _node_modules() -> None:
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copyfile(HERE / name, CACHE / name)
    program, npm = node()
    path = os.pathsep.join([str(Path(program).parent), os.environ.get("PATH", "")])
    # No scripts: these packages need none, and nothing of theirs should run before a test asks for it.
    flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    _run([*npm, "ci", *flags], cwd=CACHE, env={**os.environ, "PATH": path})


def _venv(name: str) -> None:
    home, requirements = CACHE / name, str(HERE / f"requirements-{name}.txt")
    shutil.rmtree(home, ignore_errors=True)
    python = str(home / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    if importlib.util.find_spec("uv") is not None:
        from uv import find_uv_bin

        uv = find_uv_bin()
        _run([uv, "venv", "--quiet", "--python", sys.executable, str(home)])
        _run([uv, "pip", "install", "--quiet", "--python", python, "--requirement", requirements])
    else:
        _run([sys.executable, "-m", "venv", str(home)])
        _run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements])


def _run(argv: Sequence[str], *, cwd: Path | None = None, env: dict[str, str] | None = None) -> None:
    done = subprocess.run(argv, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(argv)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
