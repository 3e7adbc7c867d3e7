"""A person answers: the form appears under the running cell, and the cell gets what the server made of it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from playwright.sync_api import expect

from .conftest import PUSHED, ROUNDS, OpenNotebook
from .journal import Journal
from .notebook_page import NotebookPage

pytestmark = pytest.mark.browser


def fill_booking(page: NotebookPage, cell: int) -> None:
    form = page.form(cell).wait()
    form.fill(Your_name="Ada", Email="ada@example.org", Day="2026-12-24")
    form.choose("Time", "Half past seven").choose("Where", "terrace")


@pytest.mark.parametrize(
    ("server", "era", "how"),
    [("bistro", ROUNDS, "await bistro.call_tool"), ("pushing", PUSHED, "pushing.call")],
    ids=["awaiting", "blocking"],
)
def test_a_text_typed_into_the_form_reaches_the_server_and_the_cell_gets_its_reply(
    open_notebook: OpenNotebook, journal: Journal, server: str, era: str, how: str
) -> None:
    party = {"guests": 4, "occasion": "birthday", "place": "long table"}
    page = open_notebook(f"print({how}('plan_party', {party}))", server=server)
    form = page.run_cell(1).form(1).wait()
    form.fill(Name_on_the_cake=" Ada Łovelace ")
    form.press("Submit")
    page.expect_output(1, "The cake is for  Ada Łovelace .", f"{server} asked during plan_party · accepted")
    expect(form.live).to_have_count(0)
    assert journal.lines == [
        f'{{"tool": "plan_party", "question": "place", "era": "{era}", '
        '"action": "accept", "content": {"cake_for": " Ada Łovelace "}}'
    ]


def test_a_booking_is_filled_in_by_the_names_of_its_fields_and_arrives_as_it_was_typed(
    open_notebook: OpenNotebook, journal: Journal
) -> None:
    page = open_notebook("print(await bistro.call_tool('book_table', {'party': 4}))")
    form = page.run_cell(1).form(1).wait()
    expect(form.live).to_have_accessible_name("bistro asks")
    expect(form.live).to_contain_text("while running book_table")
    fill_booking(page, 1)
    form.box("Notes for the kitchen").press_sequentially("No nuts.\nA pram.")
    form.choose("Send me the monthly menu", "No")
    form.press("Submit")
    page.expect_output(1, "Booked: a table for 4 on 2026-12-24 at 19:30 (terrace), under the name Ada.")
    assert journal.lines == [
        f'{{"tool": "book_table", "question": "table", "era": "{ROUNDS}", "action": "accept", "content": '
        '{"name": "Ada", "email": "ada@example.org", "date": "2026-12-24", "time": "19:30", '
        '"seating": "terrace", "notes": "No nuts.\\nA pram.", "newsletter": false}}'
    ]


def test_decline_tells_the_server_no_and_nothing_of_what_was_typed(
    open_notebook: OpenNotebook, journal: Journal
) -> None:
    page = open_notebook("print(await bistro.call_tool('book_table', {'party': 4}))")
    form = page.run_cell(1).form(1).wait().fill(Your_name="Ada")
    form.press("Decline")
    page.expect_output(1, "Would you rather take something away?", "book_table · declined")
    assert journal.lines == [
        f'{{"tool": "book_table", "question": "table", "era": "{ROUNDS}", "action": "decline"}}'
    ]


def test_escape_asks_before_it_throws_work_away_and_cancels_an_untouched_form_at_once(
    open_notebook: OpenNotebook, journal: Journal
) -> None:
    page = open_notebook("print(await bistro.call_tool('book_table', {'party': 4}))")
    form = page.run_cell(1).form(1).wait().fill(Your_name="Ada")
    form.wait_armed()
    page.page.keyboard.press("Escape")
    asking = form.live.get_by_role("alertdialog", name="Discard what you typed?")
    asking.get_by_role("button", name="No, keep").click()
    expect(asking).to_be_hidden()
    expect(form.box("Your name")).to_be_focused()
    expect(form.box("Your name")).to_have_value("Ada")
    page.page.keyboard.press("Escape")
    asking.get_by_role("button", name="Yes, cancel").click()
    again = page.form(1, "No answer came, so I ask once more.").wait()
    again.wait_armed()
    again.box("Your name").press("Escape")
    page.expect_output(1, "No answer came, so nothing is booked.")
    page.expect_output(1, "book_table · cancelled", "book_table (round 2) · cancelled")
    assert [(each["question"], each["action"], "content" in each) for each in journal.heard] == [
        ("table", "cancel", False),
        ("table, once more", "cancel", False),
    ]


def test_the_cancel_button_cancels_without_a_word_about_what_was_typed(
    open_notebook: OpenNotebook, journal: Journal
) -> None:
    page = open_notebook("print(await pushing.call_tool('book_table', {'party': 4}))", server="pushing")
    page.run_cell(1).form(1).wait().fill(Your_name="Ada").press("Cancel")
    page.form(1, "once more").wait().press("Decline")
    page.wait_end(1)
    assert [each["action"] for each in journal.heard] == ["cancel", "decline"]


def test_what_does_not_fit_is_said_at_its_field_and_can_be_corrected(
    open_notebook: OpenNotebook, journal: Journal
) -> None:
    page = open_notebook("print(await bistro.call_tool('book_table', {'party': 4}))")
    form = page.run_cell(1).form(1).wait()
    fill_booking(page, 1)
    form.fill(Your_name="A", Email="nowhere")
    form.press("Submit")
    expect(form.live).to_contain_text("2 answers need another look: Your name, Email.")
    expect(form.box("Your name")).to_be_focused()
    assert "2" in form.problem("Your name")
    assert form.problem("Email") != ""
    assert form.problem("Day") == ""
    assert form.box("Email").input_value() == "nowhere"
    form.fill(Your_name="Ada", Email="ada@example.org")
    assert form.problem("Your name") == form.problem("Email") == ""
    form.press("Submit")
    page.expect_output(1, "under the name Ada")
    [heard] = journal.heard
    assert heard["content"]["email"] == "ada@example.org"


def test_untouched_defaults_are_sent_byte_for_byte_and_what_was_left_alone_is_left_out(
    open_notebook: OpenNotebook, journal: Journal
) -> None:
    page = open_notebook("print(await bistro.call_tool('order_menu'))")
    form = page.run_cell(1).form(1).wait()
    form.choose("Dishes", "Lemon tart").choose("Dishes", "Onion soup")
    form.press("Submit")
    page.expect_output(1, "Ordered: 1 x Onion soup and Lemon tart")
    pickup = f"{date.today() + timedelta(days=1)}T18:30:00Z"
    assert journal.lines == [
        f'{{"tool": "order_menu", "question": "order", "era": "{ROUNDS}", "action": "accept", "content": '
        f'{{"dishes": ["soup", "tart"], "portions": 1, "gift_wrap": false, "pickup": "{pickup}"}}}}'
    ]


def test_every_kind_of_field_arrives_as_what_a_person_made_of_it(
    open_notebook: OpenNotebook, journal: Journal
) -> None:
    page = open_notebook("print(await bistro.call_tool('order_menu'))")
    form = page.run_cell(1).form(1).wait()
    form.choose("Dishes", "Leek quiche")
    form.fill(Portions_of_each="3", Tip_in_euros="2.50", Where_you_found_us="https://example.org/?q=a b&c")
    form.choose("Wrap it as a gift", "Yes").choose("How hot", "Warm")
    form.fill(Where_you_found_us="https://example.org/?q=a%20b")
    form.box("Pick-up").fill("2026-12-24T19:45:10")
    form.live.get_by_role("combobox", name="Offset from UTC").select_option("local")
    form.press("Submit")
    page.expect_output(1, "Ordered: 3 x Leek quiche")
    [line] = journal.lines
    assert line.endswith(
        '"content": {"dishes": ["quiche"], "portions": 3, "tip": 2.5, "gift_wrap": true, "spice": "1", '
        '"website": "https://example.org/?q=a%20b", "pickup": "2026-12-24T19:45:10+01:00"}}'
    )


def test_numbers_and_names_that_javascript_cannot_hold_come_through_the_browser_exactly(
    open_notebook: OpenNotebook,
) -> None:
    page = open_notebook(
        "print(await asker.call_tool('exact'))", "print(await asker.call_tool('names'))", server="asker"
    )
    form = page.run_cell(1).form(1).wait()
    expect(form.box("Big")).to_have_value("9007199254740993")
    form.fill(Typed="-12345678901234567890123")
    form.press("Submit")
    page.expect_output(
        1,
        '{"action": "accept", "content": {"big": 9007199254740993, "kept": " two  blanks ", "share": 0.1, '
        '"typed": -12345678901234567890123}}',
    )
    form = page.run_cell(2).form(2).wait().fill(Proto="p", Constructor="c")
    form.press("Submit")
    page.expect_output(2, '{"action": "accept", "content": {"__proto__": "p", "constructor": "c"}}')
