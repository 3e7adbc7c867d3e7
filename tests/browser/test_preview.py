"""What would be sent, in sight before it is sent: exactly what the server then hears."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from .axe import faults
from .conftest import OpenNotebook
from .journal import Journal

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

BOOK = "_ = await bistro.call_tool('book_table', {'party': 2})"


def test_the_preview_is_what_the_server_hears(open_notebook: OpenNotebook, journal: Journal) -> None:
    page = open_notebook(BOOK)
    form = page.run_cell(1).form(1).wait()
    form.fill(Your_name=" Ada ", Email="ada@example.org", Day="2026-12-24")
    form.press("Preview")
    expect(form.live.locator(".jme-problem:visible").first).to_be_visible()
    form.choose("Time", "Half past seven").choose("Where", "terrace").press("Preview")
    shown = form.live.locator(".jme-preview pre")
    shown.wait_for()
    told = json.loads(shown.inner_text())
    assert faults(page.page, ".jme") == []
    assert journal.heard == []
    form.press("Submit")
    page.wait_end(1)
    [heard] = journal.heard
    assert heard["content"] == told


def test_who_wants_to_review_always_sends_at_the_second_press(
    open_notebook: OpenNotebook, journal: Journal
) -> None:
    page = open_notebook("_ = await bistro.call_tool('order_coffee', {'milk': 'oat'})", fresh=True)
    setting = f"{page.jupyter.url}lab/api/settings/jupyter-mcp-elicit:inbox"
    put = """async ([url, raw, token]) => {
      const headers = { Authorization: `token ${token}`, 'Content-Type': 'application/json' };
      const reply = await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ raw }) });
      return reply.status;
    }"""
    try:
        given = [setting, '{"reviewFirst": true}', page.jupyter.token]
        assert page.page.evaluate(put, given) == 204
        page.reload()
        form = page.run_cell(1).form(1).wait()
        form.press("Submit")
        expect(form.live.locator(".jme-preview pre")).to_contain_text('"size": "medium"')
        assert page.is_running(1)
        form.press("Submit")
        page.wait_end(1)
        assert [each["content"] for each in journal.heard] == [{"size": "medium"}]
    finally:
        page.page.evaluate(put, [setting, "{}", page.jupyter.token])
