"""Several questions of one round before a person: they hang together, under the cell and in the inbox."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from .conftest import OpenNotebook
from .inbox_panel import InboxPanel
from .sight import bring_into_sight

pytestmark = pytest.mark.browser

ASKS = [
    json.dumps({"message": message, "requestedSchema": {"type": "object", "properties": {}}})
    for message in ("Book the new table?", "Give up the old one?")
]
WORDS = "scribe asks 2 questions at once. The call goes on when all 2 are answered."


def test_the_questions_of_a_round_hang_together_and_the_call_waits_for_all(
    open_notebook: OpenNotebook,
) -> None:
    call = f"print(await scribe.call_tool('ask', {{'ask': {ASKS!r}, 'state': 's'}}))"
    page = open_notebook(call, server="scribe")
    page.run_cell(1)
    group = page.output(1).locator(".jme[data-round]")
    expect(group).to_have_count(2)
    expect(group.nth(0)).to_contain_text(WORDS)
    expect(group.nth(1)).not_to_contain_text(WORDS)
    panel = InboxPanel(page.page).show()
    expect(panel.entries).to_have_count(2)
    expect(panel.entries.nth(0)).to_contain_text(WORDS)
    panel.hide()
    for message in ("Give up the old one?", "Book the new table?"):
        assert page.is_running(1)
        live = (
            page.output(1)
            .locator("form.jme-live")
            .filter(has=page.page.locator(".jme-message", has_text=message))
        )
        bring_into_sight(live.get_by_role("button", name="Decline", exact=True))
        live.locator(".jme-decline:not([aria-disabled])").click()
        expect(live).to_have_count(0)
    page.wait_end(1)
    page.expect_output(1, '\\"action\\":\\"decline\\"')
