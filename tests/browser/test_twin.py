"""The badly behaved twin of the bistro before a person's eyes: what is wrong is seen, and every cell ends."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import OpenNotebook
from .notebook_page import NotebookPage

pytestmark = pytest.mark.browser

BOTH = pytest.mark.parametrize("server", ["twin", "pushing_twin"])

#: By trick: what the form must say.
SHOWN = {
    "invisible_text": ["[U+202E]", "[U+200B]"],
    "markup": ["<script>alert(1)</script>", "**bold**", "$x^2$"],
    "false_sender": ["Text from server", "Jupyter has lost your session."],
    "false_buttons": ["erase-all", "send-all"],
    "secret": ["API key"],
    "foreign_default": ["default was not valid"],
    "reserved_names": ["__proto__", "constructor"],
}
REFUSED = {
    "nested_schema": "nested objects are not allowed",
    "recursive_schema": "refers to itself",
    "impossible_form": "it cannot be answered",
    "script_address": "does not start with https://",
    "user_info_address": "a user name before its host",
}


def cells(server: str, *tricks: str) -> list[str]:
    return [f"print(await {server}.call_tool('{trick}'))" for trick in tricks]


def still_works(page: NotebookPage, cell: int) -> None:
    page.run_cell(cell).form(cell).wait().press("Decline")
    page.expect_output(cell, '[{"action": "decline"}]')


@BOTH
def test_a_form_that_deceives_is_seen_through_and_declined(server: str, open_notebook: OpenNotebook) -> None:
    page = open_notebook(*cells(server, *SHOWN), server=server)
    for cell, (trick, words) in enumerate(SHOWN.items(), 1):
        form = page.run_cell(cell).form(cell).wait()
        expect(form.live).to_have_accessible_name(f"{server} asks")
        for each in words:
            expect(form.live, trick).to_contain_text(each)
        # Nothing of the server's has become a part of the page.
        assert form.live.locator("img, script, iframe, a, b, i, em, .MathJax").count() == 0
        assert form.live.get_by_role("button", name="Cancel", exact=True).count() == 1
        if trick == "secret":
            expect(form.live.locator("input[type=password]")).to_have_count(2)
        form.press("Decline")
        page.expect_output(cell, '[{"action": "decline"}]')
        page.wait_end(cell)
    assert page.page.evaluate("window.pwned") is None


@BOTH
def test_what_must_not_be_asked_is_refused_before_the_persons_eyes(
    server: str, open_notebook: OpenNotebook
) -> None:
    page = open_notebook(*cells(server, *REFUSED, "false_sender"), server=server)
    for cell, (trick, why) in enumerate(REFUSED.items(), 1):
        page.run_cell(cell)
        page.expect_output(cell, why)
        page.wait_end(cell)
        assert page.output(cell).locator(".jme-live, a[href]").count() == 0, trick
    still_works(page, len(REFUSED) + 1)


@BOTH
def test_an_address_that_looks_like_another_needs_a_second_look(
    server: str, open_notebook: OpenNotebook
) -> None:
    page = open_notebook(*cells(server, "lookalike_address", "numeric_address"), server=server)
    for cell, words in ((1, "xn--pple-43d.example.com"), (2, "127.0.0.1")):
        card = page.run_cell(cell).url(cell).wait()
        expect(card.live).to_contain_text(words)
        expect(card.live.get_by_role("checkbox")).not_to_be_checked()
        card.press("Decline")
        page.expect_output(cell, '[{"action": "decline"}]')
        page.wait_end(cell)


def test_a_question_that_is_taken_back_leaves_the_screen_and_the_cell_goes_on(
    open_notebook: OpenNotebook,
) -> None:
    tricks = ("withdrawn_question", "impatient", "twin_ids", "false_sender")
    page = open_notebook(*cells("pushing_twin", *tricks), server="pushing_twin")
    for cell in (1, 2):
        page.run_cell(cell)
        page.expect_output(cell, "taken back")
        page.wait_end(cell)
        assert page.output(cell).locator(".jme-live:not(.jme-dead)").count() == 0
        assert "accept" not in page.output(cell).inner_text()
    # Two questions at once, of which the server itself cannot tell the answers apart.
    page.run_cell(3)
    for words in ("The first?", "The second?"):
        page.form(3, words).wait().press("Decline")
    page.expect_output(3, '[{"action": "decline"}, {"action": "decline"}]')
    page.wait_end(3)
    still_works(page, 4)


def test_of_a_flood_a_few_forms_are_shown_and_an_interrupt_ends_them_all(open_notebook: OpenNotebook) -> None:
    page = open_notebook(*cells("pushing_twin", "flood"), "1 + 1", server="pushing_twin")
    page.run_cell(1)
    forms = page.output(1).locator("form.jme-live")
    expect(forms.nth(15)).to_be_attached()
    assert forms.count() <= 21
    page.page.get_by_role("button", name="Interrupt the kernel").click()
    page.wait_end(1)
    expect(page.output(1).locator("form.jme-live:not(.jme-dead)")).to_have_count(0)
    page.run_to_end(2)
    page.expect_output(2, "2")
