"""The notebooks of the demo as a person works through them: run, read, click."""

from __future__ import annotations

import notebook_cells
import pytest
from playwright.sync_api import Locator, expect

from .conftest import OpenNotebook
from .form_page import FormPage
from .notebook_page import NotebookPage

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


class Reader:
    """Somebody who works through a notebook, cell by cell, by their ids."""

    def __init__(self, open_notebook: OpenNotebook, name: str) -> None:
        cells = notebook_cells.read(name).cells
        # The fixture's own first cell connects, and stands before them.
        self._places = {cell.id: place for place, cell in enumerate(cells, 1)}
        self.page: NotebookPage = open_notebook(*cells)

    def start(self, cell_id: str) -> None:
        self.page.run_cell(self._places[cell_id])

    def run(self, *cell_ids: str) -> None:
        for each in cell_ids:
            self.page.run_to_end(self._places[each])

    def answer(self, cell_id: str, about: str = "") -> FormPage:
        return self.page.form(self._places[cell_id], about).wait()

    def end(self, cell_id: str, *words: str) -> None:
        self.page.wait_end(self._places[cell_id])
        self.page.expect_output(self._places[cell_id], *words)

    def output(self, cell_id: str) -> Locator:
        return self.page.output(self._places[cell_id])


def test_each_of_the_three_answers_is_clicked_and_found_in_the_trace(open_notebook: OpenNotebook) -> None:
    at = Reader(open_notebook, "02_three_answers.ipynb")
    at.run("parameters", "connect")
    at.start("accept")
    at.answer("accept").choose("Size", "Large").press("Submit")
    at.end("accept", "One large coffee with oat milk.")
    at.run("accept-trace", "accept-answers")
    expect(at.output("accept-trace").locator("svg[role=img]")).to_contain_text("accept")
    expect(at.output("accept-trace").locator("pre").nth(2)).to_be_hidden()
    at.output("accept-trace").locator("summary").nth(2).click()
    frame = at.output("accept-trace").locator("pre").nth(2)
    expect(frame).to_contain_text('"content": "(hidden: 1 member)"')
    # Wide enough to be read beside its meaning.
    assert frame.evaluate("node => node.clientWidth") > 350
    at.end("accept-answers", "{'action': 'accept', 'content': '(hidden: 1 member)'}")
    at.start("decline")
    at.answer("decline").press("Decline")
    at.end("decline", "A glass of water is on the house.")
    at.run("decline-answers")
    at.end("decline-answers", "[{'action': 'decline'}]")
    at.start("cancel")
    at.answer("cancel").press("Cancel")
    at.answer("cancel", "once more").press("Cancel")
    at.end("cancel", "No answer came")
    at.run("cancel-answers")
    at.end("cancel-answers", "[{'action': 'cancel'}, {'action': 'cancel'}]")
    at.start("stop")
    at.answer("stop")
    at.page.page.get_by_role("button", name="Interrupt the kernel").click()
    at.end("stop", "taken back")
    at.run("stop-trace")
    expect(at.output("stop-trace").locator("svg[role=img]")).to_contain_text("asks")
    for made_up in ("accept", "decline", "cancel"):
        expect(at.output("stop-trace").locator("svg[role=img]")).not_to_contain_text(made_up)


def test_one_question_is_answered_in_each_revision_and_stands_side_by_side(
    open_notebook: OpenNotebook,
) -> None:
    at = Reader(open_notebook, "04_three_eras.ipynb")
    at.run("parameters", "connect", "helper")
    at.start("one")
    for era, press in (("2025-06-18", "Submit"), ("2025-11-25", "Decline"), ("2026-07-28", "Submit")):
        at.answer("one", f"bistro {era} asks").press(press)
    at.end("one", "2025-11-25 | No coffee then.", "2026-07-28 | One medium coffee")
    at.run("one-frames", "pushed", "answers")
    expect(at.output("one-frames").locator("tbody tr")).to_have_count(4)
    expect(at.output("pushed").locator("svg[role=img]")).to_contain_text("decline")
    at.end("answers", "2025-11-25 | [{'action': 'decline'}]")
