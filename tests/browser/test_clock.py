"""The person's clock on the screen, and a secret that waits for their word."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import OpenNotebook

pytestmark = pytest.mark.browser


def test_five_minutes_more_are_shown_wherever_the_question_is(open_notebook: OpenNotebook) -> None:
    page = open_notebook("print(await asker.call_tool('secret', {}))", server="asker")
    form = page.run_cell(1).form(1).wait()
    time = form.live.locator(".jme-time")
    expect(time).to_contain_text(re.compile(r"\b(9|10):\d\d left"))
    form.wait_armed()
    form.button("+5 minutes").click()
    expect(time).to_contain_text(re.compile(r"\b1[45]:\d\d left"))
    expect(time).to_contain_text("Five minutes more.")


def test_the_clock_stands_still_while_somebody_types(open_notebook: OpenNotebook) -> None:
    page = open_notebook("print(await asker.call_tool('secret', {}))", server="asker")
    form = page.run_cell(1).form(1).wait()
    form.box("API key").press_sequentially("sk")
    expect(form.live.locator(".jme-time")).to_contain_text("stands still while you type")


def test_a_secret_is_sent_only_with_the_persons_word_on_it(open_notebook: OpenNotebook) -> None:
    page = open_notebook("print(await asker.call_tool('secret', {}))", server="asker")
    form = page.run_cell(1).form(1).wait()
    form.fill(API_key="sk-123")
    form.press("Submit")
    expect(form.live).to_contain_text("Agree below that this secret is sent, or leave it out.")
    form.live.get_by_role("checkbox", name=re.compile("^Send the secret that I type")).check()
    form.press("Submit")
    page.expect_output(1, "asker asked during secret · accepted", "sk-123")
