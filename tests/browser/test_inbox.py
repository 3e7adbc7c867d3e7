"""The inbox: questions from anywhere, answered where the person is."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from jupyter_process import JupyterProcess, wait_until
from playwright.sync_api import Page, WebSocketRoute, expect

from .conftest import OpenNotebook
from .inbox_panel import InboxPanel
from .journal import Journal
from .notebook_page import NotebookPage, notebook

pytestmark = pytest.mark.browser

COFFEE = "result = await bistro.call_tool('order_coffee', {'milk': 'oat'})"
MENU = "How do you take your coffee?"

Asks = Callable[[str], threading.Thread]


@pytest.fixture
def agent_asks(jupyter: JupyterProcess) -> Iterator[Asks]:
    """Asks as the agent "housekeeper", in a thread that ends with its answer."""
    asking: list[threading.Thread] = []

    def ask(message: str) -> threading.Thread:
        schema = {"type": "object", "properties": {"note": {"type": "string", "title": "Note"}}}
        body = {"message": message, "requestedSchema": schema, "agent": "housekeeper"}
        call = threading.Thread(
            target=jupyter.request, args=("POST", "mcp-elicit/elicitations", body), daemon=True
        )
        call.start()
        asking.append(call)
        wait_until(lambda: [c for c in jupyter.open_cards() if c["message"] == message], "question")
        return call

    yield ask
    for card in jupyter.open_cards():
        jupyter.answer(card["id"], "cancel")
    for call in asking:
        call.join(20)


def bring_to_front(page: NotebookPage, jupyter: JupyterProcess, name: str) -> None:
    """Another notebook in the same page of JupyterLab, in front of the first."""
    (jupyter.notebooks / name).write_text(json.dumps(notebook(["1 + 1"])), "utf-8")
    page.page.evaluate("path => { window.jupyterapp.commands.execute('docmanager:open', { path }); }", name)
    page.page.wait_for_function(
        "name => window.jupyterapp.shell.currentWidget?.context?.path === name", arg=name
    )


def only_lab(app: str) -> None:
    if app != "lab":
        pytest.skip("Notebook shows one notebook in a page.")


def test_a_question_from_another_notebook_is_told_by_a_toast_and_answered_in_the_inbox(
    open_notebook: OpenNotebook, jupyter: JupyterProcess, journal: Journal, app: str
) -> None:
    only_lab(app)
    page = open_notebook(COFFEE, fresh=True)
    inbox = InboxPanel(page.page)
    page.run_cell(1)
    bring_to_front(page, jupyter, "in-front.ipynb")
    page.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .cm-content").click()
    expect(inbox.toast).to_have_text(re.compile(rf"bistro asks you something \({page.name}\)\."))
    inbox.expect_count(1)
    # Neither the toast nor the panel takes the keyboard from the notebook.
    assert page.page.evaluate("document.activeElement.closest('.jp-Notebook') !== null")
    inbox.show()
    expect(inbox.toast).to_have_count(0)
    expect(inbox.entry(MENU)).to_contain_text(page.name)
    inbox.form(MENU).choose("Size", "Large").press("Submit")
    expect(inbox.earlier).to_contain_text("answered here")
    expect(inbox.entries).to_have_count(0)
    expect(inbox.empty).to_be_visible()
    expect(inbox.empty).to_be_focused()
    inbox.expect_count(0)
    wait_until(lambda: journal.heard, "answer")
    assert [each["action"] for each in journal.heard] == ["accept"]


def test_show_brings_the_cell_and_what_is_typed_in_one_form_stands_in_the_other(
    open_notebook: OpenNotebook, jupyter: JupyterProcess, app: str
) -> None:
    only_lab(app)
    page = open_notebook(
        *["'space'"] * 30, "await bistro.call_tool('slow_brew', {'steps': 1, 'pace': 0})", fresh=True
    )
    inbox = InboxPanel(page.page)
    page.page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex = 31")
    page.page.evaluate("window.jupyterapp.commands.execute('notebook:run-cell') && null")
    bring_to_front(page, jupyter, "in-front-2.ipynb")
    inbox.toast.get_by_role("button", name="Show").click()
    page.page.wait_for_function(
        "name => window.jupyterapp.shell.currentWidget?.context?.path === name", arg=page.name
    )
    cell = page.page.locator(
        ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea .jme", has_text="The pot is ready"
    )
    expect(cell).to_be_in_viewport()
    expect(inbox.toast).to_have_count(0)
    expect(inbox.node).to_be_hidden()
    cell.get_by_role("textbox", name="Cups").fill("2")
    inbox.show()
    form = inbox.form("The pot is ready").wait()
    expect(form.box("Cups")).to_have_value("2")
    form.fill(Cups="3")
    expect(cell.get_by_role("textbox", name="Cups")).to_have_value("3")
    form.press("Submit")
    page.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)", has_text="Poured 3 after 1 steps").wait_for()


def test_what_an_agent_asks_is_told_once_and_ends_for_every_page_when_one_answers(
    open_notebook: OpenNotebook, agent_asks: Asks, jupyter: JupyterProcess
) -> None:
    page = open_notebook("1")
    inbox = InboxPanel(page.page)
    call = agent_asks("May I tidy up?")
    expect(inbox.toast).to_have_text(re.compile(r"Agent housekeeper asks you something\."))
    inbox.expect_count(1)
    inbox.toast.get_by_role("button", name="Show").click()
    form = inbox.form("May I tidy up?").wait()
    expect(form.live).to_contain_text("Agent housekeeper asks")
    expect(inbox.entry("May I tidy up?")).to_be_focused()
    form.fill(Note="yes").press("Submit")
    call.join(20)
    assert not call.is_alive()
    inbox.expect_count(0)
    expect(inbox.toast).to_have_count(0)
    inbox.hide()


def test_a_question_raised_with_no_page_open_is_there_on_the_next_load_and_after_a_reload(
    open_notebook: OpenNotebook, agent_asks: Asks
) -> None:
    call = agent_asks("Asked of nobody?")
    page = open_notebook("1", fresh=True)
    for _ in "ab":
        inbox = InboxPanel(page.page)
        inbox.expect_count(1)
        expect(inbox.toast).to_have_count(1)
        page.reload()
    inbox = (
        InboxPanel(page.page).show() if not InboxPanel(page.page).node.is_visible() else InboxPanel(page.page)
    )
    expect(inbox.entries).to_have_count(1)
    inbox.form("Asked of nobody?").wait().press("Decline")
    call.join(20)
    assert not call.is_alive()


@contextmanager
def cut(page: Page) -> Iterator[tuple[list[WebSocketRoute], Callable[[bool], None]]]:
    """The page's events sockets, which the test can close, and whether new ones come through."""
    open_now: list[WebSocketRoute] = []
    through = [True]

    def pass_on(socket: WebSocketRoute) -> None:
        if through[0]:
            socket.connect_to_server()
            open_now.append(socket)
        else:
            socket.close()

    page.route_web_socket(re.compile("mcp-elicit/events"), pass_on)

    def admit(admitted: bool) -> None:
        through[0] = admitted

    yield open_now, admit


