"""The notebooks as files: valid, clean, and ready to run without a person."""

from __future__ import annotations

import ast
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_valid_and_stores_no_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert cells
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)
    for cell in cells:
        compile(cell.source, path.name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_the_first_notebook_takes_its_answers_from_a_cell_tagged_parameters() -> None:
    notebook = nbformat.read(NOTEBOOKS[0], as_version=4)
    tagged = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ())]
    assert len(tagged) == 1
    names: dict[str, object] = {}
    exec(tagged[0].source, names)  # our own file
    assert names["answers"] is None
    assert names["my_answer"] is None
    rest = "".join(cell.source for cell in notebook.cells if cell is not tagged[0])
    assert "answers=answers" in rest
    assert "answers=my_answer" in rest
