"""A page opens by a person's own press and by nothing else, and learns nothing of where they came from."""

from __future__ import annotations

import json

import pytest
from jupyter_process import JupyterProcess
from kernel_client import MIME
from playwright.sync_api import Page, expect

from .conftest import OpenNotebook
from .notebook_page import NotebookPage
from .shop import Shop, Visit
from .url_card import UrlCard

pytestmark = pytest.mark.browser

#: What a script in the page might try; the link itself is given.
SCRIPTS = """link => {
  link.click();
  for (const [type, button] of [['click', 0], ['auxclick', 1]]) {
    link.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, detail: 1, button }));
  }
  for (const type of ['keydown', 'keypress', 'keyup']) {
    link.dispatchEvent(new KeyboardEvent(type, { key: 'Enter', bubbles: true, cancelable: true }));
  }
}"""


def push(url: str, name: str, **more: object) -> str:
    """A cell whose call has this address asked for; the result tells the answer word for word."""
    return (
        f"print(await doorman.call_tool('push', {json.dumps({'url': url, 'elicitationId': name, **more})}))"
    )


def asked(page: NotebookPage, number: int = 1) -> UrlCard:
    return page.run_cell(number).url(number).wait()


def end(card: UrlCard) -> None:
    card.press("I am done")
    card.expect_record("marked as done")


def tabs_of(page: NotebookPage) -> list[Page]:
    return page.page.context.pages


@pytest.mark.parametrize("how", ["click", "middle click", "ctrl+click", "enter"])
def test_a_press_opens_the_page_without_opener_and_referrer_and_the_server_hears_accept_at_once(
    open_notebook: OpenNotebook, shop: Shop, app: str, how: str
) -> None:
    path = f"{app}/{how.replace(' ', '-')}"
    page = open_notebook(push(shop.url(path), path), server="doorman")
    card = asked(page).wait_armed()
    with page.page.context.expect_page() as opened:
        if how == "enter":
            card.link.focus()
            page.page.keyboard.press("Enter")
        else:
            button = "middle" if how == "middle click" else "left"
            card.link.click(button=button, modifiers=["Control"] if how == "ctrl+click" else [])
    other = opened.value
    assert shop.wait_for(path) == [Visit(f"/{path}", "")]
    # A tab in the background does nothing before it is looked at.
    other.bring_to_front()
    other.wait_for_url(shop.url(path))
    # Without content, and without waiting for what happens on the page.
    page.expect_output(1, '{"action": "accept"}')
    card.expect_status("Opened shop.example · waiting")
    assert other.evaluate("[window.opener === null, document.referrer]") == [True, ""]
    other.close()
    page.page.bring_to_front()
    end(card)
    assert len(shop.visits(path)) == 1


def test_nothing_opens_by_itself_by_a_script_by_a_reload_or_by_an_untimely_press(
    open_notebook: OpenNotebook, shop: Shop, app: str, jupyter: JupyterProcess
) -> None:
    path = f"{app}/unasked"
    page = open_notebook(push(shop.url(path), path), server="doorman", fresh=True)
    before = len(tabs_of(page))
    card = asked(page)
    # In the first half second there is nothing to press, and no address that a browser could guess at.
    assert card.link.evaluate("link => [link.hasAttribute('href'), link.getAttribute('aria-disabled')]") == [
        False,
        "true",
    ]
    card.link.click(force=True, no_wait_after=True)
    card.wait_armed()
    card.link.evaluate(SCRIPTS)
    card.link.hover()
    [waiting] = jupyter.wait_for_cards()
    assert waiting["state"] == "shown"
    page.save()
    page.reload(idle=False)
    card = page.url(1).wait().wait_armed()
    card.link.evaluate(SCRIPTS)
    card.press("Decline")
    card.expect_record("to open shop.example", "declined")
    page.expect_output(1, "declined")
    assert shop.visits(path) == []
    assert len(tabs_of(page)) == before


