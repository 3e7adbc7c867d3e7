"""(c) from running the cell to the painted form in Chromium, against ipywidgets' own."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Any

from browser.browser import open_browser
from browser.notebook_page import NotebookPage
from jupyter_process import JupyterProcess
from measure import Row, at_most
from schemas import schema_of

TIMES = 7

SETUP = """
import warnings; warnings.simplefilter("ignore")
import ipywidgets, asyncio
from IPython.display import display
from ipywidgets_jsonschema import Form
from jupyter_mcp_elicit import ask, ElicitationForm
schemas = {schemas}
await ask("Warm?", schemas[10], deadline=0.2)
"""

#: Runs the cell by the notebook's own command, and waits until ``count`` inputs are there and painted.
PAINTED = """
async ([cell, selector, count]) => {
  const panel = window.jupyterapp.shell.currentWidget;
  panel.content.activeCellIndex = cell;
  const node = () => document.querySelectorAll('.jp-Notebook .jp-Cell')[cell];
  const start = performance.now();
  window.jupyterapp.commands.execute('notebook:run-cell');
  await new Promise((resolve, reject) => {
    const look = () => {
      if (node().querySelectorAll('.jp-OutputArea ' + selector).length >= count) resolve();
      else if (performance.now() - start > 30000) reject(new Error(`cell ${cell} was not painted in 30 s`));
      else requestAnimationFrame(look);
    };
    look();
  });
  await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return performance.now() - start;
}
"""


def rows() -> list[Row]:
    sizes = (10, 50, 200)
    cells = [
        SETUP.format(schemas={size: schema_of(size) for size in sizes}),
        "display(ipywidgets.Text())",
        *(f"display(Form(schemas[{size}]).widget)" for size in sizes),
        *(f"_ = await ask('Please', schemas[{size}])" for size in sizes),
    ]
    found: list[Row] = []
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        open_browser(Path(folder) / "browser") as browser,
    ):
        process = JupyterProcess(Path(folder), app="lab", options=("--LabApp.expose_app_in_browser=True",))
        try:
            tab = NotebookPage.create(browser.new_page(), process, "lab", cells)
            tab.run_to_end(0)
            text = median_painted(tab, process, 1, "input[type=text]", 1)
            for place, size in enumerate(sizes):
                ours = median_painted(tab, process, 5 + place, ".jme-field", size)
                what = f"(c) question to painted form, {size} fields"
                aim = 1.5 if size == 10 else 5
                found.append(at_most(what, ours, text, "one ipywidgets.Text", aim))
                if size == 10:
                    # Run again and again with more fields, its view fails in the page.
                    theirs = median_painted(tab, process, 2 + place, "input, select", size // 2)
                    found.append(at_most(what, ours, theirs, "ipywidgets-jsonschema", 1.0))
        finally:
            process.stop()
    return found


def median_painted(tab: NotebookPage, process: JupyterProcess, cell: int, selector: str, count: int) -> float:
    taken: list[float] = []
    for _ in range(TIMES):
        taken.append(float(tab.page.evaluate(PAINTED, [cell, selector, count])))
        for card in process.open_cards():
            process.answer(card["id"], "cancel")
        tab.wait_end(cell)
        _clear(tab, cell)
    return statistics.median(taken[1:])


def _clear(tab: NotebookPage, cell: int) -> Any:
    return tab.page.evaluate(
        """async cell => {
          window.jupyterapp.shell.currentWidget.content.activeCellIndex = cell;
          await window.jupyterapp.commands.execute('notebook:clear-cell-output');
        }""",
        cell,
    )
