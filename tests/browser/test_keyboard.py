"""Without a mouse; and keys inside the form that are notebook commands outside it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from .conftest import OpenNotebook
from .form_page import FormPage
from .journal import Journal
from .notebook_page import NotebookPage

pytestmark = pytest.mark.browser

#: Single keys that insert, delete, cut, paste, undo, change or run a cell when focus is on an output.
COMMANDS = ("b", "a", "x", "v", "d", "d", "z", "m", "y", "r", "1", "j", "k", "o", "Space", "Delete", "Enter")

FOCUSABLE = "input, select, textarea, button, summary, [tabindex], .jme-scroll, .jme-message"

_NOTEBOOK = """() => {
  const { content } = window.jupyterapp.shell.currentWidget;
  const seen = ({ model, promptNode }) =>
    [model.id, model.type, model.sharedModel.getSource(), promptNode?.textContent ?? ''];
  return [content.activeCellIndex, content.widgets.map(seen)];
}"""


def state_of(page: NotebookPage) -> Any:
    """Every cell with its kind, text and prompt, and which one is active."""
    return page.page.evaluate(_NOTEBOOK)


def tab_to(target: Locator, *, back: bool = False) -> None:
    """Press Tab until it has the focus, as often as a person would bear."""
    for _ in range(25):
        if target.evaluate("node => node === document.activeElement"):
            return
        target.page.keyboard.press("Shift+Tab" if back else "Tab")
    expect(target).to_be_focused(timeout=1)


def radio(form: FormPage, group: str, name: str) -> Locator:
    return form.group(group).get_by_role("radio", name=name, exact=True)


def test_the_whole_way_by_keyboard_alone(open_notebook: OpenNotebook, journal: Journal) -> None:
    page = open_notebook("print(await bistro.call_tool('book_table', {'party': 2}))")
    keyboard = page.page.keyboard
    keyboard.press("ArrowDown")
    keyboard.press("Control+Enter")
    form = page.form(1).wait()
    tab_to(form.box("Your name"))
    keyboard.type("Ada")
    tab_to(form.box("Email"))
    keyboard.type("ada@example.org")
    tab_to(form.box("Day"))
    keyboard.type("12242026")
    tab_to(radio(form, "Time", "Early, at six"))
    keyboard.press("ArrowDown")
    expect(radio(form, "Time", "Half past seven")).to_be_checked()
    tab_to(radio(form, "Where", "inside"))
    keyboard.press("Space")
    tab_to(form.box("Notes for the kitchen"))
    keyboard.type("One\n")
    keyboard.press("Enter")
    keyboard.type("Two")
    form.wait_armed()
    tab_to(form.button("Submit"))
    keyboard.press("Enter")
    page.expect_output(1, "Booked: a table for 2 on 2026-12-24 at 19:30 (inside)")
    [heard] = journal.heard
    assert heard["content"]["notes"] == "One\n\nTwo"
    # The form is gone; the keys must have somewhere to go on from.
    page.wait_end(1)
    keyboard.press("b")
    page.page.wait_for_function("window.jupyterapp.shell.currentWidget.content.widgets.length === 3")


def test_enter_submits_a_form_of_one_field_and_ctrl_enter_any(
    open_notebook: OpenNotebook, journal: Journal
) -> None:
    page = open_notebook(
        "_ = await bistro.call_tool('plan_party', "
        "{'guests': 4, 'occasion': 'birthday', 'place': 'long table'})",
        "_ = await bistro.call_tool('order_coffee', {'milk': 'oat'})",
    )
    form = page.run_cell(1).form(1).wait()
    form.wait_armed()
    form.fill(Name_on_the_cake="Ada").box("Name on the cake").press("Enter")
    page.wait_end(1)
    form = page.run_cell(2).form(2).wait()
    form.wait_armed()
    large = radio(form, "Size", "Large")
    large.check()
    large.press("Enter")
    assert page.is_running(2)
    large.press("Control+Enter")
    page.wait_end(2)
    assert [each["content"] for each in journal.heard] == [{"cake_for": "Ada"}, {"size": "large"}]


def test_no_key_pressed_in_any_kind_of_control_reaches_the_notebook(open_notebook: OpenNotebook) -> None:
    page = open_notebook("_ = await asker.call_tool('kinds', {'a': 1})", "'the next cell'", server="asker")
    form = page.run_cell(1).form(1).wait()
    before = state_of(page)
    tried = set()
    # From the end: what is typed into a filter takes away the options behind it.
    for control in reversed(form.live.element_handles()[0].query_selector_all(FOCUSABLE)):
        if not control.evaluate("node => { node.focus(); return node === document.activeElement; }"):
            continue
        kind = str(control.evaluate("node => `${node.tagName} ${node.type ?? ''} ${node.className}`"))
        if kind in tried:
            continue
        tried.add(kind)
        # These keys press a button, and that is what they are for.
        pressing = ("Enter", "Space") if kind.startswith(("BUTTON", "SUMMARY")) else ()
        for key in COMMANDS:
            if key not in pressing:
                page.page.keyboard.press(key)
        assert state_of(page) == before, kind
    assert len(tried) >= 16, tried
    form.press("Decline")
    page.wait_end(1)


def test_a_form_that_appears_does_not_take_the_focus(open_notebook: OpenNotebook) -> None:
    page = open_notebook("bistro.call('slow_brew', {'steps': 2, 'pace': 0.5})", "", "# nothing")
    page.run_cell(1)
    page.click_into(2)
    form = page.form(1)
    typed = ""
    while not form.live.is_visible():
        page.page.keyboard.type("ab ")
        typed += "ab "
    form.wait()
    page.page.keyboard.type("end")
    assert page.cell(2).locator(".cm-content").inner_text() == f"{typed}end"
    assert form.focused() is None
    form.press("Decline")
