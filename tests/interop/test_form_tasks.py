"""A tool of the reference server that only runs as a task, and asks while its result is fetched."""

from __future__ import annotations

import pytest

from .page import Page

pytestmark = pytest.mark.interop


@pytest.mark.parametrize("server", ["everything-stdio", "everything-http"])
def test_a_research_that_needs_a_task_asks_under_its_cell(page: Page, server: str) -> None:
    cell = page.call(server, "simulate-research-query", {"topic": "python", "ambiguous": True})
    card = page.question(cell)
    assert (card["cause"]["tool"], card["cause"]["certainty"]) == ("simulate-research-query", "caused")
    page.press(card, "decline")
    assert "python" in page.said(cell)
