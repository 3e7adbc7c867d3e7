"""JupyterLab whose kernels run behind a Kernel Gateway: only its page is in touch with them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser.conftest import OPTIONS, disable
from browser.notebook_page import NotebookPage
from jupyter_process import DEMO, JupyterProcess
from playwright.sync_api import BrowserContext
from till_page import use

from .conftest import Bistro, serving

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

#: As the gateway's machine has it; the page's server has its own.
CONNECT = "import sys\nfrom jupyter_mcp_elicit import *\n%s"


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterProcess]:
    gateway = ("kernel_gateway", "--port={port}", "--ip=127.0.0.1")
    with serving(tmp_path_factory.mktemp("gateway"), *gateway, home="/api") as address:
        root = tmp_path_factory.mktemp("lab")
        disable(root)
        process = JupyterProcess(root, {}, app="lab", options=(*OPTIONS, f"--GatewayClient.url={address}"))
        process.configure({"home": {"command": DEMO[0], "args": DEMO[1:]}})
        yield process
        process.stop()


@pytest.fixture(scope="module")
def page(jupyter: JupyterProcess, browser: BrowserContext, bistro: Bistro) -> NotebookPage:
    cells = (
        CONNECT % bistro.connect,
        "print(await bistro.call_tool('order_coffee', {'milk': 'oat'}))",
        "print(await bistro.call_tool('pay_deposit', {'code': 'T1'}))",
        "print(bistro.call('order_coffee', {'milk': 'oat'}))",
        "print(await ask('Delete 3 tables?'))",
        "await connect('home')",
    )
    return NotebookPage.create(browser.new_page(), jupyter, "lab", cells).run_to_end(0)


def test_a_form_is_a_widget_and_its_answer_goes_by_the_page_to_the_kernel(
    page: NotebookPage, bistro: Bistro, jupyter: JupyterProcess
) -> None:
    form = page.run_cell(1).form(1).wait()
    # The page's own server knows nothing of it.
    assert jupyter.open_cards() == []
    form.choose("Size", "Large").press("Submit")
    page.wait_end(1)
    page.expect_output(1, "bistro asked during order_coffee · accepted")
    [heard] = bistro.take()
    assert (heard["action"], heard["content"]) == ("accept", {"size": "large"})


def test_an_address_is_agreed_to_there_and_its_page_waited_for(page: NotebookPage, bistro: Bistro) -> None:
    card = page.run_cell(2).url(2).wait()
    opened = card.open()
    opened.wait_for_load_state()
    use(opened.url)
    opened.close()
    page.wait_end(2)
    page.expect_output(2, "opened and completed")
    assert {each["action"] for each in bistro.take()} == {"accept"}


def test_a_blocking_call_asks_nobody_and_says_what_to_do(page: NotebookPage, bistro: Bistro) -> None:
    page.run_to_end(3)
    page.expect_output(3, "could not be shown", "await call_tool(…) can")
    assert {each["action"] for each in bistro.take()} == {"cancel"}


def test_an_interrupt_of_the_cell_takes_its_question_back(page: NotebookPage) -> None:
    page.run_cell(4).form(4).wait()
    page.page.evaluate("window.jupyterapp.commands.execute('notebook:interrupt-kernel')")
    page.wait_end(4)
    page.expect_output(4, "This notebook asked · taken back: the call was interrupted")


def test_a_server_of_the_pages_jupyter_is_out_of_reach_and_the_error_says_why(page: NotebookPage) -> None:
    page.run_to_end(5)
    page.expect_output(5, 'There is no MCP server "home"', "this kernel runs behind a gateway", "give a URL")
