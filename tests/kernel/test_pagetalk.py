"""What a form's page may ask over the comm, of a question that the notebook holds itself."""

from __future__ import annotations

import json

import pytest
from widget_page import WidgetPage

from jupyter_mcp_elicit import ElicitationForm
from jupyter_mcp_elicit.kernel.sighting import SIGHTING

SCHEMA = {
    "type": "object",
    "properties": {"pieces": {"type": "integer"}, "password": {"type": "string"}},
    "required": ["pieces"],
}


def test_a_preview_is_what_would_be_sent_but_for_secrets_and_changes_nothing(page: WidgetPage) -> None:
    form = ElicitationForm("How many?", SCHEMA)
    page.say(form, type="preview", draft=[["pieces", "012"], ["password", "hunter2"]], answerId="p1")
    [reply] = page.heard(form)
    assert (reply["status"], reply["answerId"]) == (200, "p1")
    assert json.loads(reply["content"]) == {"pieces": 12, "password": "••••••••"}
    assert form.draft["pieces"] is None
    assert form.is_open


def test_a_preview_of_what_does_not_fit_says_so_field_by_field(page: WidgetPage) -> None:
    form = ElicitationForm("How many?", SCHEMA)
    page.say(form, type="preview", draft=[["pieces", "many"]], answerId="p1")
    [reply] = page.heard(form)
    assert (reply["status"], [name for name, _ in reply["problems"]]) == (422, ["pieces"])


def test_a_preview_of_a_question_that_is_over_says_so(page: WidgetPage) -> None:
    form = ElicitationForm("How many?", SCHEMA)
    form.decline()
    page.say(form, type="preview", draft=[["pieces", "1"]], answerId="p1")
    reply = page.heard(form)[-1]
    assert (reply["status"], reply["card"]["state"]) == (409, "declined")


def test_a_question_without_a_deadline_has_no_more_time_to_give(page: WidgetPage) -> None:
    form = ElicitationForm("How many?", SCHEMA)
    page.say(form, type="more", answerId="m1")
    [reply] = page.heard(form)
    assert (reply["status"], reply["answerId"]) == (500, "m1")
    assert "no deadline" in reply["message"]


def test_whatever_a_page_says_its_kernel_knows_that_forms_are_seen(
    page: WidgetPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = ElicitationForm("How many?", SCHEMA)
    for said in ({"type": "here"}, {"type": "hello"}):
        monkeypatch.setattr(SIGHTING, "seen", False)
        page.say(form, **said)
        assert SIGHTING.seen
    monkeypatch.setattr(SIGHTING, "seen", False)
    form.hear("nothing of ours")
    assert not SIGHTING.seen
