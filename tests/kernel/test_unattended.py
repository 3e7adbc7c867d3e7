"""Notebooks that programs execute: why nobody answered stands in the output, the result and the error."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from jupyter_process import DEMO

Execute = Callable[..., "tuple[subprocess.CompletedProcess[str], str]"]

CONNECT = f"from jupyter_mcp_elicit import *\nbistro = await connect({DEMO!r}, name='bistro'%s)"
CALL = "result = await bistro.call_tool('order_coffee', {'milk': 'oat'})\nresult"

#: A server whose tool cannot go on without an answer.
STRICT = """
from jupyter_mcp_elicit import *
from mcp.server.mcpserver import Context, MCPServer
from mcp import MCPError
from pydantic import BaseModel

class Size(BaseModel):
    size: str

own = MCPServer("own")

@own.tool()
async def order(ctx: Context) -> str:
    answer = await ctx.elicit("Which size?", Size)
    if answer.action != "accept":
        raise MCPError(-32000, "No order without a size")
    return answer.data.size

server = await connect(own)
"""

NOTE = '"bistro" asked "How do you take your coffee?" during order_coffee, and nobody was there to answer'
WAY_OUT = "nobody was there to answer: run it in Jupyter, or give answers=[…]."

PROGRAMS = {
    "nbconvert": ["-m", "jupyter", "nbconvert", "--execute", "--to", "notebook", "--output", "out.ipynb"],
    "papermill": ["-m", "papermill", "--no-progress-bar"],
    "execute": ["-m", "jupyter", "execute", "--output", "out.ipynb"],
}


def in_environment(program: str) -> bool:
    return importlib.util.find_spec({"execute": "nbclient"}.get(program, program)) is not None


@pytest.fixture(params=PROGRAMS)
def execute(request: pytest.FixtureRequest, tmp_path: Path) -> Execute:
    """Runs a notebook of these cells with one of the programs: how that went, and all outputs as text."""
    program: str = request.param
    if not in_environment(program):
        pytest.skip(f"{program} is not installed")

    def execute(*cells: str) -> tuple[subprocess.CompletedProcess[str], str]:
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(each) for each in cells],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        )
        nbformat.write(notebook, tmp_path / "in.ipynb")
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "JPY_"))}
        folders = {f"JUPYTER_{name}_DIR": str(tmp_path / name.lower()) for name in ("CONFIG", "DATA")}
        last = ["out.ipynb"] if program == "papermill" else []
        done = subprocess.run(
            [sys.executable, *PROGRAMS[program], "in.ipynb", *last],
            cwd=tmp_path,
            env={**kept, **folders},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        out = tmp_path / "out.ipynb"
        shown = [
            str(output.get("text") or output.get("data", {}).get("text/plain", ""))
            for cell in (nbformat.read(out, as_version=4).cells if out.exists() else [])
            for output in cell.get("outputs", [])
        ]
        return done, "\n".join(shown)

    return execute


# What the other programs show is in tests/fronts/test_matrix.py.
@pytest.mark.parametrize("execute", ["execute"], indirect=True)
def test_the_reason_stands_in_the_output_and_in_the_result_of_a_call_that_went_on(execute: Execute) -> None:
    done, shown = execute(CONNECT % "", CALL, "assert 'nobody was there' in result.note\nprint('WENT ON')")
    assert done.returncode == 0, done.stderr
    assert "bistro asked during order_coffee · cancelled: it could not be shown" in shown
    assert "(nobody is there to answer)" in shown
    assert NOTE in shown
    assert WAY_OUT in shown
    assert "WENT ON" in shown


def test_the_reason_stands_in_the_error_of_a_call_that_failed_for_want_of_an_answer(execute: Execute) -> None:
    done, _ = execute(STRICT, "await server.call_tool('order')")
    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert 'No order without a size. "own" asked "Which size?" during order, and nobody was there to' in said
    assert "give answers=[…]" in said


@pytest.mark.parametrize("execute", ["execute"], indirect=True)
def test_answers_by_script_run_through(execute: Execute) -> None:
    scripted = CONNECT % ", answers=[Accept({'size': 'large'})]"
    done, shown = execute(scripted, CALL, "assert result.note == ''")
    assert done.returncode == 0, done.stderr
    assert "large" in shown
    assert "nobody" not in shown


@pytest.mark.parametrize("execute", ["execute"], indirect=True)
def test_a_server_that_is_told_that_nothing_can_be_asked_does_not_ask(execute: Execute) -> None:
    done, shown = execute(CONNECT % ", elicitation=[]", CALL, "assert result.note == ''")
    assert done.returncode == 0, done.stderr
    assert "nobody" not in shown
    assert "asked" not in shown
