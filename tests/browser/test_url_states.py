"""What stands on the screen while a page is used elsewhere, and afterwards: always true, and in words."""

from __future__ import annotations

import json

import pytest
from jupyter_process import JupyterProcess
from playwright.sync_api import expect

from .conftest import OpenNotebook
from .notebook_page import NotebookPage
from .shop import Shop
from .test_keyboard import tab_to
from .test_url_consent import asked, end, push

pytestmark = pytest.mark.browser

#: A call in the background, so that the kernel can do other things beside it.
TRY = """
async def told(calling):
    try:
        return await calling
    except RemoteError as error:
        return error
"""


def require(*urls: object, times: int = 1) -> str:
    """A call that the server refuses until these were opened, and twice over if told so."""
    listed = [{"url": url, "elicitationId": url} if isinstance(url, str) else url for url in urls]
    given = {"elicitations": listed, "times": times}
    return f"{TRY}print(await told(doorman.call_tool('require', {json.dumps(given)})))"


def test_the_server_says_that_it_is_done_after_the_call_is_over(
    open_notebook: OpenNotebook, shop: Shop, app: str
) -> None:
    name = f"{app}/completed"
    # An unknown id changes nothing, and so does the same one again.
    page = open_notebook(
        push(shop.url(name), name),
        f"for each in ('nobody', {name!r}, {name!r}):\n"
        "    await doorman.call_tool('complete', {'elicitationId': each})",
        server="doorman",
    )
    card = asked(page)
    card.open().close()
    page.wait_end(1)
    card.expect_status("Opened shop.example · waiting")
    expect(card.live).to_contain_text("If doorman does not tell that it is done, press “I am done”.")
    page.run_to_end(2)
    card.expect_record("to open shop.example", "opened", "completed")


def test_opening_again_is_no_second_consent_and_a_reload_and_a_second_tab_agree(
    open_notebook: OpenNotebook, shop: Shop, app: str, jupyter: JupyterProcess
) -> None:
    path = f"{app}/again"
    page = open_notebook(require(shop.url(path)), server="doorman", fresh=True)
    card = asked(page)
    [question] = jupyter.wait_for_cards()
    card.open().close()
    card.expect_status("waiting")
    at = jupyter.card(question["id"])["outcome"]["at"]
    page.save()
    page.reload(idle=False)
    card = page.url(1).wait()
    card.expect_status("Opened shop.example · waiting")
    other = page.beside(page.page.context.new_page())
    beside = other.url(1).wait()
    beside.expect_status("Opened shop.example · waiting")
    beside.open().close()
    assert len(shop.wait_for(path, 2)) == 2
    now = jupyter.card(question["id"])
    assert (now["state"], now["flow"], now["outcome"]["at"]) == ("accepted", "opened", at)
    assert jupyter.open_cards() == []
    beside.press("I am done")
    beside.expect_record("opened", "marked as done")
    page.page.bring_to_front()
    card.expect_record("opened", "marked as done")
    other.page.close()


def test_a_page_that_was_given_up_says_so(open_notebook: OpenNotebook, shop: Shop, app: str) -> None:
    path = f"{app}/given-up"
    page = open_notebook(require(shop.url(path)), server="doorman")
    card = asked(page)
    card.open().close()
    card.press("Cancel")
    card.expect_record("opened", "given up")
    page.expect_output(1, "The addresses that the call needs were not opened to the end. (-32042)")


def test_a_page_and_a_question_whose_time_is_up_say_so(open_notebook: OpenNotebook) -> None:
    page = open_notebook(
        "print(await hasty.call_tool('pay_deposit', {'code': 'T1'}))",
        "print(await hasty.call_tool('pay_deposit', {'code': 'T1'}))",
        server="hasty",
    )
    card = asked(page)
    expect(card.live).to_contain_text("left")
    card.expect_record("cancelled: the time was up")
    page.wait_end(1)
    card = asked(page, 2)
    card.live.get_by_role("checkbox").check()
    card.open().close()
    page.page.bring_to_front()
    card.expect_record("opened", "the time was up")


