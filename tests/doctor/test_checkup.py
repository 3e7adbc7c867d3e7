"""``jupyter mcp-elicit doctor`` in a real environment that was just made, and gets its parts one by one."""

from __future__ import annotations

import json
import os
import shutil
import site
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest
from jupyter_process import DEMO, JupyterProcess

from jupyter_mcp_elicit import __version__
from jupyter_mcp_elicit.doctor import connections
from jupyter_mcp_elicit.doctor.checkup import examine
from jupyter_mcp_elicit.doctor.finding import Finding

ROOT = Path(__file__).parents[2]
ENABLES = ROOT / "jupyter-config" / "jupyter_server_config.d"

Report = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def empty_environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that can import all that this one can, and whose prefix has no part of Jupyter's."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    [packages] = folder.glob("lib/*/site-packages")
    paths = [str(ROOT), *site.getsitepackages()]
    (packages / "others.pth").write_text("\n".join(paths), "utf-8")
    return folder / "bin" / "python"


class Patient:
    """Runs the doctor with directories of its own."""

    def __init__(self, python: Path, folder: Path) -> None:
        self.folder = folder
        self.python = python
        for name in ("config", "data", "runtime", "shared", "site"):
            (folder / name).mkdir(mode=0o700)
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "JPY_"))}
        self.environment = {
            **kept,
            "HOME": str(folder),
            "JUPYTER_CONFIG_DIR": str(folder / "config"),
            "JUPYTER_DATA_DIR": str(folder / "data"),
            "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
            "JUPYTER_PATH": str(folder / "shared"),
            "JUPYTER_CONFIG_PATH": str(folder / "site"),
        }

    def write(self, path: str, shape: Any) -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(shape), "utf-8")
        file.chmod(0o600)
        return file

    def install(self, version: str) -> Path:
        """The labextension."""
        shape = {"name": "jupyter-mcp-elicit", "version": version, "jupyterlab": {"extension": True}}
        return self.write("shared/labextensions/jupyter-mcp-elicit/package.json", shape)

    def run(self, *options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.python), "-m", "jupyter_mcp_elicit.command", "doctor", *options],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )

    def report(self, *options: str) -> Report:
        """The findings by what they are about."""
        done = self.run("--json", *options)
        assert done.stderr == ""
        return {each["about"]: each for each in json.loads(done.stdout)}


@pytest.fixture
def patient(empty_environment: Path, tmp_path: Path) -> Patient:
    return Patient(empty_environment, tmp_path)


def test_an_environment_without_our_parts_is_told_which_are_missing(patient: Patient) -> None:
    report = patient.report()
    assert report["server extension"]["level"] == "problem"
    assert "jupyter server extension enable jupyter_mcp_elicit" in report["server extension"]["remedy"]
    assert report["labextension"]["level"] == "problem"
    assert "not installed" in report["labextension"]["says"]
    assert report["mcp.json"]["level"] == "warn"
    assert str(patient.folder / "config" / "mcp.json") in report["mcp.json"]["remedy"]
    assert report["kernel python3"]["level"] == "ok"
    assert "ipykernel" in report["kernel python3"]["says"]
    assert "under the cell" in report["front end jupyterlab"]["says"]
    assert report["running Jupyter servers"]["says"] == "none of yours"


def test_a_complete_environment_has_no_problem_and_says_so_in_one_line_each(patient: Patient) -> None:
    shutil.copytree(ENABLES, patient.folder / "site" / ENABLES.name)
    patient.install(__version__)
    patient.write("config/mcp.json", {"mcpServers": {"bistro": {"command": DEMO[0], "args": DEMO[1:]}}})
    done = patient.run()
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    assert f"ok       server extension: {__version__}, enabled, and it loads" in lines
    assert f"ok       labextension: {__version__}, enabled" in lines
    assert any(
        line.startswith("ok       server bistro: stdio: python -m jupyter_mcp_elicit.demo") for line in lines
    )
    assert {line.split()[0] for line in lines} <= {"ok", "warn"}


def test_a_server_extension_that_somebody_disabled(patient: Patient) -> None:
    shutil.copytree(ENABLES, patient.folder / "site" / ENABLES.name)
    off = {"ServerApp": {"jpserver_extensions": {"jupyter_mcp_elicit": False}}}
    path = patient.write("over/jupyter_server_config.json", off)
    # What comes first has the last word.
    patient.environment["JUPYTER_CONFIG_PATH"] = f"{path.parent}{os.pathsep}{patient.folder / 'site'}"
    assert patient.report()["server extension"]["says"] == "it is disabled"


def test_a_labextension_of_another_version(patient: Patient) -> None:
    path = patient.install("0.0.9")
    found = patient.report()["labextension"]
    assert found["level"] == "problem"
    assert f"0.0.9 at {path.parent}, and the package is {__version__}" in found["says"]


@pytest.mark.parametrize(
    ("what", "level"), [("jupyter-mcp-elicit", "problem"), ("jupyter-mcp-elicit:inbox", "warn")]
)
def test_a_labextension_that_somebody_disabled(patient: Patient, what: str, level: str) -> None:
    patient.install(__version__)
    patient.write("config/labconfig/page_config.json", {"disabledExtensions": {what: True}})
    found = patient.report()["labextension"]
    assert (found["level"], found["says"]) == (level, f"disabled: {what}")


