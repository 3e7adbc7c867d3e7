"""(f) ten thousand options against ten; (g) two hundred fields against ipywidgets-jsonschema."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Any

from browser.browser import open_browser
from browser.notebook_page import NotebookPage
from jupyter_process import JupyterProcess
from measure import Row, at_most
from paint import PAINTED, SETUP, median_painted
from schemas import schema_of

#: From a key in the box to what it changed, painted; and the part of it that is work.
TYPED = """
async ([cell, selector, texts]) => {
  const output = document.querySelectorAll('.jp-Notebook .jp-Cell')[cell].querySelector('.jp-OutputArea');
  const box = output.querySelector(selector);
  const taken = [];
  for (const text of texts) {
    const start = performance.now();
    box.value = text;
    box.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    taken.push(performance.now() - start);
  }
  return taken;
}
"""


def options(count: int, **kind: Any) -> dict[str, Any]:
    """A text box, and a choice of ``count`` options."""
    named = [f"Street {number} of the long town" for number in range(count)]
    asked = {"type": "array", "items": {"enum": named}} if kind.get("several") else {"enum": named}
    fields = {"text": {"type": "string"}, "pick": {"type": "string", **asked} if "enum" in asked else asked}
    return {"type": "object", "properties": fields}


def rows() -> list[Row]:
    asked = {"few": options(10), "many": options(10_000), "ticks": options(10_000, several=True)}
    cells = [
        SETUP.format(schemas={10: schema_of(10), 200: schema_of(200), **asked}),
        *(f"_ = await ask('Please', schemas['{name}'])" for name in asked),
        "_ = await ask('Please', schemas[200])",
        "display(Form(schemas[200]).widget)",
    ]
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        open_browser(Path(folder) / "browser") as browser,
    ):
        process = JupyterProcess(Path(folder), app="lab", options=("--LabApp.expose_app_in_browser=True",))
        try:
            tab = NotebookPage.create(browser.new_page(), process, "lab", cells)
            tab.run_to_end(0)
            few, many, ticks = (median_painted(tab, process, cell, ".jme-field", 2) for cell in (1, 2, 3))
            found = [
                at_most("(f) 10 000 options to choose one of, painted", many, few, "10 options", 2),
                at_most("(f) 10 000 options to tick, painted", ticks, few, "10 options", 2),
            ]
            box = _typed(tab, process, 1, "input.jme-input")
            for cell, kind in ((2, "to choose one of"), (3, "to tick")):
                sieve = _typed(tab, process, cell, ".jme-filtered input.jme-input")
                found.append(
                    at_most(
                        f"(f) a key in the filter of 10 000 options {kind}", sieve, box, "in a text box", 2
                    )
                )
            ours = _first(tab, process, 4, ".jme-field", 200)
            theirs = _first(tab, process, 5, "input, select", 100)
            found.append(at_most("(g) 200 fields, painted", ours, theirs, "ipywidgets-jsonschema", 1 / 10))
        finally:
            process.stop()
    return found


def _typed(tab: NotebookPage, process: JupyterProcess, cell: int, selector: str) -> float:
    """Milliseconds of the median key."""
    tab.page.evaluate(PAINTED, [cell, ".jme-field", 2])
    texts = ["9", "99", "999", "99", "9", "", "s", "st", "street 1", "street 12"]
    taken: list[float] = tab.page.evaluate(TYPED, [cell, selector, texts])
    for card in process.open_cards():
        process.answer(card["id"], "cancel")
    tab.wait_end(cell)
    return statistics.median(taken)


def _first(tab: NotebookPage, process: JupyterProcess, cell: int, selector: str, count: int) -> float:
    """Milliseconds of the first run: run again with so many fields, their view fails in the page."""
    taken = float(tab.page.evaluate(PAINTED, [cell, selector, count]))
    for card in process.open_cards():
        process.answer(card["id"], "cancel")
    tab.wait_end(cell)
    return taken
