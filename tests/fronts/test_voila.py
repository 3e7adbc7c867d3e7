"""Voila: cells run before the page is there, and its widgets' callbacks after that."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from browser.form_page import FormPage
from playwright.sync_api import BrowserContext, Page, expect

from .conftest import Bistro, serving

pytestmark = pytest.mark.browser

LABEXTENSION = Path(__file__).parents[2] / "jupyter_mcp_elicit" / "labextension"

CELLS = [
    "import asyncio, sys\nimport ipywidgets\nfrom jupyter_mcp_elicit import *\n%s",
    "print('AWAITED', await bistro.call_tool('order_coffee', {'milk': 'oat'}))",
    "print('BLOCKED', bistro.call('order_coffee', {'milk': 'oat'}))",
    "print('ADDRESS', await bistro.call_tool('pay_deposit', {'code': 'T1'}))",
    """
tasks = set()
def button(name, work, inside=True):
    output = ipywidgets.Output()
    async def in_output():
        with output:
            return await work()
    async def go():
        try:
            result = await (in_output if inside else work)()
            output.append_stdout(f'GOT {result} NOTE {result.note}')
        except Exception as error:
            output.append_stdout(f'FAILED {error}')
    def pressed(_):
        tasks.add(asyncio.ensure_future(go()))
    made = ipywidgets.Button(description=name)
    made.on_click(pressed)
    display(ipywidgets.VBox([made, output]).add_class('place-' + name))
async def blocking():
    return bistro.call('order_coffee', {'milk': 'oat'})
def awaiting():
    return bistro.call_tool('order_coffee', {'milk': 'oat'})
button('awaiting', awaiting)
button('blocking', blocking)
button('outside', awaiting, inside=False)
button('address', lambda: bistro.call_tool('pay_deposit', {'code': 'T1'}))
""",
]


@pytest.fixture(scope="module")
def voila(tmp_path_factory: pytest.TempPathFactory, bistro: Bistro) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("voila")
    # Where a person has it, too; through a link Voila would serve none of it.
    shutil.copytree(LABEXTENSION, folder / "data" / "labextensions" / "jupyter-mcp-elicit")
    first, *rest = CELLS
    cells = [nbformat.v4.new_code_cell(each) for each in [first % bistro.connect, *rest]]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, folder / "app.ipynb")
    options = ["--no-browser", "--port={port}", "--Voila.ip=127.0.0.1"]
    with serving(folder, "voila", "app.ipynb", *options, home="/voila/static/voila.js") as address:
        yield address


@pytest.fixture(scope="module")
def page(voila: str, browser: BrowserContext) -> Page:
    """The application, as one person sees it: when it shows, its cells have run."""
    page = browser.new_page()
    page.goto(voila)
    page.get_by_role("button", name="awaiting", exact=True).wait_for()
    return page


def press(page: Page, name: str) -> FormPage:
    """Presses a button of the application; gives the place below it."""
    page.get_by_role("button", name=name, exact=True).click()
    return FormPage(page.locator(f".place-{name}"))


def test_questions_while_the_cells_run_are_cancelled_at_once_and_say_why(page: Page, bistro: Bistro) -> None:
    for words in ("AWAITED", "BLOCKED", "ADDRESS"):
        expect(page.locator("body")).to_contain_text(words)
    # Each of the two calls is asked once more.
    expect(page.get_by_text("cancelled: it could not be shown")).to_have_count(4)
    expect(page.get_by_text("(nobody is there to answer)")).to_have_count(4)
    assert [each["action"] for each in bistro.take()] == ["cancel"] * 4


def test_a_question_of_a_callback_is_answered_in_the_form_inside_of_its_output(
    page: Page, bistro: Bistro
) -> None:
    form = press(page, "awaiting").wait()
    form.choose("Size", "Large")
    form.press("Submit")
    expect(form.node).to_contain_text("GOT")
    expect(form.node).to_contain_text("bistro asked during order_coffee · accepted")
    expect(form.live).to_have_count(0)
    [heard] = bistro.take()
    assert (heard["action"], heard["content"]) == ("accept", {"size": "large"})


def test_no_is_said_by_pressing_it_only(page: Page, bistro: Bistro) -> None:
    form = press(page, "awaiting").wait()
    form.press("Decline")
    expect(form.node).to_contain_text("bistro asked during order_coffee · declined")
    assert [each["action"] for each in bistro.take()] == ["decline"]


def test_a_callback_that_blocks_is_told_at_once_to_await(page: Page, bistro: Bistro) -> None:
    place = press(page, "blocking")
    expect(place.node).to_contain_text("NOTE")
    expect(place.node).to_contain_text("a blocking call cannot hear a form here, but await call_tool(…) can")
    assert {each["action"] for each in bistro.take()} == {"cancel"}


def test_outside_of_an_output_nothing_would_be_seen_so_the_call_says_what_to_do(
    page: Page, bistro: Bistro
) -> None:
    place = press(page, "outside")
    expect(place.node).to_contain_text("shows of a callback only what is inside of “with output:”")
    assert {each["action"] for each in bistro.take()} == {"cancel"}


def test_a_server_that_would_send_a_person_to_an_address_finds_another_way(
    page: Page, bistro: Bistro
) -> None:
    place = press(page, "address")
    expect(place.node).to_contain_text("Please pay at the counter")
    assert bistro.take() == []
