"""The first notebook runs from its first cell to its last with nobody there, answered by script."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parent.parent / "notebooks" / "01_first_form.ipynb"

BOOKING = (
    "Accept({'name': 'Planted Name', 'email': 'planted@example.org', 'date': '2026-12-24', "
    "'time': '19:30', 'seating': 'bar'})"
)
SCRIPT = f"""
from jupyter_mcp_elicit import Accept, Decline
answers = [{BOOKING}, Decline(), Accept({{}}), Accept({{'milk': 'cow'}})]
my_answer = [Accept({{'rows': 12, 'order': 'oldest first'}})]
"""


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the bistro of this test's own configuration writes what it received."""
    for name in ("config", "data", "runtime", "home"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(f"JUPYTER_{name.upper()}_DIR", str(tmp_path / name))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "home" / "ipython"))
    monkeypatch.delenv("JUPYTER_HOME_DIR")
    path = tmp_path / "journal.jsonl"
    entry = {"command": sys.executable, "args": ["-m", "jupyter_mcp_elicit.demo", "--journal", str(path)]}
    config = tmp_path / "config" / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"bistro": entry}}), "utf-8")
    config.chmod(0o600)
    return path


def run(script: str | None) -> nbformat.NotebookNode:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    if script is not None:
        [cell] = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ())]
        cell.source = script
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    return notebook


def test_it_runs_headless_with_scripted_answers_and_keeps_none_of_them(journal: Path) -> None:
    notebook = run(SCRIPT)
    received = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    assert [(each["tool"], each["action"]) for each in received] == [
        ("book_table", "accept"),
        ("book_table", "decline"),
        ("cancel_booking", "accept"),
        ("order_coffee", "accept"),
        ("order_coffee", "accept"),
        ("plan_party", "decline"),
    ]
    assert received[0]["content"]["name"] == "Planted Name"
    outputs = json.dumps([cell.get("outputs") for cell in notebook.cells])
    assert "accepted by script" in outputs
    assert "planted@example.org" not in outputs


def test_without_a_script_every_question_is_cancelled_at_once_and_says_why(journal: Path) -> None:
    notebook = run(None)
    received = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    asked = [each for each in received if each["tool"] == "book_table"]
    assert asked
    assert {each["action"] for each in asked} == {"cancel"}
    outputs = json.dumps([cell.get("outputs") for cell in notebook.cells], ensure_ascii=False)
    assert "could not be shown" in outputs
    assert "nobody is there to answer" in outputs
