"""Reloads, interrupts, restarts, a dead server, a second tab: one answer, and the truth on the screen."""

from __future__ import annotations

import json

import psutil
import pytest
from jupyter_process import JupyterProcess
from kernel_client import MIME
from playwright.sync_api import WebSocketRoute, expect

from .conftest import OpenNotebook
from .form_page import FormPage
from .journal import Journal
from .notebook_page import NotebookPage
from .tabs import Tabs

pytestmark = pytest.mark.browser

WAYS = ("await {}.call_tool", "{}.call")
BOTH_WAYS = pytest.mark.parametrize("how", WAYS, ids=["awaiting", "blocking"])


def expect_cut_off(form: FormPage, label: str, typed: str) -> None:
    """The form is over, says so, and what was typed can still be read, and then put away."""
    expect(form.live.get_by_role("status")).to_contain_text("Nothing was sent.")
    expect(form.live.get_by_role("button", name="Submit")).to_have_count(0)
    expect(form.box(label)).to_have_value(typed)
    expect(form.box(label)).not_to_be_editable()
    form.live.get_by_role("button", name="Close").click()
    form.expect_record("pushing asked during book_table", "taken back")


@BOTH_WAYS
def test_a_reload_keeps_the_question_with_what_was_typed_and_its_answer_ends_the_call(
    open_notebook: OpenNotebook, journal: Journal, how: str
) -> None:
    call = f"result = {how.format('bistro')}('book_table', {{'party': 2}})"
    page = open_notebook(call, "print(result)", fresh=True)
    form = page.run_cell(1).form(1).wait()
    form.fill(Your_name="Planted Ada", Email="ada@example.org")
    # With the focus in the form, where the page's own Ctrl+S does not reach.
    saved = page.save()
    assert "Planted Ada" not in json.dumps(saved)
    page.reload(idle=False)
    form = page.form(1).wait()
    expect(form.box("Your name")).to_have_value("Planted Ada")
    form.fill(Day="2026-12-24").choose("Time", "Early, at six").choose("Where", "bar")
    form.press("Submit")
    form.expect_record("bistro asked during book_table", "accepted", "answered here")
    page.wait_ready().run_cell(2)
    page.expect_output(2, "at 18:00 (bar), under the name Planted Ada.")
    assert [each["action"] for each in journal.heard] == ["accept"]


def test_an_interrupt_takes_the_question_back_and_the_server_hears_that(
    open_notebook: OpenNotebook, journal: Journal
) -> None:
    calls = [f"{how.format('pushing')}('book_table', {{'party': 2}})" for how in WAYS]
    page = open_notebook(*calls, "print(await pushing.call_tool('todays_menu'))", server="pushing")
    for cell in (1, 2):
        form = page.run_cell(cell).form(cell).wait().fill(Your_name="Ada")
        page.page.get_by_role("button", name="Interrupt the kernel").click()
        page.wait_end(cell)
        expect_cut_off(form, "Your name", "Ada")
    page.run_cell(3)
    page.expect_output(3, "Onion soup")
    assert [each.get("withdrawn") for each in journal.heard] == [True, True]


@BOTH_WAYS
def test_a_kernel_restart_leaves_what_was_typed_to_read_and_says_why_nothing_was_sent(
    open_notebook: OpenNotebook, journal: Journal, jupyter: JupyterProcess, how: str
) -> None:
    page = open_notebook(f"{how.format('pushing')}('book_table', {{'party': 2}})", server="pushing")
    form = page.run_cell(1).form(1).wait().fill(Your_name="Ada")
    [card] = jupyter.wait_for_cards()
    page.page.get_by_role("button", name="Restart the kernel", exact=True).click()
    page.page.get_by_role("button", name="Confirm Kernel Restart").click()
    expect_cut_off(form, "Your name", "Ada")
    assert jupyter.card(card["id"])["state"] == "withdrawn"
    assert not any("action" in each for each in journal.heard)
    page.wait_ready().run_to_end(0)


