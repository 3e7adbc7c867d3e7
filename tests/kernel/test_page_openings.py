"""Addresses that a kernel's own connection asks to open: a page agrees, and everybody hears the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_process import DEMO, JupyterProcess, wait_until
from kernel_client import Cell, KernelClient
from till_page import use

from .words import says

pytestmark = pytest.mark.timeout(120)

ERAS = ["2025-11-25", "2026-07-28"]
TOOLS = {
    "pay_deposit": "await bistro.call_tool('pay_deposit', {'code': 'T1'})",
    "members_menu": "await bistro.call_tool('members_menu')",
    "blocking": "bistro.call('pay_deposit', {'code': 'T1'})",
}
SHORT = "await bistro.call_tool('pay_deposit', {'code': 'T1', 'wait': 2})"
VIEW = "application/vnd.jupyter.widget-view+json"
PAGE = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def kernel(jupyter: JupyterProcess) -> Iterator[KernelClient]:
    client = KernelClient(jupyter)
    yield client
    client.close()


def asked(jupyter: JupyterProcess, kernel: KernelClient, era: str, tool: str) -> tuple[Cell, dict[str, Any]]:
    """The running cell and the card that its call caused, with a bistro of its own."""
    connecting = (
        f"from jupyter_mcp_elicit import *\nbistro = await connect({DEMO!r}, name='bistro', era={era!r})"
    )
    done = kernel.run(connecting, 60)
    assert done.reply is not None
    assert done.reply["status"] == "ok", done.text
    cell = kernel.start(f"result = {TOOLS.get(tool, SHORT)}\nprint(result)")
    [card] = jupyter.wait_for_cards()
    assert card["mode"] == "url"
    assert card["asker"]["transport"].startswith("connected in the kernel, ")
    wait_until(lambda: cell.question_ids == [card["id"]], "card in the cell's output")
    return cell, card


def agree(jupyter: JupyterProcess, card: dict[str, Any]) -> None:
    """As a person's click does."""
    body = {"action": "accept", "confirmed": True}
    status, shape = jupyter.request("POST", f"mcp-elicit/elicitations/{card['id']}/answer", body, PAGE)
    assert status == 200, shape
    assert shape["card"]["flow"] == "opened"


def back(jupyter: JupyterProcess, card: dict[str, Any], action: str) -> None:
    status, shape = jupyter.request(
        "POST", f"mcp-elicit/elicitations/{card['id']}/flow", {"action": action}, PAGE
    )
    assert status == 200, shape


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("era", ERAS)
def test_the_call_goes_on_when_the_page_was_used(
    jupyter: JupyterProcess, kernel: KernelClient, era: str, tool: str
) -> None:
    cell, card = asked(jupyter, kernel, era, tool)
    agree(jupyter, card)
    # Nobody uses a page before their click has reached the kernel.
    says(cell, "opened, not finished yet")
    use(card["url"]["href"])
    cell.wait()
    says(cell, "For members" if tool == "members_menu" else "is paid")
    says(cell, "opened and completed")
    assert jupyter.card(card["id"])["flow"] == "completed"


def test_a_person_who_is_done_has_the_call_sent_again(jupyter: JupyterProcess, kernel: KernelClient) -> None:
    cell, card = asked(jupyter, kernel, "2025-11-25", "members_menu")
    agree(jupyter, card)
    back(jupyter, card, "finish")
    [reminder] = jupyter.wait_for_cards()
    assert "still waits for what you opened" in reminder["message"]
    jupyter.answer(reminder["id"], "cancel")
    says(cell.wait(), "still waiting for 127.0.0.1")
    assert jupyter.card(card["id"])["flow"] == "finished"


def test_who_gives_the_page_up_is_heard_by_the_server(jupyter: JupyterProcess, kernel: KernelClient) -> None:
    cell, card = asked(jupyter, kernel, "2025-11-25", "pay_deposit")
    agree(jupyter, card)
    back(jupyter, card, "cancel")
    says(cell.wait(), "You left the page")
    says(cell, "opened, then given up")


def test_the_widget_stays_while_the_call_waits_for_the_page_and_no_longer(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    cell, card = asked(jupyter, kernel, "2025-11-25", "short")
    agree(jupyter, card)
    says(cell, "opened, not finished yet")
    assert [VIEW in each["data"] for each in cell.outputs if "data" in each] == [True]
    says(cell.wait(), "stays open")
    # Nobody would tell the widget how that ends; our renderer hears it from the server.
    [data] = [each["data"] for each in cell.outputs if "data" in each]
    assert VIEW not in data
    assert cell.question_ids == [card["id"]]
    assert jupyter.card(card["id"])["flow"] == "opened"


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_who_does_not_want_to_open_it(jupyter: JupyterProcess, kernel: KernelClient, action: str) -> None:
    cell, card = asked(jupyter, kernel, "2025-11-25", "pay_deposit")
    assert jupyter.answer(card["id"], action)[0] == 200
    says(cell.wait(), "at the counter" if action == "decline" else "has no deposit yet")


def test_neither_the_kernel_nor_its_script_agrees(jupyter: JupyterProcess, kernel: KernelClient) -> None:
    code = (
        f"from jupyter_mcp_elicit import *\nb = await connect({DEMO!r}, answers=[Accept()])\n"
        "await b.call_tool('pay_deposit', {'code': 'T1'})"
    )
    says(kernel.run(code, 60), "Only a person can agree to open an address")


def test_an_interrupt_ends_the_wait_for_an_opened_page(jupyter: JupyterProcess, kernel: KernelClient) -> None:
    cell, card = asked(jupyter, kernel, "2026-07-28", "pay_deposit")
    agree(jupyter, card)
    kernel.interrupt()
    cell.wait()
    wait_until(lambda: jupyter.card(card["id"])["flow"] == "cut", "page that is cut off")


def test_another_kernel_cannot_say_that_the_page_is_done(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    cell, card = asked(jupyter, kernel, "2025-11-25", "pay_deposit")
    agree(jupyter, card)
    other = KernelClient(jupyter)
    try:
        link = "from jupyter_mcp_elicit.kernel.link import Link\nlink = Link.find()\n"
        post = f"link.request('POST', 'elicitations/{card['id']}/flow', {{'action': 'complete'}})"
        says(other.run(link + post), "There is no such question.")
    finally:
        other.close()
    says(cell, "opened, not finished yet")
    use(card["url"]["href"])
    says(cell.wait(), "is paid")
