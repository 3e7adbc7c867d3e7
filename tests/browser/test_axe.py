"""Nothing that axe-core could find fault with: every state of form, address and inbox, in every theme."""

from __future__ import annotations

import json

import pytest
from jupyter_process import JupyterProcess
from playwright.sync_api import expect

from .axe import faults
from .conftest import OpenNotebook
from .inbox_panel import InboxPanel
from .shop import Shop
from .test_url_consent import asked, push

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

#: With a note on the schema, an option list of each size, help, hints, placeholders and a secret.
KINDS = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "title": "Text", "description": "Some help.\nTwo lines.", "maxLength": 9},
        "lines": {"type": "string", "title": "Lines", "maxLength": 4000},
        "email": {"type": "string", "title": "Email", "format": "email"},
        "uri": {"type": "string", "title": "Address", "format": "uri"},
        "day": {"type": "string", "title": "Day", "format": "date"},
        "moment": {"type": "string", "title": "Moment", "format": "date-time"},
        "whole": {"type": "integer", "title": "Whole", "minimum": 1, "maximum": 12},
        "number": {"type": "number", "title": "Number"},
        "yes": {"type": "boolean", "title": "Yes or no"},
        "must": {"type": "boolean", "title": "Yes or no, needed"},
        "few": {"type": "string", "title": "Few", "enum": ["a", "b", "c"]},
        "some": {"type": "string", "title": "Some", "enum": [f"some {n}" for n in range(20)]},
        "many": {"type": "string", "title": "Many", "enum": [f"many {n}" for n in range(400)]},
        "ticks": {"type": "array", "title": "Ticks", "items": {"enum": ["x", "y"]}},
        "sieve": {"type": "array", "title": "Sieve", "items": {"enum": [f"tick {n}" for n in range(400)]}},
        "password": {"type": "string", "title": "Password"},
    },
    "required": ["text", "whole", "must", "some", "many", "ticks", "day"],
}
FORM = f"await ask('Everything there is?\\n' + 'One more line.\\n' * 60, {json.dumps(KINDS)})"


def test_a_form_with_every_kind_of_field_untouched_refused_and_being_left(
    open_notebook: OpenNotebook,
) -> None:
    page = open_notebook(FORM)
    form = page.run_cell(1).form(1).wait().wait_armed()
    assert faults(page.page, ".jme") == []
    form.fill(Whole="1,5")
    form.press("Submit")
    expect(form.live.locator(".jme-summary")).to_contain_text("another look")
    assert faults(page.page, ".jme") == []
    form.box("Text").press("Escape")
    form.live.get_by_role("alertdialog").wait_for()
    assert faults(page.page, ".jme") == []
    form.button("Yes, cancel").click()
    page.expect_output(1, "cancelled")
    page.wait_end(1)


def test_a_form_that_ended_while_somebody_typed(open_notebook: OpenNotebook, jupyter: JupyterProcess) -> None:
    page = open_notebook(FORM)
    form = page.run_cell(1).form(1).wait()
    form.fill(Text="half")
    [card] = jupyter.wait_for_cards()
    jupyter.answer(card["id"], "cancel")
    page.wait_end(1)
    assert faults(page.page, ".jme, .jme-output") == []


@pytest.mark.parametrize("level", ["ok", "warn", "danger"])
def test_an_address_before_it_is_opened_while_it_is_open_and_when_it_is_done(
    open_notebook: OpenNotebook, shop: Shop, app: str, level: str, jupyter: JupyterProcess
) -> None:
    address = {
        "ok": shop.url(f"{app}/axe"),
        "warn": "https://xn--80ak6aa92e.example/a?b=%20c",
        "danger": "http://neverssl.example/plain",
    }[level]
    page = open_notebook(push(address, f"axe-{app}-{level}"), server="doorman")
    card = asked(page)
    [question] = jupyter.wait_for_cards()
    assert question["url"]["level"] == level
    assert faults(page.page, ".jme") == []
    if level == "danger":
        card.live.get_by_role("checkbox").check()
        card.wait_armed()
        assert faults(page.page, ".jme") == []
    if level == "ok":
        card.open().close()
        card.expect_status("waiting")
        assert faults(page.page, ".jme") == []
        card.press("I am done")
        card.expect_record("marked as done")
    else:
        card.press("Decline")
        card.expect_record("declined")
    page.wait_end(1)
    assert faults(page.page, ".jp-OutputArea .jme, .jp-OutputArea-output") == []


def test_the_inbox_with_nothing_a_form_an_address_and_what_is_over(
    open_notebook: OpenNotebook, shop: Shop, app: str
) -> None:
    page = open_notebook(
        push(shop.url(f"{app}/axe-inbox"), f"axe-inbox-{app}"), FORM, server="doorman", fresh=True
    )
    inbox = InboxPanel(page.page).show()
    assert faults(page.page, ".jme-inbox, .jme-count-item") == []
    page.run_cell(1)
    inbox.form("shop.example").node.locator(".jme-live").wait_for()
    assert faults(page.page, ".jme-inbox, .jme-count-item") == []
    page.url(1).press("Decline")
    page.wait_end(1)
    page.run_cell(2)
    inbox.form("Everything there is?").wait()
    expect(inbox.earlier).to_have_count(1)
    assert faults(page.page, ".jme-inbox, .jme-count-item") == []
    page.form(2).press("Decline")
    page.wait_end(2)
