"""The notebook about the revisions of MCP: what it says of them is what goes over the wire."""

from __future__ import annotations

from pathlib import Path

import nbformat
import notebook_cells
import pytest
from nbclient import NotebookClient

pytestmark = pytest.mark.timeout(180)

NAME = "04_three_eras.ipynb"
ERAS = ("2025-06-18", "2025-11-25", "2026-07-28")

SCRIPT = """
from jupyter_mcp_elicit import Accept
answers = [
    Accept({"size": "large"}),
    Accept({"guests": 9, "occasion": "none"}),
    Accept({"place": "long table"}),
]
"""


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No configuration of anybody's."""
    for name in ("config", "data", "runtime"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(f"JUPYTER_{name.upper()}_DIR", str(tmp_path / name))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))


def run(**instead: str) -> dict[str, str]:
    """What each of its code cells gives, as text."""
    notebook = notebook_cells.read(NAME, **instead)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    return {cell.id: _text(cell.outputs) for cell in notebook.cells if cell.cell_type == "code"}


def _text(outputs: list[nbformat.NotebookNode]) -> str:
    kinds = ("text/markdown", "text/html", "text/plain")
    parts = []
    for each in outputs:
        data = each.get("data", {})
        parts.append(each.get("text") or next(data[kind] for kind in kinds if kind in data))
    return "\n".join(parts)


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


@pytest.mark.usefixtures("alone")
def test_the_frames_of_each_revision_are_as_the_text_says() -> None:
    said = run(parameters=SCRIPT)
    heads, _, *greeting = rows(said["helper"])
    assert tuple(heads) == ERAS
    assert greeting[0] == ["→ request `initialize`"] * 2 + ["→ request `tools/list`"]
    assert said["capabilities"].splitlines() == ["{'elicitation': {'form': {}}}"] * 2
    assert rows(said["one-frames"])[2:] == [
        ["→ request `tools/call`"] * 3,
        ["← request `elicitation/create`"] * 2 + ["← result `tools/call`"],
        ["→ result `elicitation/create`"] * 2 + ["→ request `tools/call`"],
        ["← result `tools/call`"] * 3,
    ]
    for cell_id in ("pushed", "rounds"):
        assert said[cell_id].count(">asks<") == said[cell_id].count(">accept<") == 1
    assert "input_required" in said["rounds"]
    assert "input_required" not in said["pushed"]
    pushed, inside = said["envelope"].splitlines()
    assert "How do you take your coffee?" in pushed
    assert eval(pushed) == eval(inside)  # both printed by our own notebook
    answer = "[{'action': 'accept', 'content': '(hidden: 1 member)'}]"
    assert said["answers"].splitlines() == [f"{era} | {answer}" for era in ERAS]
    lengths = [int(line.split()[0]) for line in said["state"].splitlines() if "characters:" in line]
    assert len(lengths) == 2
    assert lengths[0] < lengths[1]
    assert "Handed back byte for byte: True" in said["state"]
    assert said["party-trace"].count(">asks<") == said["party-trace"].count(">accept<") == 2
    refused = {line.split(" | ")[0]: line for line in said["refuse"].splitlines() if " | " in line}
    for era, line in refused.items():
        assert "nested objects are not allowed" in line
        assert ("the server heard" in line) == (era != "2026-07-28")
    assert set(refused) == set(ERAS)
    # Where the server alone would know, the person is told.
    assert said["refuse"].count(" was refused. ") == 2


@pytest.mark.usefixtures("alone")
def test_with_nobody_there_it_runs_to_its_end_and_nothing_is_agreed_to() -> None:
    notebook = notebook_cells.read(NAME)
    exercise = notebook_cells.code(notebook)["exercise"]
    [guess] = [line for line in exercise.splitlines() if line.startswith("guess =")]
    [solution] = notebook_cells.solutions(notebook)
    said = run(exercise=exercise.replace(guess, f"guess = {solution}"))
    assert "'accept'" not in said["answers"]
    assert said["one"].count("No answer came") == 3
    assert "nobody is there to answer" in said["one"]
    # The solution of the exercise is one.
    assert [line.split(" | ")[1] for line in said["exercise"].splitlines() if " | " in line] == ["right!"] * 3
