"""Whether the kernels that can be chosen here have what a form needs, each in its own environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from .._version import __version__
from ..core.text import shown
from .finding import Finding

#: Seconds that an interpreter may take to say what it has.
PATIENCE = 30.0

PROBE = """
import importlib, json
found = {}
for name in ("ipykernel", "ipywidgets", "anywidget", "jupyter_mcp_elicit"):
    try:
        found[name] = str(getattr(importlib.import_module(name), "__version__", "installed"))
    except Exception as error:
        found[name] = None
print(json.dumps(found))
"""


def check() -> Iterator[Finding]:
    from jupyter_client.kernelspec import KernelSpecManager

    specs: dict[str, Any] = KernelSpecManager().get_all_specs()
    if not specs:
        yield Finding("problem", "kernels", "there is none", "run: python -m pip install ipykernel")
    for name, found in sorted(specs.items()):
        yield _of_kernel(name, found["spec"])


def _of_kernel(name: str, spec: dict[str, Any]) -> Finding:
    about = f"kernel {shown(name, 80)}"
    argv = spec.get("argv") or [""]
    if spec.get("language") != "python" or not any("ipykernel" in each for each in argv):
        return Finding("ok", about, "no IPython kernel: it has no forms, and is not looked into")
    python = _interpreter(argv[0])
    try:
        done = subprocess.run(
            [python, "-c", PROBE],
            env={**os.environ, **(spec.get("env") or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        has: dict[str, str | None] = json.loads(done.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        return Finding(
            "problem",
            about,
            f"{python} does not run ({type(error).__name__})",
            f"remove it: jupyter kernelspec remove {name}",
        )
    missing = [each for each, version in has.items() if version is None]
    ours = has["jupyter_mcp_elicit"]
    if missing:
        return Finding(
            "problem" if has["ipykernel"] is None else "warn",
            about,
            f"{', '.join(missing)} cannot be imported by {python}",
            f"run: {python} -m pip install {'jupyter_mcp_elicit' if ours is None else ' '.join(missing)}",
        )
    if ours != __version__:
        return Finding(
            "warn",
            about,
            f"it has jupyter_mcp_elicit {ours}, and this is {__version__}",
            "install the same version in both",
        )
    versions = ", ".join(f"{each} {has[each]}" for each in ("ipykernel", "ipywidgets", "anywidget"))
    return Finding("ok", about, versions)


def _interpreter(command: str) -> str:
    # As jupyter_client does: a bare python is the one that Jupyter itself runs with.
    bare = {"python", f"python{sys.version_info[0]}", ".".join(map(str, ("python3", sys.version_info[1])))}
    return sys.executable if command in bare else command