def test_kernels_of_other_environments_are_looked_into_in_theirs(patient: Patient, tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False, symlinks=True)
    bare = str(tmp_path / "bare" / "bin" / "python")
    kernel = {"display_name": "x", "language": "python"}
    launch = ["-m", "ipykernel_launcher", "-f", "{connection_file}"]
    patient.write("shared/kernels/bare/kernel.json", {**kernel, "argv": [bare, *launch]})
    patient.write("shared/kernels/gone/kernel.json", {**kernel, "argv": ["/nowhere/python", *launch]})
    patient.write("shared/kernels/r/kernel.json", {"display_name": "R", "language": "R", "argv": ["R"]})
    report = patient.report()
    assert report["kernel bare"]["level"] == "problem"
    assert f"cannot be imported by {bare}" in report["kernel bare"]["says"]
    assert "jupyter_mcp_elicit" in report["kernel bare"]["says"]
    assert report["kernel gone"]["level"] == "problem"
    assert "/nowhere/python does not run" in report["kernel gone"]["says"]
    assert report["kernel r"]["level"] == "ok"


@pytest.mark.parametrize("how", ["a variable", "the configuration"])
def test_kernels_behind_a_gateway_are_said_to_be_elsewhere(patient: Patient, how: str) -> None:
    assert "gateway" not in patient.report()
    url = "https://ada:secret@kernels.example:8889/gate"
    if how == "a variable":
        patient.environment["JUPYTER_GATEWAY_URL"] = url
    else:
        patient.write("config/jupyter_server_config.json", {"GatewayClient": {"url": url}})
    found = patient.report()["gateway"]
    assert found["level"] == "warn"
    assert "kernels run behind kernels.example:8889" in found["says"]
    assert "secret" not in json.dumps(found)
    assert "give connect() a URL or a command" in found["remedy"]


def test_what_is_wrong_with_the_configured_servers(patient: Patient) -> None:
    path = patient.write(
        "config/mcp.json",
        {
            "mcpServers": {
                "bistro": {"command": DEMO[0], "args": DEMO[1:], "colour": "red"},
                "lost": {"command": "there-is-no-such-command"},
                "empty": {},
                "off": {"command": "x", "disabled": True},
            }
        },
    )
    done = patient.run()
    assert done.returncode == 1
    assert 'warn     mcp.json: The server "bistro" has the key "colour", which is not known' in done.stdout
    assert "ok       server bistro: " in done.stdout
    assert 'problem  server lost: there is no command "there-is-no-such-command" on PATH' in done.stdout
    assert 'problem  mcp.json: The server "empty" has neither a command nor a url.' in done.stdout
    assert "ok       server off: disabled" in done.stdout
    path.chmod(0o666)
    done = patient.run()
    assert (
        f"problem  mcp.json: {path} was not read: others can write it. Run: chmod go-w {path}" in done.stdout
    )


def test_each_server_is_started_on_request_only_and_its_tools_listed(patient: Patient) -> None:
    bistro = {"command": DEMO[0], "args": DEMO[1:]}
    entries = {
        "bistro": bistro,
        "old": {**bistro, "era": "2025-06-18"},
        "broken": {"command": sys.executable, "args": ["-c", "raise SystemExit('no licence')"]},
    }
    patient.write("config/mcp.json", {"mcpServers": entries})
    report = patient.report("--connect")
    assert report["connection to bistro"]["says"] == "speaks 2026-07-28, 9 tools"
    assert report["connection to old"]["says"] == "speaks 2025-06-18, 9 tools"
    assert report["connection to broken"]["level"] == "problem"
    assert "no licence" in report["connection to broken"]["says"]
    assert not [each for each in patient.report() if each.startswith("connection")]


def test_a_server_that_never_answers_is_given_up(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    silent = {"command": sys.executable, "args": ["-c", "import time; time.sleep(600)"]}
    patient.write("config/mcp.json", {"mcpServers": {"silent": silent}})
    for name, value in patient.environment.items():
        if name.startswith("JUPYTER"):
            monkeypatch.setenv(name, value)
    monkeypatch.setattr(connections, "PATIENCE", 1.0)
    [found] = connections.check()
    assert found.level == "problem"
    assert "second" in found.says


def test_running_jupyter_servers_are_asked_whether_they_have_it(patient: Patient, tmp_path: Path) -> None:
    off = "--ServerApp.jpserver_extensions={'jupyter_mcp_elicit': False}"
    with_it = JupyterProcess(tmp_path / "with")
    try:
        patient.environment["JUPYTER_RUNTIME_DIR"] = str(tmp_path / "with" / "runtime")
        about = f"Jupyter server at {with_it.info['url']}"
        assert patient.report()[about]["says"] == "has the extension, and knows 1 MCP servers"
    finally:
        with_it.stop()
    without = JupyterProcess(tmp_path / "without", options=(off,))
    try:
        patient.environment["JUPYTER_RUNTIME_DIR"] = str(tmp_path / "without" / "runtime")
        found = patient.report()[f"Jupyter server at {without.info['url']}"]
        assert (found["level"], found["says"]) == ("problem", "it runs without the extension")
    finally:
        without.stop()


def test_a_check_that_fails_itself_is_a_finding_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from jupyter_mcp_elicit.doctor import checkup

    def broken() -> list[Finding]:
        raise OSError("the disk is gone")

    fine = Finding("ok", "b", "fine")
    monkeypatch.setattr(checkup, "CHECKS", {"a": broken, "b": lambda: [fine]})
    assert list(examine()) == [
        Finding("problem", "a", "the check itself failed (OSError: the disk is gone)"),
        fine,
    ]


def test_a_finding_is_one_line_with_its_remedy() -> None:
    assert str(Finding("warn", "a", "is odd", "mend it")) == "warn     a: is odd → mend it"
