"""A kernel in another environment than the server's: older ipykernel, and neither mcp nor jupyter_server."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_process import JupyterProcess
from kernel_client import KernelClient
from uv import find_uv_bin

import jupyter_mcp_elicit

PACKAGE = Path(jupyter_mcp_elicit.__file__).parent
NEEDED = ("ipykernel==6.30.1", "ipywidgets", "anywidget", "jsonschema")


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[JupyterProcess, KernelClient]]:
    """A Jupyter server, and a kernel of an environment that holds only what a kernel needs."""
    root = tmp_path_factory.mktemp("other")
    python = root / "env" / "bin" / "python"
    uv = find_uv_bin()
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, str(root / "env")], check=True)
    subprocess.run([uv, "pip", "install", "--quiet", "--python", str(python), *NEEDED], check=True)
    [site] = (root / "env" / "lib").glob("python3*/site-packages")
    (site / "jupyter_mcp_elicit").symlink_to(PACKAGE, target_is_directory=True)
    process = JupyterProcess(root / "jupyter")
    spec = root / "jupyter" / "data" / "kernels" / "other"
    spec.mkdir(parents=True)
    argv = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    shape = {"argv": argv, "display_name": "Other", "language": "python"}
    (spec / "kernel.json").write_text(json.dumps(shape))
    kernel = KernelClient(process, name="other")
    kernel.run("from jupyter_mcp_elicit import *\nbistro = await connect('bistro')")
    yield process, kernel
    kernel.close()
    process.stop()


def test_it_has_neither_mcp_nor_jupyter_server(other: tuple[JupyterProcess, KernelClient]) -> None:
    _, kernel = other
    code = "from importlib.util import find_spec\nprint([find_spec(n) for n in ('mcp', 'jupyter_server')])"
    assert "[None, None]" in kernel.run(code).text


@pytest.mark.parametrize("call", ["bistro.call", "await bistro.call_tool"])
def test_its_calls_ask_and_are_answered(other: tuple[JupyterProcess, KernelClient], call: str) -> None:
    process, kernel = other
    cell = kernel.start(f"print({call}('order_coffee', {{'milk': 'oat'}}))")
    [card] = process.wait_for_cards()
    assert process.answer(card["id"], "accept", draft=[["size", "0"]])[0] == 200
    assert "small" in cell.wait().text


def test_a_kernel_of_another_release_is_told_which_side_to_upgrade(
    other: tuple[JupyterProcess, KernelClient],
) -> None:
    _, kernel = other
    code = (
        "import jupyter_mcp_elicit.kernel.link as link\n"
        "known, link.WIRE_VERSION = link.WIRE_VERSION, {version}\n"
        "try:\n    await bistro.call_tool('todays_menu')\n"
        "finally:\n    link.WIRE_VERSION = known"
    )
    assert "in the kernel's environment" in kernel.run(code.format(version=0)).text
    assert "in the server's environment" in kernel.run(code.format(version=99)).text
