"""The notebooks as files: valid, clean, and ready to run without a person."""

from __future__ import annotations

import ast
import re
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


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_takes_its_answers_from_a_cell_tagged_parameters(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    tagged = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", ())]
    assert len(tagged) == 1
    names: dict[str, object] = {}
    exec(tagged[0].source, names)  # our own file
    given = {name: value for name, value in names.items() if not name.startswith("__")}
    assert "answers" in given
    assert set(given.values()) == {None}
    rest = "".join(cell.source for cell in notebook.cells if cell is not tagged[0])
    for name in given:
        assert f"answers={name}" in rest


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_named_on_the_first_page_and_leads_only_to_others_that_are_there(path: Path) -> None:
    readme = (path.parents[1] / "README.md").read_text("utf-8")
    assert f"](notebooks/{path.name})" in readme
    words = "".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
    linked = re.findall(r"\]\((\d\d_\w+\.ipynb)\)", words)
    assert set(linked) <= {each.name for each in NOTEBOOKS}
