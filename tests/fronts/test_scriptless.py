"""A front end that loads no script of ours: JupyterLab without our labextension, and without widgets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser.notebook_page import NotebookPage
from browser.tabs import Tabs
from jupyter_process import JupyterProcess, wait_until
from playwright.sync_api import BrowserContext, Locator, expect

from .webview import start

pytestmark = pytest.mark.browser

CALL = "print(await bistro.call_tool('order_coffee', {'milk': 'oat'}))"
BLOCK = "print(bistro.call('order_coffee', {'milk': 'oat'}))"
SAID = "No page shows this form, so it is asked here, line by line."

Open = Callable[..., NotebookPage]


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterProcess]:
    process = start(tmp_path_factory.mktemp("scriptless"), server_extension=True, widgets=False)
    process.configure({"bistro": process.bistro()})
    yield process
    process.stop()


@pytest.fixture(scope="module")
def kernel_id(jupyter: JupyterProcess) -> str:
    """One for all: only the first question of a kernel waits long to be seen."""
    status, shape = jupyter.request("POST", "api/kernels", {"name": "python3"})
    assert status == 201, shape
    return str(shape["id"])


@pytest.fixture(scope="module")
def tabs(browser: BrowserContext) -> Tabs:
    return Tabs(browser, lasting=True)


@pytest.fixture
def open_cells(tabs: Tabs, jupyter: JupyterProcess, kernel_id: str) -> Iterator[Open]:
    """Opens a notebook of these cells below a first one, which connects and has run."""
    opened: list[NotebookPage] = []

    def open_cells(*cells: str, connect: str = "bistro = await connect('bistro')") -> NotebookPage:
        first = f"from jupyter_mcp_elicit import *\n{connect}"
        page = NotebookPage.create(tabs.take(), jupyter, "lab", [first, *cells], kernel_id=kernel_id)
        opened.append(page)
        jupyter.journal.write_text("", "utf-8")
        return page.run_to_end(0)

    yield open_cells
    for page in opened:
        tabs.give_back(page.leave())
    if _open_cards(jupyter):
        # Of a test that failed.
        jupyter.request("POST", f"api/kernels/{kernel_id}/interrupt", {})
        wait_until(lambda: not _open_cards(jupyter), "end of the questions")


def _open_cards(jupyter: JupyterProcess) -> list[dict[str, Any]]:
    cards: list[dict[str, Any]] = jupyter.request("GET", "mcp-elicit/elicitations")[1]["elicitations"]
    return cards


def _line(page: NotebookPage, prompt: str) -> Locator:
    return page.cell(1).locator(".jp-Stdin", has_text=prompt).locator(".jp-Stdin-input")


def _type(page: NotebookPage, prompt: str, text: str) -> None:
    _line(page, prompt).fill(text)
    _line(page, prompt).press("Enter")


def _order(page: NotebookPage) -> None:
    page.expect_output(1, SAID)
    _type(page, "Size", "3")
    _type(page, "Send it?", "yes")


def _answers(jupyter: JupyterProcess) -> list[tuple[str, Any]]:
    return [(each["action"], each.get("content")) for each in jupyter.journalled() if "action" in each]


@pytest.mark.parametrize("cell", [CALL, BLOCK], ids=["awaiting", "blocking"])
def test_a_form_that_no_page_shows_is_asked_at_the_cells_prompt(
    open_cells: Open, jupyter: JupyterProcess, cell: str
) -> None:
    page = open_cells(cell).run_cell(1)
    _order(page)
    page.expect_output(1, "bistro asked during order_coffee · accepted", "One large coffee with oat milk.")
    assert _answers(jupyter) == [("accept", {"size": "large"})]


def test_what_is_answered_elsewhere_ends_the_line_that_is_being_typed(
    open_cells: Open, jupyter: JupyterProcess
) -> None:
    page = open_cells(CALL).run_cell(1)
    page.expect_output(1, SAID)
    _line(page, "Size").fill("2")
    [card] = _open_cards(jupyter)
    answer = f"mcp-elicit/elicitations/{card['id']}/answer"
    assert jupyter.request("POST", answer, {"action": "decline"})[0] == 200
    page.expect_output(1, "bistro asked during order_coffee · declined")
    page.wait_end(1)
    assert [action for action, _ in _answers(jupyter)] == ["decline"]


def test_an_interrupt_at_that_prompt_takes_it_back(open_cells: Open, jupyter: JupyterProcess) -> None:
    page = open_cells(CALL).run_cell(1)
    page.expect_output(1, SAID)
    expect(_line(page, "Size")).to_be_visible()
    page.page.get_by_role("button", name="Interrupt the kernel").click()
    page.wait_end(1)
    page.expect_output(1, "taken back")
    wait_until(lambda: not _open_cards(jupyter), "end of the question")


def test_a_connection_of_the_kernels_own_asks_there_too(open_cells: Open, jupyter: JupyterProcess) -> None:
    entry = jupyter.bistro()
    command = [entry["command"], *entry["args"]]
    connect = f"from jupyter_mcp_elicit import *\nbistro = await connect({command!r}, name='bistro')"
    page = open_cells(CALL, connect=connect).run_cell(1)
    _order(page)
    page.expect_output(1, "One large coffee with oat milk.")
    assert _answers(jupyter) == [("accept", {"size": "large"})]
