"""A server's text is text: nothing in it runs, loads, links, typesets or turns around."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import OpenNotebook
from .servers.questions import FORMULA, LINK, MARKUP

pytestmark = pytest.mark.browser

ALIVE = "img, script, iframe, a, b, i, em, strong em, mjx-container, .MathJax, svg"


def test_hostile_text_in_message_labels_help_and_options_is_shown_letter_by_letter(
    open_notebook: OpenNotebook,
) -> None:
    page = open_notebook("print(await asker.call_tool('hostile'))", server="asker")
    form = page.run_cell(1).form(1).wait()
    text = form.live.inner_text()
    for line in (MARKUP, LINK, FORMULA, "**bold** _it_", "gpj.[U+202E]exe[U+200B]", f"T {MARKUP} {FORMULA}"):
        assert line in text, line
    assert "\u202e" not in text
    assert "\u200b" not in text
    assert f"calls itself “Your bank {MARKUP}"[:60] in text
    expect(form.group(LINK).get_by_role("radio", name=MARKUP, exact=True)).to_have_count(1)
    # A label that imitates our button has its value beside it.
    expect(form.live.get_by_role("checkbox", name="Submit b")).to_have_count(1)
    assert form.live.locator(ALIVE).count() == 0
    form.choose(LINK, FORMULA).press("Submit")
    page.expect_output(1, '{"action": "accept", "content": {"pick": "$x^2$')
    assert page.page.evaluate("window.pwned") is None
    assert not any("evil.test" in url for url in page.requests)


def test_the_tools_of_a_hostile_server_and_the_record_of_its_question_are_text_too(
    open_notebook: OpenNotebook,
) -> None:
    page = open_notebook("await asker.list_tools()", "await asker.call_tool('$x$')", server="asker")
    page.run_cell(1)
    page.expect_output(1, f"Asks. {MARKUP}")
    form = page.run_cell(2).form(2).wait()
    assert "while $x$ was running" in form.live.inner_text()
    form.press("Submit")
    page.expect_output(2, "asker asked during $x$ · accepted")
    page.wait_end(2)
    for number in (1, 2):
        assert page.output(number).locator(".jp-OutputArea-output").locator(ALIVE).count() == 0
    assert page.page.evaluate("window.pwned") is None
    assert not any("evil.test" in url for url in page.requests)
