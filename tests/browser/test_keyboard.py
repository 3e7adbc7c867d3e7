"""Without a mouse; and keys inside the form that are notebook commands outside it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from .conftest import OpenNotebook
from .form_page import FormPage
from .inbox_panel import InboxPanel
from .journal import Journal
from .notebook_page import NotebookPage
from .shop import Shop
from .test_url_consent import push

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


def test_the_inbox_by_keyboard_alone(open_notebook: OpenNotebook, journal: Journal) -> None:
    page = open_notebook(
        "print(await bistro.call_tool('order_coffee', {'milk': 'oat'}))", fresh=True
    ).run_cell(1)
    page.form(1).wait()
    keyboard = page.page.keyboard
    keyboard.press("Escape")
    keyboard.press("Control+Shift+c")
    page.page.locator(".lm-CommandPalette-input").or_(
        page.page.locator(".lm-CommandPalette input")
    ).first.wait_for()
    keyboard.type("Questions from MCP")
    page.page.locator(
        ".lm-CommandPalette-item.lm-mod-active", has_text="Questions from MCP Servers"
    ).wait_for()
    keyboard.press("Enter")
    inbox = InboxPanel(page.page)
    form = inbox.form("How do you take your coffee?").wait()
    tab_to(radio(form, "Size", "Medium"))
    keyboard.press("ArrowDown")
    expect(radio(form, "Size", "Large")).to_be_checked()
    form.wait_armed()
    tab_to(form.button("Submit"))
    keyboard.press("Enter")
    expect(inbox.empty).to_be_visible()
    # The keys have somewhere to go on from.
    expect(inbox.empty).to_be_focused()
    page.wait_end(1)
    assert [each["action"] for each in journal.heard] == ["accept"]


def test_an_address_by_keyboard_alone(open_notebook: OpenNotebook, shop: Shop, app: str) -> None:
    path = f"{app}/by-keys"
    page = open_notebook(push(shop.url(path), path), server="doorman")
    keyboard = page.page.keyboard
    keyboard.press("ArrowDown")
    keyboard.press("Control+Enter")
    card = page.url(1).wait()
    card.wait_armed()
    tab_to(card.link)
    with page.page.context.expect_page() as opened:
        keyboard.press("Enter")
    opened.value.close()
    page.page.bring_to_front()
    card.expect_status("waiting")
    # The focus went over to what the card says now.
    tab_to(card.button("I am done"))
    card.live.locator(".jme-button:not([aria-disabled])", has_text="I am done").wait_for()
    keyboard.press("Enter")
    card.expect_record("marked as done")


def test_what_has_the_focus_shows_it(open_notebook: OpenNotebook) -> None:
    page = open_notebook("_ = await asker.call_tool('kinds', {'a': 1})", server="asker")
    form = page.run_cell(1).form(1).wait().wait_armed()
    keyboard = page.page.keyboard
    form.box("Line").focus()
    rings = []
    while True:
        keyboard.press("Tab")
        inside, what, style, width = page.page.evaluate(
            """() => {
              const node = document.activeElement;
              const { outlineStyle, outlineWidth } = getComputedStyle(node);
              return [node.closest('.jme') !== null, node.outerHTML.slice(0, 80), outlineStyle, outlineWidth];
            }"""
        )
        if not inside:
            break
        assert (style, width) == ("solid", "2px"), what
        rings.append(what)
    assert len(rings) >= 16
    form.press("Decline")
    page.wait_end(1)


def test_nothing_moves_for_who_wants_no_motion_and_buttons_have_edges_in_forced_colours(
    open_notebook: OpenNotebook,
) -> None:
    page = open_notebook("_ = await asker.call_tool('kinds', {'a': 1})", server="asker")
    form = page.run_cell(1).form(1).wait().wait_armed()

    def moving() -> list[str]:
        return form.live.evaluate(
            """form => [...form.querySelectorAll('*')].filter(node => {
              const { transitionDuration, animationName } = getComputedStyle(node);
              return animationName !== 'none' || transitionDuration.split(', ').some(each => each !== '0s');
            }).map(node => node.className)"""
        )

    assert moving() != []
    page.page.emulate_media(reduced_motion="reduce", forced_colors="active")
    assert moving() == []
    form.button("Submit").focus()
    edge, ring = form.button("Submit").evaluate(
        "node => [getComputedStyle(node).borderTopColor, getComputedStyle(node).outlineStyle]"
    )
    assert edge == form.live.evaluate(
        "node => { node.style.color = 'CanvasText'; return getComputedStyle(node).color; }"
    )
    page.page.emulate_media(reduced_motion="no-preference", forced_colors="none")
    form.press("Decline")
    page.wait_end(1)


def test_a_question_is_said_once_and_politely(open_notebook: OpenNotebook) -> None:
    page = open_notebook("_ = await bistro.call_tool('order_coffee', {'milk': 'oat'})", fresh=True)
    page.page.evaluate(
        """() => {
          const region = document.querySelector('.jme-heard');
          window.said = [];
          new MutationObserver(() => { if (region.textContent !== '') window.said.push(region.textContent); })
            .observe(region, { childList: true, characterData: true, subtree: true });
        }"""
    )
    form = page.run_cell(1).form(1).wait()
    page.page.wait_for_function("window.said.length > 0")
    page.save()
    form.choose("Size", "Large")
    # Drawn again: the cell leaves the window of a long notebook, or is moved.
    page.page.evaluate(
        """() => {
          const output = window.jupyterapp.shell.currentWidget.content.widgets[1].outputArea;
          output.model.set(0, output.model.get(0).toJSON());
        }"""
    )
    form.wait().wait_armed()
    assert page.page.evaluate("window.said") == [f"bistro asks you something ({page.name})."]
    assert page.page.locator(".jme-heard").get_attribute("aria-live") == "polite"
    form.press("Decline")
    page.wait_end(1)
