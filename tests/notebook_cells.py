"""A notebook of ours as tests run it: its code by the ids of its cells, some of it exchanged."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"


def read(name: str, **instead: str) -> nbformat.NotebookNode:
    """The notebook; ``instead`` is other code by the id of the cell, ``_`` for ``-``."""
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    cells = {cell.id: cell for cell in notebook.cells}
    for cell_id, source in instead.items():
        cells[cell_id.replace("_", "-")].source = source
    return notebook


def code(notebook: nbformat.NotebookNode) -> dict[str, str]:
    """The code cells' sources by id, in order."""
    return {cell.id: cell.source for cell in notebook.cells if cell.cell_type == "code"}


def solutions(notebook: nbformat.NotebookNode) -> list[str]:
    """The pieces of code in the text that shows how the exercise is solved."""
    [text] = [cell.source for cell in notebook.cells if cell.id == "solution"]
    return re.findall(r"`([\[{].*[\]}])`", text)
