"""Whether pages of JupyterLab and Notebook 7 have our part, of this version, and enabled."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .._version import __version__
from .finding import Finding

NAME = "jupyter-mcp-elicit"
ABOUT = "labextension"


def check() -> Iterator[Finding]:
    from jupyter_core.paths import jupyter_path

    places = [Path(each) / NAME / "package.json" for each in jupyter_path("labextensions")]
    found = next((each for each in places if each.is_file()), None)
    if found is None:
        has_pages = any(map(importlib.util.find_spec, ("jupyterlab", "notebook")))
        yield Finding(
            "problem" if has_pages else "warn",
            ABOUT,
            "it is not installed, so pages show no form under the cell",
            "install jupyter_mcp_elicit in the environment of JupyterLab",
        )
        return
    version = _version(found)
    if _bare(version) != _bare(__version__):
        yield Finding(
            "problem",
            ABOUT,
            f"{version or 'an unknown version'} at {found.parent}, and the package is {__version__}",
            "remove the older one, and reload the page",
        )
    elif disabled := [each for each in _disabled() if each == NAME or each.startswith(f"{NAME}:")]:
        whole = NAME in disabled
        yield Finding(
            "problem" if whole else "warn",
            ABOUT,
            f"disabled: {', '.join(disabled)}",
            f"run: jupyter labextension enable {disabled[0]}",
        )
    else:
        yield Finding("ok", ABOUT, f"{version}, enabled")


def _version(path: Path) -> str:
    try:
        shape: Any = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return ""
    return str(shape.get("version", "")) if isinstance(shape, dict) else ""


def _bare(version: str) -> str:
    """0.2.0.dev0 for Python is 0.2.0-dev.0 for npm."""
    return "".join(each for each in version if each.isalnum())


def _disabled() -> list[str]:
    try:
        from jupyterlab_server.config import get_page_config
    except ImportError:
        return []
    from jupyter_core.paths import jupyter_path

    folder = os.environ.get("JUPYTERLAB_DIR") or str(Path(sys.prefix, "share", "jupyter", "lab"))
    config = get_page_config(jupyter_path("labextensions"), str(Path(folder, "settings")))
    return [str(each) for each in config.get("disabledExtensions", [])]