def test_a_question_that_is_taken_back_and_a_page_whose_server_died_say_so(
    open_notebook: OpenNotebook, shop: Shop, app: str
) -> None:
    path = f"{app}/dead"
    page = open_notebook(
        push(shop.url(path), f"{path}-1"),
        push(shop.url(path), f"{path}-2"),
        f"{TRY}print(await told(doorman.call_tool('heard', {{'id': 'x'}})))",
        "try:\n    await doorman.call_tool('leave')\nexcept Exception as error:\n    print(error)",
        server="doorman",
    )
    card = asked(page)
    page.page.get_by_role("button", name="Interrupt the kernel").click()
    card.expect_record("taken back")
    page.wait_end(1)
    card = asked(page, 2)
    card.open().close()
    page.wait_end(2)
    card.expect_status("waiting")
    page.run_to_end(4)
    card.expect_record("opened", "the connection ended")


def test_every_address_that_a_call_needs_is_asked_for_and_those_that_are_none_are_named(
    open_notebook: OpenNotebook, shop: Shop, app: str
) -> None:
    first, second = (f"{app}/needed-{number}" for number in (1, 2))
    entries = (
        shop.url(first),
        "javascript:alert(1)",
        shop.url(second),
        {"mode": "form", "message": "Sure?"},
        "https://user@pay.shop.example/",
        {"message": "Open", "elicitationId": "none"},
    )
    page = open_notebook(require(*entries), server="doorman")
    page.run_cell(1)
    cards = [page.url(1, f"needed-{number}").wait() for number in (1, 2)]
    for number, why in (
        (2, "It does not start with https://"),
        (4, "It is not in URL mode."),
        (5, "user name"),
        (6, ""),
    ):
        page.expect_output(1, f"Entry {number} of the addresses that the server lists was left out. ", why)
    assert page.output(1).locator("a").count() == 2
    for card in cards:
        card.open().close()
        card.expect_status("waiting")
    # Only once both are over is the call sent again, and works.
    cards[1].press("I am done")
    expect(page.output(1)).to_contain_text("marked as done")
    assert page.is_running(1)
    cards[0].press("I am done")
    page.expect_output(1, '"open"')
    assert [len(shop.visits(path)) for path in (first, second)] == [1, 1]


def test_the_same_address_once_more_is_a_reminder_and_no_new_link(
    open_notebook: OpenNotebook, shop: Shop, app: str
) -> None:
    path = f"{app}/reminded"
    page = open_notebook(require(shop.url(path), times=2), server="doorman")
    card = asked(page)
    card.open().close()
    page.page.bring_to_front()
    end(card)
    form = page.form(1, "still waits").wait()
    expect(form.live).to_contain_text('"doorman" still waits for what you opened at shop.example.')
    assert page.output(1).locator("a").count() == 0
    form.press("Submit")
    page.expect_output(1, '"open"')
    assert len(shop.visits(path)) == 1


def test_the_whole_way_by_keyboard_alone(open_notebook: OpenNotebook, shop: Shop, app: str) -> None:
    path = f"{app}/keys"
    page: NotebookPage = open_notebook(
        push(shop.url(path), f"{path}-1"), push(shop.url(path), f"{path}-2"), server="doorman"
    )
    keyboard = page.page.keyboard
    card = asked(page)
    card.wait_armed()
    keyboard.press("Escape")
    tab_to(card.button("Copy address"))
    tab_to(card.link)
    assert card.link.evaluate("node => getComputedStyle(node).outlineStyle") == "solid"
    with page.page.context.expect_page() as opened:
        keyboard.press("Enter")
    opened.value.close()
    page.page.bring_to_front()
    # The focus stays in the card, and single letters are no commands of the notebook.
    expect(card.live.locator(".jme-waiting")).to_be_focused()
    before = page.count_cells()
    keyboard.press("b")
    keyboard.press("x")
    assert page.count_cells() == before
    card.live.locator(".jme-button:not([aria-disabled])", has_text="I am done").wait_for()
    tab_to(card.button("I am done"))
    keyboard.press("Enter")
    card.expect_record("marked as done")
    assert len(shop.visits(path)) == 1
    card = asked(page, 2)
    card.wait_armed()
    tab_to(card.button("Copy address"))
    keyboard.press("Escape")
    card.expect_record("cancelled")
    page.expect_output(2, '{"action": "cancel"}')
    assert len(shop.visits(path)) == 1