def test_when_the_server_dies_the_form_says_so_and_the_cell_fails_with_the_reason(
    open_notebook: OpenNotebook, journal: Journal, jupyter: JupyterProcess
) -> None:
    calls = [f"{how.format('pushing')}('book_table', {{'party': 2}})" for how in WAYS]
    page = open_notebook(*calls, "print(await pushing.call_tool('todays_menu'))", server="pushing")
    for cell in (1, 2):
        form = page.run_cell(cell).form(cell).wait()
        [card] = jupyter.wait_for_cards()
        for child in psutil.Process(jupyter.process.pid).children():
            if "jupyter_mcp_elicit.demo" in child.cmdline():
                child.kill()
        form.expect_record("pushing asked during book_table", "taken back")
        page.expect_output(cell, "LocalError", "killed by signal 9")
        page.wait_end(cell)
        assert jupyter.card(card["id"])["state"] == "withdrawn"
    assert journal.lines == []
    page.run_cell(3)
    page.expect_output(3, "Onion soup")


def test_of_two_tabs_the_first_answer_wins_and_the_other_tab_says_so(
    open_notebook: OpenNotebook, journal: Journal, tabs: Tabs, opened: list[NotebookPage]
) -> None:
    page = open_notebook(
        "print(await bistro.call_tool('order_coffee', {'milk': 'oat'}))",
        "print(await bistro.call_tool('order_coffee', {'milk': 'cow'}))",
    )
    page.run_cell(1).form(1).wait()
    page.save()
    # It hears nothing of what happens elsewhere, as behind a bad line.
    tab = tabs.take(fresh=True)
    tab.route_web_socket("**/mcp-elicit/events*", _deaf)
    other = page.beside(tab)
    opened.append(other)
    page.page.bring_to_front()
    page.form(1).choose("Size", "Large").press("Submit")
    page.expect_output(1, "One large coffee with oat milk.")
    tab.bring_to_front()
    late = other.form(1).wait()
    late.press("Decline")
    late.expect_record("bistro asked during order_coffee", "accepted", "answered in another tab")
    page.page.bring_to_front()
    page.run_cell(2).form(2).wait()
    page.save()
    tab.bring_to_front()
    other.reload(idle=False)
    other.form(2).wait().choose("Size", "Small").press("Submit")
    page.expect_output(2, "One small coffee with cow milk.")
    assert [each["action"] for each in journal.heard] == ["accept", "accept"]


def _deaf(socket: WebSocketRoute) -> None:
    socket.connect_to_server().on_message(lambda message: None)


def test_the_saved_file_holds_the_record_and_neither_the_form_nor_what_was_answered(
    open_notebook: OpenNotebook, jupyter: JupyterProcess
) -> None:
    page = open_notebook("_ = await bistro.call_tool('book_table', {'party': 2})")
    form = page.run_cell(1).form(1).wait()
    form.fill(Your_name="Planted Ada", Email="planted@example.org", Day="2026-12-24")
    form.choose("Time", "Early, at six").choose("Where", "bar").press("Submit")
    page.expect_output(1, "bistro asked during book_table · accepted")
    saved = page.wait_end(1).save()
    [output] = saved["cells"][1]["outputs"]
    assert set(output["data"]) == {"text/plain", "text/html"}
    assert "".join(output["data"]["text/plain"]).startswith("bistro asked during book_table · accepted · ")
    text = (jupyter.notebooks / page.name).read_text("utf-8")
    for never in ("lanted", "vnd.jupyter", "2026-12-24", "widget"):
        assert never not in text


def test_an_output_of_an_old_file_shows_one_inert_line_and_believes_nothing_in_it(
    open_notebook: OpenNotebook,
) -> None:
    forged = {
        "id": "A" * 22,
        "state": "pending",
        "message": "Type it here",
        "fields": [{"name": "p", "kind": "string", "label": "Password"}],
    }
    view = {"version_major": 2, "version_minor": 1, "model_id": "0" * 32}
    cell = {
        "cell_type": "code",
        "id": "old",
        "metadata": {},
        "source": "bistro.call('book_table')",
        "execution_count": 3,
        "outputs": [
            {
                "output_type": "display_data",
                "metadata": {},
                "data": {
                    MIME: forged,
                    "application/vnd.jupyter.widget-view+json": view,
                    "text/plain": "bank asked · waiting",
                    "text/html": "<b>bank</b> asked",
                },
            }
        ],
    }
    page = open_notebook(cell)
    expect(page.output(1)).to_have_text(
        "bank asked · waiting · This question is no longer known to the server."
    )
    assert page.output(1).locator("button, input, a, b").count() == 0
