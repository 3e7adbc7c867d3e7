"""The same form as a widget: where our extension is not, and for code that holds a form."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from jupyter_process import JupyterProcess
from playwright.sync_api import expect

from .conftest import OpenNotebook, disable
from .journal import Journal

pytestmark = pytest.mark.browser

ASK = (
    "schema = {'type': 'object', 'properties': {\n"
    "    'name': {'type': 'string', 'title': 'Name'},\n"
    "    'size': {'type': 'string', 'title': 'Size', 'enum': ['S', 'L']}}}\n"
    "form = ElicitationForm('Who are you?', schema)\n"
    "form"
)


@pytest.fixture
def without_extension(jupyter: JupyterProcess) -> Iterator[None]:
    """Pages that load have not our extension; the Jupyter server has its own."""
    disable(jupyter.root, "jupyter-mcp-elicit")
    yield
    disable(jupyter.root)


@pytest.mark.usefixtures("without_extension")
def test_without_our_extension_the_widget_in_the_same_output_is_answered_while_the_cell_blocks(
    open_notebook: OpenNotebook, journal: Journal
) -> None:
    page = open_notebook("print(bistro.call('book_table', {'party': 4}))", fresh=True)
    form = page.run_cell(1).form(1).wait()
    assert page.page.locator(".jp-RenderedElicitation").count() == 0
    form.fill(Your_name="A")
    form.press("Submit")
    expect(form.live).to_contain_text("5 answers need another look")
    form.fill(Your_name="Ada", Email="ada@example.org", Day="2026-12-24")
    form.choose("Time", "Late, at nine").choose("Where", "bar")
    form.press("Submit")
    page.expect_output(1, "under the name Ada", "bistro asked during book_table · accepted")
    [heard] = journal.heard
    assert heard["content"]["time"] == "21:00"
    assert any(url.endswith("/answer") for url in page.requests)


@pytest.mark.usefixtures("without_extension")
def test_without_our_extension_an_interrupt_leaves_a_record(open_notebook: OpenNotebook) -> None:
    page = open_notebook("bistro.call('book_table', {'party': 4})", fresh=True)
    page.run_cell(1).form(1).wait()
    page.page.get_by_role("button", name="Interrupt the kernel").click()
    page.expect_output(1, "bistro asked during book_table · taken back", "KeyboardInterrupt")
    expect(page.form(1).live).to_have_count(0)


def test_a_form_of_the_notebooks_own_is_answered_while_a_cell_awaits_it(open_notebook: OpenNotebook) -> None:
    page = open_notebook(
        ASK, "answer = await form.wait()\nprint(answer.action, answer.content)", "form.state"
    )
    page.run_to_end(1)
    form = page.form(1).wait()
    expect(form.live).to_have_accessible_name("This notebook asks")
    page.run_cell(2)
    form.fill(Name="Ada").choose("Size", "L")
    form.press("Submit")
    page.expect_output(2, "accept {'name': 'Ada', 'size': 'L'}")
    form.expect_record("This notebook asked", "accepted")
    page.run_cell(3)
    page.expect_output(3, "accepted")


def test_what_code_fills_in_shows_in_the_page_and_what_is_typed_shows_in_code(
    open_notebook: OpenNotebook,
) -> None:
    page = open_notebook(ASK, "form.fill(name='Grace', size='S')", "form.draft")
    page.run_to_end(1)
    form = page.form(1).wait()
    page.run_to_end(2)
    expect(form.box("Name")).to_have_value("Grace")
    expect(form.group("Size").get_by_role("radio", name="S", exact=True)).to_be_checked()
    form.box("Name").press("End")
    page.page.keyboard.type(" Hopper")
    form.choose("Size", "L")
    page.run_to_end(3)
    page.expect_output(3, "{'name': 'Grace Hopper', 'size': 'L'}")


def test_standard_controls_share_the_forms_draft_both_ways(open_notebook: OpenNotebook) -> None:
    page = open_notebook(
        ASK, "controls = form.controls()\ncontrols", "print(form.state, form.answer.content)"
    )
    page.run_to_end(1).run_to_end(2)
    form = page.form(1).wait()
    text = page.cell(2).get_by_role("textbox", name="Name")
    text.fill("Ada")
    text.press("Tab")
    expect(form.box("Name")).to_have_value("Ada")
    form.choose("Size", "S")
    expect(page.cell(2).get_by_role("combobox", name="Size")).to_have_value("S")
    page.cell(2).get_by_role("button", name="Submit").click()
    page.cell(2).get_by_role("button", name="Send").click()
    form.expect_record("This notebook asked", "accepted")
    page.run_to_end(3)
    page.expect_output(3, "accepted {'name': 'Ada', 'size': 'S'}")
