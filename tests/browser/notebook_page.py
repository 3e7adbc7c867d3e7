"""A notebook in a browser tab, of JupyterLab or of Notebook 7."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from jupyter_process import JupyterProcess, wait_until
from playwright.sync_api import Error, Locator, Page, Request, TimeoutError, expect

from .browser import PATIENCE_MS
from .form_page import FormPage
from .url_card import UrlCard

_numbers = itertools.count(1)

_READY = """idle => {
  const panel = window.jupyterapp?.shell.currentWidget;
  const kernel = panel?.sessionContext?.session?.kernel;
  if (kernel?.connectionStatus !== 'connected' || panel.content.widgets.length === 0) return false;
  return !idle || kernel.status === 'idle';
}"""


_ASK_KERNEL = """() => {
  const kernel = window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel;
  if (kernel?.connectionStatus === 'connected') void kernel.requestKernelInfo();
}"""


# Gives nothing back: what the command gives is a widget, and all that hangs on it.
_OPEN = "path => { window.jupyterapp.commands.execute('docmanager:open', { path }); }"


def notebook(cells: Sequence[str | dict[str, Any]]) -> dict[str, Any]:
    """A notebook file: code cells from text, or cells as they are."""
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "cells": [
            {
                "cell_type": "code",
                "id": f"cell-{place}",
                "metadata": {},
                "source": cell,
                "outputs": [],
                "execution_count": None,
            }
            if isinstance(cell, str)
            else cell
            for place, cell in enumerate(cells)
        ],
    }


class NotebookPage:
    """One tab. Cells are counted from 0."""

    def __init__(self, page: Page, jupyter: JupyterProcess, app: str, name: str) -> None:
        self.page = page
        self.jupyter = jupyter
        self.app = app
        self.name = name
        #: Whether the tab is for this notebook alone.
        self.fresh = False
        #: Errors that scripts of the page did not catch, with their stacks.
        self.errors: list[str] = []
        #: Addresses that the page asked for.
        self.requests: list[str] = []
        page.on("pageerror", self._failed)
        page.on("request", self._asked)

    @classmethod
    def create(
        cls,
        page: Page,
        jupyter: JupyterProcess,
        app: str,
        cells: Sequence[str | dict[str, Any]],
        *,
        kernel_id: str = "",
    ) -> NotebookPage:
        """A new notebook with these cells in this tab; with the kernel given, or one of its own."""
        name = f"n{next(_numbers)}.ipynb"
        (jupyter.notebooks / name).write_text(json.dumps(notebook(cells)), "utf-8")
        kernel = {"id": kernel_id} if kernel_id else {"name": "python3"}
        session = {"path": name, "name": name, "type": "notebook", "kernel": kernel}
        status, shape = jupyter.request("POST", "api/sessions", session)
        assert status == 201, shape
        return cls(page, jupyter, app, name).open()

    def open(self) -> NotebookPage:
        """Go there, and wait until cells can be run."""
        if self.page.url.startswith(f"{self.jupyter.url}lab"):
            self.page.evaluate(_OPEN, self.name)
        else:
            self.page.goto(f"{self._address(self.name[:-6])}?token={self.jupyter.token}")
        return self.wait_ready()

    def leave(self) -> Page:
        """The tab, no longer looked at."""
        self.page.remove_listener("pageerror", self._failed)
        self.page.remove_listener("request", self._asked)
        return self.page

    def wait_ready(self, *, idle: bool = True) -> NotebookPage:
        """Until the cells are there and the kernel is connected (and has nothing to do)."""
        try:
            self.page.wait_for_function(_READY, arg=idle, timeout=PATIENCE_MS / 2)
        except TimeoutError:
            # A status that got lost while the page connected comes again with the next request.
            self.page.evaluate(_ASK_KERNEL)
            self.page.wait_for_function(_READY, arg=idle)
        return self

    def beside(self, page: Page) -> NotebookPage:
        """The same notebook in another tab."""
        other = NotebookPage(page, self.jupyter, self.app, self.name)
        other.fresh = True
        page.goto(self._address(f"{self.name[:-6]}-beside"))
        return other.wait_ready(idle=False)

    def cell(self, number: int) -> Locator:
        return self.page.locator(".jp-Notebook .jp-Cell").nth(number)

    def count_cells(self) -> int:
        """As the page's own notebook has them, shown or not."""
        return int(self.page.evaluate("window.jupyterapp.shell.currentWidget.content.model.cells.length"))

    def click_into(self, number: int) -> None:
        self.cell(number).locator(".cm-content").click()

    def run_cell(self, number: int) -> NotebookPage:
        """Click into it and press Ctrl+Enter."""
        self.click_into(number)
        self.page.keyboard.press("Control+Enter")
        return self

    def run_to_end(self, number: int) -> NotebookPage:
        self.run_cell(number)
        return self.wait_end(number)

    def wait_end(self, number: int) -> NotebookPage:
        """Until the cell's star has become a number."""
        self.page.wait_for_function(
            """number => /\\[\\d+\\]/.test(document.querySelectorAll('.jp-Notebook .jp-Cell')[number]
            ?.querySelector('.jp-InputPrompt')?.textContent ?? '')""",
            arg=number,
            timeout=PATIENCE_MS,
        )
        return self

    def is_running(self, number: int) -> bool:
        return "[*]" in self.cell(number).locator(".jp-InputPrompt").inner_text()

    def menu(self, *names: str) -> None:
        """Choose from the menu bar by mouse."""
        bar = self.page.locator(".lm-MenuBar")
        bar.get_by_text(names[0], exact=True).click()
        for name in names[1:]:
            self.page.locator(".lm-Menu").get_by_text(name, exact=True).last.click()

    def output(self, number: int) -> Locator:
        return self.cell(number).locator(".jp-OutputArea").first

    def expect_output(self, number: int, *texts: str) -> None:
        """Wait until the cell's output says all of these."""
        for text in texts:
            expect(self.output(number)).to_contain_text(text)

    def form(self, number: int, about: str = "") -> FormPage:
        """The question in a cell's output; where there are several, the one whose text has ``about``."""
        return FormPage(self.cell(number).locator(".jme", has_text=about))

    def url(self, number: int, about: str = "") -> UrlCard:
        """The same for a page to open; where there are several, the one whose address has ``about``."""
        address = self.page.locator(".jme-href", has_text=about)
        where = self.cell(number).locator(".jme", has=address) if about else self.cell(number).locator(".jme")
        return UrlCard(where, self.output(number))

    def save(self) -> dict[str, Any]:
        """Ctrl+S, and the file as it is then."""
        path = self.jupyter.notebooks / self.name
        before = path.stat().st_mtime_ns
        self.page.keyboard.press("Control+s")
        wait_until(lambda: path.stat().st_mtime_ns != before or None, "saved notebook")
        self.page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
        saved: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return saved

    def reload(self, *, idle: bool = True) -> NotebookPage:
        # A notebook that changed since asks whether to leave; a person who reloads means it.
        self.page.once("dialog", lambda dialog: dialog.accept())
        self.page.reload()
        return self.wait_ready(idle=idle)

    @property
    def strangers(self) -> list[str]:
        """Requests to anybody but the page's own Jupyter server."""
        own = urlsplit(self.jupyter.url).netloc
        parts = [urlsplit(url) for url in self.requests]
        return [part.geturl() for part in parts if part.netloc not in ("", own)]

    def _address(self, workspace: str) -> str:
        place = f"lab/workspaces/{workspace}/tree" if self.app == "lab" else "notebooks"
        return f"{self.jupyter.url}{place}/{self.name}"

    def _failed(self, error: Error) -> None:
        self.errors.append(f"{error} {error.stack}")

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)