def test_a_dropped_websocket_neither_loses_nor_doubles_a_question(
    open_notebook: OpenNotebook, agent_asks: Asks, jupyter: JupyterProcess
) -> None:
    page = open_notebook("1", fresh=True)
    with cut(page.page) as (sockets, admit):
        page.reload()
        inbox = InboxPanel(page.page).show()
        agent_asks("Before the drop?")
        over = agent_asks("Answered while away?")
        expect(inbox.entries).to_have_count(2)
        inbox.form("Before the drop?").wait().fill(Note="half typed")
        admit(False)
        sockets[-1].close()
        agent_asks("During the drop?")
        [gone] = [card for card in jupyter.open_cards() if card["message"] == "Answered while away?"]
        jupyter.answer(gone["id"], "decline")
        over.join(20)
        expect(inbox.entries).to_have_count(2)
        admit(True)
        page.page.evaluate("window.dispatchEvent(new Event('online'))")
        expect(inbox.entry("During the drop?")).to_have_count(1)
        expect(inbox.entries).to_have_count(2)
        expect(inbox.earlier).to_have_count(1)
        expect(inbox.form("Before the drop?").box("Note")).to_have_value("half typed")
        inbox.expect_count(2)
        # The same again, by itself.
        sockets[-1].close()
        agent_asks("After the drop?")
        expect(inbox.entries).to_have_count(3)


@pytest.fixture
def settings(jupyter: JupyterProcess) -> Iterator[Callable[[], dict[str, Any]]]:
    """The person's own settings of the inbox, as the server keeps them; gone afterwards."""
    path = "lab/api/settings/jupyter-mcp-elicit:inbox"

    def read() -> dict[str, Any]:
        shape = jupyter.request("GET", path)[1]
        kept: dict[str, Any] = json.loads(re.sub(r"^\s*//.*$", "", shape["raw"], flags=re.MULTILINE) or "{}")
        return kept

    yield read
    jupyter.request("PUT", path, {"raw": "{}"})


