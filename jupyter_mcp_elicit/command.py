"""``jupyter mcp-elicit``: the demo, the demo's server, and what is configured."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from importlib.resources import files
from pathlib import Path

from ._version import __version__
from .core.errors import LocalError

FIRST_NOTEBOOK = "01_first_form.ipynb"


def main(argv: list[str] | None = None) -> int:
    """The exit code. Errors are one sentence on stderr."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments[:1] == ["demo-server"]:
        from .demo.main import main as serve

        return serve(arguments[1:])
    parsed = _parser().parse_args(arguments)
    try:
        return int(parsed.run(parsed) or 0)
    except LocalError as error:
        print(error, file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jupyter mcp-elicit", description="Answer MCP servers inside the running notebook cell."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
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
    commands.add_parser(
        "demo-server",
        help="run the bistro alone, or its --hostile twin, over stdio or with --http",
        add_help=False,
    )
    servers = commands.add_parser(
        "servers", help="list the MCP servers that are configured, and what is wrong"
    )
    servers.set_defaults(run=_servers)
    return parser


def _demo(parsed: argparse.Namespace) -> int:
    folder = parsed.dir.absolute()
    first = _copy_notebooks(folder)
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


def _copy_notebooks(folder: Path) -> Path:
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


def _servers(parsed: argparse.Namespace) -> int:
    from jupyter_core.paths import jupyter_config_path

    from .client.config import load_servers

    specs, problems = load_servers([Path(each) for each in jupyter_config_path()], {})
    for spec in specs.values():
        print(f"{spec.name}\t{spec.transport}\tera: {spec.era}")
    for problem in problems:
        print(problem, file=sys.stderr)
    if not specs and not problems:
        print("No MCP server is configured. Add one to mcp.json in one of:")
        print("\n".join(f"  {each}" for each in jupyter_config_path()))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
