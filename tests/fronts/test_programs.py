"""Programs that run notebooks for nobody: every question is cancelled at once, and none is declined."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from .conftest import Bistro, environment

PROGRAMS = {
    "nbclient": ["jupyter", "execute", "--output", "out.ipynb", "in.ipynb"],
    "nbconvert": [
        "jupyter",
        "nbconvert",
        "--execute",
        "--to",
        "notebook",
        "--output",
        "out.ipynb",
        "in.ipynb",
    ],
    "papermill": ["papermill", "--no-progress-bar", "in.ipynb", "out.ipynb"],
}

CELLS = [
    "import sys\nfrom jupyter_mcp_elicit import *\n%s",
    "await bistro.call_tool('order_coffee', {'milk': 'oat'})",
    "bistro.call('order_coffee', {'milk': 'oat'})",
    "await bistro.call_tool('pay_deposit', {'code': 'T1'})",
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_notebook_runs_through_with_a_reason_for_each_question(
    program: str, tmp_path: Path, bistro: Bistro
) -> None:
    first, *rest = CELLS
    cells = [nbformat.v4.new_code_cell(each) for each in [first % bistro.connect, *rest]]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(
        nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), tmp_path / "in.ipynb"
    )
    done = subprocess.run(
        [sys.executable, "-m", *PROGRAMS[program]],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    _, awaiting, blocking, address = (
        "\n".join(str(each.get("text") or each.data.get("text/plain")) for each in cell.outputs)
        for cell in nbformat.read(tmp_path / "out.ipynb", as_version=4).cells
    )
    for words in (awaiting, blocking):
        assert words.count("cancelled: it could not be shown") == 2
        assert "nobody was there to answer: run it in Jupyter, or give answers=[…]." in words
    # It is not told of addresses where none could be opened, and finds another way.
    assert "Please pay at the counter" in address
    # The bistro asks once more when a form was only closed.
    assert [each["action"] for each in bistro.take()] == ["cancel"] * 4