def test_without_toasts_the_count_and_a_live_region_tell(
    open_notebook: OpenNotebook,
    agent_asks: Asks,
    jupyter: JupyterProcess,
    settings: Callable[[], dict[str, Any]],
) -> None:
    status, shape = jupyter.request(
        "PUT", "lab/api/settings/jupyter-mcp-elicit:inbox", {"raw": '{"toasts": false}'}
    )
    assert status == 204, shape
    page = open_notebook("1", fresh=True)
    inbox = InboxPanel(page.page)
    agent_asks("In silence?")
    inbox.expect_count(1)
    expect(page.page.locator(".jme-heard[role=status]")).to_have_text("Agent housekeeper asks you something.")
    expect(inbox.toast).to_have_count(0)


def test_the_browser_is_asked_for_its_permission_only_when_the_person_presses_the_button(
    open_notebook: OpenNotebook, agent_asks: Asks, settings: Callable[[], dict[str, Any]]
) -> None:
    page = open_notebook("1", fresh=True)
    page.page.add_init_script(
        """window.asked = 0;
        const permission = { get: () => window.asked > 0 ? 'granted' : 'default' };
        Object.defineProperty(Notification, 'permission', permission);
        Notification.requestPermission = () => { window.asked += 1; return Promise.resolve('granted'); };"""
    )
    page.reload()
    inbox = InboxPanel(page.page).show()
    agent_asks("Quietly?")
    expect(inbox.entries).to_have_count(1)
    assert page.page.evaluate("window.asked") == 0
    button = inbox.node.get_by_role("button", name="Notify me outside this page too")
    # A script's click is nobody's.
    button.evaluate("node => node.click()")
    assert page.page.evaluate("window.asked") == 0
    button.click()
    expect(button).to_have_count(0)
    assert page.page.evaluate("window.asked") == 1
    wait_until(lambda: settings().get("browserNotifications"), "kept setting")


def test_no_command_of_ours_answers(open_notebook: OpenNotebook) -> None:
    page = open_notebook("1")
    ours: Any = page.page.evaluate(
        "window.jupyterapp.commands.listCommands().filter(id => id.includes('mcp'))"
    )
    assert ours == ["jupyter-mcp-elicit:toggle-inbox"]


def test_a_page_that_slept_shows_what_was_asked_meanwhile(
    open_notebook: OpenNotebook, agent_asks: Asks
) -> None:
    page = open_notebook("1", fresh=True)
    inbox = InboxPanel(page.page).show()
    expect(inbox.empty).to_be_visible()
    browser = page.page.context.new_cdp_session(page.page)
    browser.send("Page.setWebLifecycleState", {"state": "frozen"})
    try:
        agent_asks("Are you awake?")
    finally:
        browser.send("Page.setWebLifecycleState", {"state": "active"})
    form = inbox.form("Are you awake?").wait()
    expect(inbox.entries).to_have_count(1)
    form.press("Cancel")
    expect(inbox.earlier).to_contain_text("answered here")


def test_a_closed_notebooks_question_waits_in_the_inbox_and_ends_with_its_kernel(
    open_notebook: OpenNotebook, jupyter: JupyterProcess, journal: Journal, app: str
) -> None:
    only_lab(app)
    page = open_notebook(COFFEE, fresh=True)
    inbox = InboxPanel(page.page)
    page.run_cell(1).form(1).wait()
    bring_to_front(page, jupyter, "in-front-3.ipynb")
    page.page.evaluate(
        """name => { for (const each of window.jupyterapp.shell.widgets('main'))
        if (each.context?.path === name) each.dispose(); }""",
        page.name,
    )
    inbox.show()
    inbox.form(MENU).wait()
    expect(inbox.entry(MENU)).to_contain_text(page.name)
    [kernel] = [
        each["kernel"]["id"]
        for each in jupyter.request("GET", "api/sessions")[1]
        if each["path"] == page.name
    ]
    jupyter.request("DELETE", f"api/kernels/{kernel}")
    expect(inbox.entries).to_have_count(0)
    expect(inbox.earlier).to_contain_text("taken back")
    # On 2026-07-28 an answer comes with the next round, and nobody sends one any more.
    assert journal.heard == []