def test_a_saved_notebook_opens_nothing_and_says_nothing_that_the_server_does_not_know(
    open_notebook: OpenNotebook, shop: Shop, app: str
) -> None:
    path = f"{app}/forged"
    forged = {
        "id": "AAAAAAAAAAAAAAAAAAAAAA",
        "mode": "url",
        "message": "Your bank asks",
        "url": {"href": shop.url(path), "level": "ok", "host": "pay.shop.example", "domain": "shop.example"},
    }
    cell = {
        "cell_type": "code",
        "id": "forged",
        "metadata": {},
        "source": "pass",
        "execution_count": 1,
        "outputs": [
            {"output_type": "display_data", "metadata": {}, "data": {MIME: forged, "text/plain": "asked"}}
        ],
    }
    page = open_notebook(cell, server="doorman")
    expect(page.output(1)).to_contain_text("This question is no longer known to the server.")
    assert page.output(1).locator("a, button").count() == 0
    assert "bank" not in page.output(1).inner_text()
    assert shop.visits(path) == []


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("javascript:window.pwned=1", "It does not start with https:// or http://"),
        ("https://user:word@pay.shop.example/", "user name before its host"),
        ("{jupyter}lab", "this notebook's own server"),
        ("https:\\\\pay.shop.example/", "It has a backslash"),
    ],
)
def test_a_refused_address_is_no_link_anywhere_and_the_person_is_told_why(
    open_notebook: OpenNotebook, jupyter: JupyterProcess, url: str, why: str
) -> None:
    page = open_notebook(push(url.format(jupyter=jupyter.url), "refused"), server="doorman")
    page.run_to_end(1)
    page.expect_output(1, 'A question of "doorman" was refused. ', why, '"code": -32602')
    assert page.output(1).locator("a, .jme-live").count() == 0
    assert page.page.evaluate("window.pwned") is None
    assert jupyter.open_cards() == []


def test_a_dangerous_address_takes_a_second_confirmation_in_another_place(
    open_notebook: OpenNotebook, jupyter: JupyterProcess
) -> None:
    page = open_notebook("print(await pushing.call_tool('pay_deposit', {'code': 'T1'}))", server="pushing")
    card = asked(page)
    expect(card.live).to_contain_text("your browser may send your notebook login along")
    assert card.link.count() == 0
    tick = card.live.get_by_role("checkbox", name="Open it all the same")
    tick.evaluate("box => box.click()")
    expect(tick).not_to_be_checked()
    place = tick.bounding_box()
    tick.check()
    expect(card.link).to_have_text("Open 127.0.0.1")
    assert card.link.get_attribute("href") is None
    link = card.link.bounding_box()
    assert place is not None
    assert link is not None
    assert link["y"] > place["y"] + place["height"]
    tick.uncheck()
    expect(card.link).to_have_count(0)
    tick.check()
    till = card.open()
    assert till.evaluate("[window.opener === null, document.referrer]") == [True, ""]
    card.expect_status("Opened 127.0.0.1 · waiting")
    till.get_by_role("textbox").fill("4200 1234")
    till.get_by_role("button").click()
    expect(till.get_by_role("status")).to_contain_text("the deposit is paid")
    till.close()
    page.page.bring_to_front()
    card.expect_record("to open 127.0.0.1", "opened", "completed")
    page.expect_output(1, "Thank you, the deposit for")
    assert "4200" not in page.output(1).inner_text()


def test_the_whole_address_is_there_as_text_and_can_be_copied_without_opening_it(
    open_notebook: OpenNotebook, shop: Shop, app: str
) -> None:
    path = f"{app}/copied?{'x' * 3000}&end"
    page = open_notebook(push(shop.url(path), "copied"), server="doorman")
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    card = asked(page)
    address = card.live.locator(".jme-href")
    assert address.inner_text().replace("\n", "") == shop.url(path)
    expect(address.locator("strong")).to_have_text("shop.example")
    # It wraps: the page is not wider for it.
    assert address.evaluate("node => node.scrollWidth <= node.clientWidth")
    card.button("Copy address").click()
    expect(card.live).to_contain_text("Copied.")
    assert page.page.evaluate("navigator.clipboard.readText()") == shop.url(path)
    card.press("Cancel")
    card.expect_record("cancelled")
    assert shop.visits(path) == []
