"""The command line: the demo's folder, the configured servers, errors in one sentence."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from jupyter_process import wait_until

from jupyter_mcp_elicit.command import main


def write(config: Path, servers: object) -> None:
    config.mkdir(exist_ok=True)
    path = config / "mcp.json"
    path.write_text(json.dumps({"mcpServers": servers}), "utf-8")
    path.chmod(0o600)


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "")
    return tmp_path / "config"


def test_servers_lists_what_is_configured(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(config, {"bistro": {"command": "python", "args": ["-m", "bistro"], "era": "legacy"}})
    assert main(["servers"]) == 0
    assert capsys.readouterr().out == "bistro\tstdio: python -m bistro\tera: legacy\n"


def test_servers_says_what_is_wrong_and_fails(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(config, {"bistro": {}})
    assert main(["servers"]) == 1
    assert '"bistro"' in capsys.readouterr().err


def test_servers_says_where_to_add_the_first_one(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["servers"]) == 0
    assert str(config) in capsys.readouterr().out


def test_an_unknown_command_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["nothing"])
    assert "demo-server" in capsys.readouterr().err


def test_the_demo_opens_the_first_notebook_without_a_display_and_keeps_serving(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    environment = {
        key: value
        for key, value in os.environ.items()
        if key not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER") and not key.startswith(("JUPYTER", "JPY_"))
    }
    for name in ("CONFIG", "DATA", "RUNTIME"):
        environment[f"JUPYTER_{name}_DIR"] = str(tmp_path / name)
    command = [sys.executable, "-m", "jupyter_mcp_elicit.command", "demo", "--dir", str(folder), "--"]
    with (tmp_path / "log.txt").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--ServerApp.port=0", "--ServerApp.ip=127.0.0.1"],
            env=environment,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:

        def address() -> str | None:
            said = (tmp_path / "log.txt").read_text("utf-8", "replace")
            assert process.poll() is None, said
            found = re.search(r"http://127\.0\.0\.1:[1-9]\d*/lab/tree/01_first_form\.ipynb\?token=\w+", said)
            return found[0] if found else None

        url = wait_until(address, "address of the demo", 60)
        base, _, token = url.partition("/lab/tree/01_first_form.ipynb?token=")

        def servers() -> Any:
            # Jupyter tells its address a moment before it listens.
            try:
                with urllib.request.urlopen(f"{base}/mcp-elicit/servers?token={token}", timeout=30) as answer:
                    return json.loads(answer.read())
            except urllib.error.URLError as error:
                if isinstance(error.reason, ConnectionRefusedError):
                    return None
                raise

        shape = wait_until(servers, "answer of the demo", 30)
        assert [server["name"] for server in shape["servers"]] == ["bistro", "hostile-twin"]
        assert shape["problems"] == []
        assert (folder / "01_first_form.ipynb").is_file()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def test_the_demo_overwrites_nobodys_work(tmp_path: Path) -> None:
    from jupyter_mcp_elicit.commands.demo import copy_notebooks

    first = copy_notebooks(tmp_path)
    first.write_text("mine", "utf-8")
    assert copy_notebooks(tmp_path) == first
    assert first.read_text("utf-8") == "mine"
