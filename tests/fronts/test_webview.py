"""VS Code and Colab simulated: a real page and a real kernel, with our widget and nothing else of ours.

Neither of the two is run. JupyterLab plays them: without our server extension and our labextension,
where no request to ``mcp-elicit/`` succeeds and no configuration of a Jupyter page can be found.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from browser.notebook_page import NotebookPage
from jupyter_process import JupyterProcess
from playwright.sync_api import BrowserContext, expect

from .conftest import Bistro
from .webview import Webview, start

pytestmark = pytest.mark.browser

CALL = "result = await bistro.call_tool('order_coffee', {'milk': 'oat'})\nresult"
PAY = "print(await bistro.call_tool('pay_deposit', {'code': 'T1'}))"


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterProcess]:
    process = start(tmp_path_factory.mktemp("webview"))
    yield process
    process.stop()


@pytest.fixture(scope="module")
def webview(browser: BrowserContext, jupyter: JupyterProcess) -> Webview:
    return Webview(browser, jupyter)


Open = Callable[..., NotebookPage]


@pytest.fixture
def open_cells(webview: Webview, bistro: Bistro) -> Iterator[Open]:
    """Opens a notebook of these cells below the first one, which connects and has run."""
    opened: list[NotebookPage] = []

    def open_cells(*cells: str) -> NotebookPage:
        connect = f"if 'bistro' not in globals():\n    {bistro.connect}"
        first = f"import asyncio, sys\nimport ipywidgets\nfrom jupyter_mcp_elicit import *\n{connect}"
        opened.append(webview.open([first, *cells]))
        bistro.take()
        return opened[-1].run_to_end(0)

    yield open_cells
    for page in opened:
        webview.give_back(page)
    assert [error for page in opened for error in page.errors] == []
    assert webview.ours == []


def test_in_a_simulated_webview_a_form_is_corrected_previewed_and_accepted(
    open_cells: Open, bistro: Bistro
) -> None:
    page = open_cells("print(await bistro.call_tool('book_table', {'party': 2}))")
    form = page.run_cell(1).form(1).wait()
    form.fill(Your_name="A", Email="ada@example.org", Day="2026-12-24")
    form.choose("Time", "Half past seven").choose("Where", "terrace").press("Submit")
    expect(form.live).to_contain_text("needs another look")
    assert form.problem("Your name") != ""
    form.fill(Your_name="Ada")
    form.press("Preview")
    shown = form.live.locator(".jme-preview pre")
    shown.wait_for()
    told = json.loads(shown.inner_text())
    assert bistro.take() == []
    # The preview has moved the buttons: a press at once would not count, and keys do.
    form.box("Your name").press("Control+Enter")
    page.expect_output(1, "under the name Ada", "bistro asked during book_table · accepted")
    [heard] = bistro.take()
    assert (heard["action"], heard["content"]) == ("accept", told)


def test_in_a_simulated_webview_with_nothing_of_ours_but_the_widget_no_is_said_by_pressing_it(
    open_cells: Open, jupyter: JupyterProcess, bistro: Bistro
) -> None:
    page = open_cells(CALL)
    form = page.run_cell(1).form(1).wait()
    assert page.page.locator(".jp-RenderedElicitation").count() == 0
    assert jupyter.request("GET", "mcp-elicit/servers")[0] == 404
    form.press("Decline")
    page.expect_output(1, "bistro asked during order_coffee · declined", "A glass of water")
    assert [each["action"] for each in bistro.take()] == ["decline"]


def test_in_a_simulated_webview_code_fills_in_the_form_of_a_running_call_and_the_person_sends_it(
    open_cells: Open, bistro: Bistro
) -> None:
    page = open_cells(
        "async def help():\n"
        "    while not bistro.forms:\n"
        "        await asyncio.sleep(0.05)\n"
        "    bistro.forms[0].fill(size='large')\n"
        "helping = asyncio.ensure_future(help())\n" + CALL
    )
    form = page.run_cell(1).form(1).wait()
    expect(form.group("Size").get_by_role("radio", name="Large", exact=True)).to_be_checked()
    form.press("Submit")
    page.expect_output(1, "One large coffee with oat milk.")
    assert [each["content"] for each in bistro.take()] == [{"size": "large"}]


NEST = (
    "schema = {'type': 'object', 'properties': {'town': {'type': 'string', 'title': 'Town'}}}\n"
    "form, seen = ElicitationForm('Where?', schema), []\n"
    "form.observe(lambda change: seen.append(change['new']), ['state', 'draft'])\n"
    "other = ipywidgets.HTML('nothing here')\n"
    "ipywidgets.Tab([other, ipywidgets.VBox([form])], titles=['Other', 'Form'])"
)


def test_in_a_simulated_webview_a_form_nested_in_tabs_and_boxes_is_observed_and_filled_by_code(
    open_cells: Open,
) -> None:
    page = open_cells(
        NEST,
        "form.fill(town='Berg')",
        "answer = await form.wait()\nprint(answer.content, seen[-1], {'town': 'Berg'} in seen)",
    )
    page.run_to_end(1)
    page.output(1).get_by_role("tab", name="Form").click()
    form = page.form(1).wait()
    page.run_to_end(2)
    expect(form.box("Town")).to_have_value("Berg")
    page.run_cell(3)
    form.box("Town").press("End")
    page.page.keyboard.type("en")
    form.press("Submit")
    page.expect_output(3, "{'town': 'Bergen'} accepted True")
    form.expect_record("This notebook asked", "accepted")


def test_in_a_simulated_webview_an_address_is_opened_by_the_persons_own_press_and_waited_for(
    open_cells: Open, bistro: Bistro
) -> None:
    page = open_cells(PAY)
    card = page.run_cell(1).url(1).wait()
    expect(card.live).to_contain_text("It leads to the computer that your browser runs on")
    till = card.open()
    assert till.evaluate("[window.opener === null, document.referrer]") == [True, ""]
    card.expect_status("Opened 127.0.0.1 · waiting")
    till.get_by_role("textbox").fill("4200 1234")
    till.get_by_role("button").click()
    expect(till.get_by_role("status")).to_contain_text("the deposit is paid")
    till.close()
    page.page.bring_to_front()
    card.expect_record("to open 127.0.0.1", "opened and completed")
    page.expect_output(1, "Thank you, the deposit for")
    assert [each["action"] for each in bistro.take()] == ["accept"]


def test_in_a_simulated_webview_an_interrupt_takes_the_question_back(
    open_cells: Open, bistro: Bistro
) -> None:
    page = open_cells(CALL)
    form = page.run_cell(1).form(1).wait()
    page.page.get_by_role("button", name="Interrupt the kernel").click()
    page.expect_output(1, "bistro asked during order_coffee · taken back")
    expect(form.live).to_have_count(0)
    page.wait_end(1)
    assert "decline" not in {each["action"] for each in bistro.take()}


def test_in_a_simulated_webview_a_blocking_call_says_at_once_why_nobody_is_asked_and_what_to_do(
    open_cells: Open, bistro: Bistro
) -> None:
    page = open_cells("result = bistro.call('order_coffee', {'milk': 'oat'})\nprint(result.note)")
    page.run_to_end(1)
    page.expect_output(1, "cancelled: it could not be shown")
    page.expect_output(1, "a blocking call cannot hear a form here, but await call_tool(…) can")
    assert {each["action"] for each in bistro.take()} == {"cancel"}


@pytest.fixture(scope="module")
def with_server_extension(
    browser: BrowserContext, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[NotebookPage]:
    """Real, and no simulation: JupyterLab whose server has our extension and whose page has not."""
    process = start(tmp_path_factory.mktemp("half"), server_extension=True)
    process.configure({"bistro": process.bistro()})
    connect = "from jupyter_mcp_elicit import *\nbistro = await connect('bistro')"
    cells = [connect, "print(bistro.call('pay_deposit', {'code': 'T1'}))"]
    tab = browser.new_page()
    yield NotebookPage.create(tab, process, "lab", cells)
    tab.close()
    process.stop()


def test_without_our_labextension_an_address_is_a_widget_whose_press_is_heard_while_the_cell_blocks(
    with_server_extension: NotebookPage,
) -> None:
    page = with_server_extension
    card = page.run_to_end(0).run_cell(1).url(1).wait()
    assert page.page.locator(".jp-RenderedElicitation").count() == 0
    card.live.get_by_role("checkbox", name="Open it all the same").check()
    till = card.open()
    card.expect_status("Opened 127.0.0.1 · waiting")
    till.get_by_role("textbox").fill("4200 1234")
    till.get_by_role("button").click()
    till.close()
    page.page.bring_to_front()
    card.expect_record("to open 127.0.0.1", "opened and completed")
    page.expect_output(1, "Thank you, the deposit for")
    assert [each["action"] for each in page.jupyter.journalled() if "action" in each] == ["accept"]
