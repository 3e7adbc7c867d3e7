"""The rules of the house hold, and each of them breaks when it is violated."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent

VIOLATIONS = {
    "core does I/O": ("core/text.py", "import socket\n"),
    "core reads the clock": ("core/lifecycle.py", "import time\n"),
    "core knows widgets": ("core/field.py", "import ipywidgets\n"),
    "core knows the broker": ("core/wire.py", "from ..broker import Broker\n"),
    "server imports kernel": ("server/owner.py", "from ..kernel.link import Link\n"),
    "kernel imports server": ("kernel/link.py", "from ..server.identity import KernelIdentity\n"),
    "kernel imports demo": ("kernel/link.py", "from ..demo.main import main\n"),
    "demo imports server": ("demo/main.py", "from ..server.identity import KernelIdentity\n"),
    "kernel uses the MCP SDK": ("kernel/ask.py", "import mcp_types\n"),
    "broker knows the client": ("broker.py", "from .client.spec import ServerSpec\n"),
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package and its settings, to be spoilt."""
    ignore = shutil.ignore_patterns("labextension", "static", "__pycache__")
    shutil.copytree(ROOT / "jupyter_mcp_elicit", tmp_path / "jupyter_mcp_elicit", ignore=ignore)
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    return tmp_path


def run(program: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(BIN / program), *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )


def spoil(copy: Path, file: str, line: str) -> None:
    path = copy / "jupyter_mcp_elicit" / file
    marker = "from __future__ import annotations\n"
    text = path.read_text("utf-8")
    assert marker in text
    path.write_text(text.replace(marker, f"{marker}\n{line}", 1), "utf-8")


def test_the_rooms_import_one_another_only_downwards(copy: Path) -> None:
    done = run("lint-imports", "--no-cache", cwd=copy)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("what", VIOLATIONS)
def test_a_forbidden_import_breaks_its_contract(copy: Path, what: str) -> None:
    spoil(copy, *VIOLATIONS[what])
    done = run("lint-imports", "--no-cache", cwd=copy)
    assert done.returncode == 1, done.stdout
    assert "BROKEN" in done.stdout


def test_untyped_code_breaks_the_type_check(copy: Path) -> None:
    spoil(copy, "core/errors.py", "def untyped(x):\n    return x\n")
    done = run(
        "mypy",
        "--config-file",
        "pyproject.toml",
        "--follow-imports",
        "silent",
        "jupyter_mcp_elicit/core/errors.py",
        cwd=copy,
    )
    assert done.returncode == 1, done.stdout
    assert "no-untyped-def" in done.stdout


def test_a_shell_and_a_browser_opened_by_code_break_the_style_check(copy: Path) -> None:
    spoil(copy, "core/text.py", "import os\nimport webbrowser\n\nos.system('true')\n")
    done = run("ruff", "check", "--no-cache", "jupyter_mcp_elicit/core/text.py", cwd=copy)
    assert done.returncode == 1
    assert "TID251" in done.stdout


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = "('mcp', 'mcp_types', 'jupyter_server', 'jsonschema', 'ipywidgets', 'anywidget', 'IPython')"
    code = f"import sys, jupyter_mcp_elicit; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_can_be_had() -> None:
    import jupyter_mcp_elicit

    for name in jupyter_mcp_elicit.__all__:
        assert getattr(jupyter_mcp_elicit, name) is not None
    assert set(dir(jupyter_mcp_elicit)) == set(jupyter_mcp_elicit.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = jupyter_mcp_elicit.nothing
