"""Notebooks that programs run, in kernels without a Jupyter server of ours."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_process import DEMO
from nbclient import NotebookClient

Run = Callable[..., list[str]]

CONNECT = "from jupyter_mcp_elicit import *\nbistro = await connect('bistro')"
CALL = "print(await bistro.call_tool('order_coffee', {'milk': 'oat'}))"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A Jupyter configuration directory that knows the bistro, whose journal is ``journal.jsonl``."""
    folder = tmp_path / "config"
    folder.mkdir()
    command, *args = DEMO
    entry = {"command": command, "args": [*args, "--journal", str(tmp_path / "journal.jsonl")]}
    (folder / "mcp.json").write_text(json.dumps({"mcpServers": {"bistro": entry}}), "utf-8")
    (folder / "mcp.json").chmod(0o600)
    return folder


@pytest.fixture
def run(config: Path) -> Run:
    """Runs cells as nbconvert and papermill do; gives what each of them says."""

    def run(*cells: str, **environment: str) -> list[str]:
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in cells])
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "JPY_"))}
        data = str(config.parent / "data")
        env = {**kept, "JUPYTER_CONFIG_DIR": str(config), "JUPYTER_DATA_DIR": data, **environment}
        client = NotebookClient(notebook, kernel_name="python3", timeout=60, allow_errors=True)
        client.execute(env=env)
        return ["\n".join(map(said, cell.outputs)) for cell in notebook.cells]

    return run


def said(output: Any) -> str:
    if output.output_type == "error":
        return "\n".join(output.traceback) or f"{output.ename}: {output.evalue}"
    return str(output.text if output.output_type == "stream" else output.data.get("text/plain", ""))


def journalled(config: Path) -> list[dict[str, Any]]:
    """What the bistro says that it received."""
    return [json.loads(line) for line in (config.parent / "journal.jsonl").read_text("utf-8").splitlines()]


def test_without_answers_a_question_is_cancelled_at_once_and_says_why(run: Run, config: Path) -> None:
    _, awaiting, blocking = run(CONNECT, CALL, CALL.replace("await bistro.call_tool", "bistro.call"))
    for words in (awaiting, blocking):
        assert "bistro asked during order_coffee · cancelled: it could not be shown" in words
        assert "(nobody is there to answer)" in words
    # The bistro asks once more when a form was only closed.
    assert [each["action"] for each in journalled(config)] == ["cancel"] * 4


def test_with_answers_the_notebook_runs_through(run: Run, config: Path) -> None:
    scripted = CONNECT.replace("'bistro'", "'bistro', answers=[Accept({'size': 'small'}), Decline()]")
    _, first, second, third = run(scripted, CALL, CALL, CALL)
    assert "accepted by script" in first
    assert "small" in first
    assert "declined by script" in second
    assert "LocalError: The script has no answer left for the question" in third
    assert [(each["action"], each.get("content")) for each in journalled(config)][:2] == [
        ("accept", {"size": "small"}),
        ("decline", None),
    ]


def test_a_question_of_the_notebooks_own_is_answered_by_script_or_not_at_all(run: Run) -> None:
    nobody, scripted, wrong = run(
        "from jupyter_mcp_elicit import *\nprint(await ask('Delete 3 tables?'))",
        "print(await ask('Delete 3 tables?', answers=[Accept()]))",
        "await ask('How many?', {'type': 'object', 'properties': {'n': {'type': 'integer'}}},"
        " answers=[Accept({'n': 'many'})])",
    )
    assert "Cancel(reason='not shown')" in nobody
    assert "(nobody is there to answer)" in nobody
    assert "Accept()" in scripted
    assert "LocalError: The scripted answer to 'How many?' does not fit. n: " in wrong


def test_an_unknown_name_is_told_with_those_there_are(run: Run) -> None:
    [words] = run("from jupyter_mcp_elicit import *\nawait connect('bistrot')")
    assert 'There is no MCP server "bistrot" in the configuration (configured: bistro)' in words
    assert "Traceback" not in words


def test_a_configuration_that_others_can_write_starts_nothing_and_says_so(run: Run, config: Path) -> None:
    (config / "mcp.json").chmod(0o666)
    [words] = run(CONNECT)
    assert 'There is no MCP server "bistro" in the configuration (configured: none)' in words
    assert "others can write it" in words


def test_what_a_terminal_inherits_from_a_jupyter_server_is_not_believed(run: Run, config: Path) -> None:
    told = json.dumps({"url": "http://127.0.0.1:1/mcp-elicit/", "pid": 1})
    _, words = run(CONNECT, CALL, JUPYTER_MCP_ELICIT=told)
    assert "nobody is there to answer" in words
    assert {each["action"] for each in journalled(config)} == {"cancel"}


def test_a_changed_entry_is_not_started_where_nobody_can_agree_to_it(run: Run, config: Path) -> None:
    assert "not started" not in run(CONNECT)[0]
    shape = json.loads((config / "mcp.json").read_text("utf-8"))
    shape["mcpServers"]["bistro"]["env"] = {"PLACE": "Bergen"}
    (config / "mcp.json").write_text(json.dumps(shape), "utf-8")
    first, scripted = run(CONNECT, CONNECT.replace("'bistro'", "'bistro', answers=[Accept()]"))
    for words in (first, scripted):
        assert 'LocalError: "bistro" was not started: its entry changed and nobody agreed' in words
        assert "jupyter mcp-elicit call bistro TOOL" in words
