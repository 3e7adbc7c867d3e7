"""Makes the pictures of the README: ``PYTHONPATH=tests python -m browser.screenshots``."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jupyter_process import DEMO, JupyterProcess

from .browser import open_browser
from .conftest import disable, start
from .inbox_panel import InboxPanel
from .notebook_page import NotebookPage, notebook

IMAGES = Path(__file__).parents[2] / "docs" / "images"

#: CSS pixels of the window, and how many of the picture's each of them is.
WIDTH, HEIGHT, SCALE = 840, 1000, 1.25
CONNECT = 'from jupyter_mcp_elicit import connect\n\nbistro = await connect("bistro")'
REPORT = ("# Sales of November\nimport statistics", "statistics.mean([412, 398, 455])")


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    address()
    inbox()
    for theme in ("light", "dark"):
        with booking(theme) as page:
            picture(page, 1, f"form-{theme}")
            if theme == "light":
                answer(page)
                picture(page, 1, "record")


@contextmanager
def lab(
    call: str, *, width: int = WIDTH, height: int = HEIGHT
) -> Iterator[tuple[JupyterProcess, NotebookPage]]:
    """JupyterLab without its side panel, and a notebook whose second cell is ``call``; the first has run."""
    with (
        tempfile.TemporaryDirectory() as root,
        open_browser(Path(root) / "browser", width=width, height=height, scale=SCALE) as profile,
    ):
        jupyter = start(Path(root) / "jupyter", "lab")
        try:
            disable(jupyter.root, "@jupyterlab/cell-toolbar-extension")
            jupyter.configure({"bistro": {"command": DEMO[0], "args": DEMO[1:]}})
            page = NotebookPage.create(profile.new_page(), jupyter, "lab", (CONNECT, call))
            page.page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")
            page.run_to_end(0)
            yield jupyter, page
        finally:
            jupyter.stop()


def address() -> None:
    """A page to open, with all that there is to say about where it leads."""
    with lab('await bistro.call_tool("pay_deposit", {"code": "T1"})') as (_, page):
        card = page.run_cell(1).url(1).wait()
        card.live.get_by_role("checkbox").check()
        card.wait_armed()
        picture(page, 1, "address")
        card.press("Cancel")
        page.wait_end(1)


def inbox() -> None:
    """Another notebook in front; what waits stands beside it."""
    call = 'await bistro.call_tool("order_coffee", {"milk": "oat"})'
    with lab(call, width=1180, height=640) as (jupyter, page):
        page.run_cell(1).form(1).wait()
        name = "monthly report.ipynb"
        (jupyter.notebooks / name).write_text(json.dumps(notebook(REPORT)), "utf-8")
        page.page.evaluate("path => { jupyterapp.commands.execute('docmanager:open', { path }) }", name)
        page.page.get_by_text("Sales of November").wait_for()
        panel = InboxPanel(page.page).show()
        panel.form("How do you take your coffee?").wait().choose("Size", "Large").wait_armed()
        page.page.mouse.move(0, 0)
        page.page.screenshot(path=IMAGES / "inbox.png", animations="disabled", caret="hide")


@contextmanager
def booking(theme: str) -> Iterator[NotebookPage]:
    """The booking form under its running cell, partly filled in."""
    with lab('await bistro.call_tool("book_table", {"party": 4, "email": "ada@example.org"})') as (_, page):
        page.page.evaluate(
            "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })",
            f"JupyterLab {theme.capitalize()}",
        )
        form = page.run_cell(1).form(1).wait()
        form.fill(Your_name="Ada Lovelace", Day="2026-12-24")
        form.choose("Time", "Half past seven")
        form.wait_armed()
        yield page


def answer(page: NotebookPage) -> None:
    page.form(1).choose("Where", "terrace").press("Submit")
    page.wait_end(1)


def picture(page: NotebookPage, cell: int, name: str) -> None:
    """One cell, input and output, cropped."""
    page.page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0")
    page.page.mouse.move(0, 0)
    page.cell(cell).screenshot(path=IMAGES / f"{name}.png", animations="disabled", caret="hide")


if __name__ == "__main__":
    main()
