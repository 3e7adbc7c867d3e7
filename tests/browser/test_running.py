"""Several questions: cells after one another, calls beside one another."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import OpenNotebook
from .journal import Journal

pytestmark = pytest.mark.browser


def test_run_all_asks_in_the_order_of_the_cells_and_each_cell_waits_for_its_own_answer(
    open_notebook: OpenNotebook, journal: Journal
) -> None:
    page = open_notebook(
        "first = await bistro.call_tool('order_coffee', {'milk': 'oat'})",
        "second = bistro.call('slow_brew', {'steps': 1, 'pace': 0})",
        "print(first)\nprint(second)",
    )
    page.menu("Run", "Run All Cells")
    form = page.form(1).wait()
    expect(page.form(2).live).to_have_count(0)
    assert page.is_running(1)
    form.choose("Size", "Large").press("Submit")
    form = page.form(2).wait()
    page.wait_end(1)
    form.fill(Cups="2").press("Submit")
    page.expect_output(3, "One large coffee with oat milk.", "Poured 2 after 1 steps")
    assert [each["tool"] for each in journal.heard] == ["order_coffee", "slow_brew"]


def test_two_questions_at_once_stand_side_by_side_and_are_answered_in_any_order(
    open_notebook: OpenNotebook, journal: Journal
) -> None:
    page = open_notebook(
        "import asyncio\n"
        "coffee = bistro.call_tool('order_coffee', {'milk': 'oat'})\n"
        "pot = bistro.call_tool('slow_brew', {'steps': 1, 'pace': 0})\n"
        "for each in await asyncio.gather(coffee, pot):\n    print(each)"
    )
    page.run_cell(1)
    coffee, pot = page.form(1, "How do you take your coffee?").wait(), page.form(1, "The pot is ready").wait()
    pot.fill(Cups="3").press("Submit")
    expect(pot.live).to_have_count(0)
    expect(coffee.live).to_have_count(1)
    assert page.is_running(1)
    coffee.choose("Size", "Small").press("Submit")
    page.expect_output(1, "One small coffee with oat milk.\nPoured 3 after 1 steps")
    assert [each["tool"] for each in journal.heard] == ["slow_brew", "order_coffee"]
