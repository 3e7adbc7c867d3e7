"""``demo``: JupyterLab on the first notebook, with a bistro to ask you."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..core.errors import LocalError

FIRST_NOTEBOOK = "01_first_form.ipynb"


def add_to(commands: Any) -> None:
    """``commands``: what ``add_subparsers`` gives."""
    demo = commands.add_parser("demo", help="open JupyterLab on the first notebook, with a bistro to ask you")
    demo.add_argument(
        "--dir",
        type=Path,
        default=Path("mcp-elicit-demo"),
        help="where the notebooks are copied to and kept (default: ./mcp-elicit-demo)",
    )
    demo.add_argument(
        "--app", choices=["lab", "notebook"], default="lab", help="which front end (default: lab)"
    )
    demo.add_argument("options", nargs="*", help="options for Jupyter, after --")
    demo.set_defaults(run=_demo)


def _demo(parsed: argparse.Namespace) -> int:
    folder = parsed.dir.absolute()
    first = copy_notebooks(folder)
    settings = folder / ".jupyter"
    _configure(settings)
    # The demo's own entry first, the person's configuration after it.
    path = os.pathsep.join(filter(None, [str(settings), os.environ.get("JUPYTER_CONFIG_PATH", "")]))
    environment = {**os.environ, "JUPYTER_CONFIG_PATH": path}
    options = list(parsed.options)
    if not _has_display():
        options.append("--no-browser")
        print("There is no display here: open the address below in your browser.", file=sys.stderr)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")
    lab = parsed.app == "lab"
    target = "lab/tree" if lab else "notebooks"
    command = [
        sys.executable,
        "-m",
        "jupyter",
        parsed.app,
        f"--ServerApp.root_dir={folder}",
        f"--{'LabApp' if lab else 'JupyterNotebookApp'}.default_url=/{target}/{first.name}",
        *options,
    ]
    sys.stdout.flush()
    os.chdir(folder)
    os.execve(sys.executable, command, environment)


def copy_notebooks(folder: Path) -> Path:
    """Copies what is not there yet, so that nobody's own work is overwritten."""
    source = Path(str(files("jupyter_mcp_elicit"))) / "demo" / "notebooks"
    if not source.is_dir():
        # An editable installation: the notebooks stand beside the package.
        source = Path(str(files("jupyter_mcp_elicit"))).parent / "notebooks"
    if not (source / FIRST_NOTEBOOK).is_file():
        raise LocalError("The demo's notebooks were not installed.", hint="Install jupyter_mcp_elicit again.")
    folder.mkdir(parents=True, exist_ok=True)
    for notebook in sorted(source.glob("*.ipynb")):
        if not (folder / notebook.name).exists():
            shutil.copyfile(notebook, folder / notebook.name)
    return folder / FIRST_NOTEBOOK


def _configure(settings: Path) -> None:
    settings.mkdir(mode=0o700, exist_ok=True)
    settings.chmod(0o700)
    # The first question here is to be the bistro's, not one about news.
    quiet = settings / "labconfig" / "default_setting_overrides.json"
    quiet.parent.mkdir(exist_ok=True)
    quiet.write_text(json.dumps({"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}))
    entry = {"command": sys.executable, "args": ["-m", "jupyter_mcp_elicit.demo"]}
    # Starts only for whoever connects to it by this name.
    twin = {**entry, "args": [*entry["args"], "--hostile"]}
    path = settings / "mcp.json"
    path.touch(mode=0o600, exist_ok=True)
    path.chmod(0o600)
    path.write_text(json.dumps({"mcpServers": {"bistro": entry, "hostile-twin": twin}}, indent=2), "utf-8")


def _has_display() -> bool:
    return sys.platform in ("win32", "darwin") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
