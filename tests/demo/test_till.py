"""The till: a page for whoever was given its address, and for nobody else."""

from __future__ import annotations

import gc
import http.client
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from jupyter_process import wait_until
from till_page import Page, ask, use

from jupyter_mcp_elicit.demo.slip import Slip, Words
from jupyter_mcp_elicit.demo.till import Till

WORDS = Words("A <b>title</b>", "Text & more", "Label <i>", 'Button "x"', "Thanks </p><script>.")


@pytest.fixture
def till() -> Iterator[Till]:
    # A fixture of its own, so that the till is gone after the test.
    yield Till()
    gc.collect()


def told_by(slip: Slip) -> list[str]:
    told: list[str] = []
    slip.tell = told.append
    return told


def test_the_page_takes_digits_and_says_that_it_is_done(till: Till) -> None:
    slip = till.slip("tool", "key", WORDS)
    told = told_by(slip)
    assert not slip.visited
    assert (use(slip.url).status, slip.completed) == (200, True)
    again = ask(slip.url)
    assert "You can close this page." in again.text
    assert Page(again.text).named("form") == []
    # A page that was sent twice was sent once.
    assert ask(slip.url, b"digits=1").status == 200
    assert told == ["visited", "completed"]


@pytest.mark.parametrize("typed", ["", "digits=", "digits=abc", "digits=%D9%A1", "digits=" + "1" * 31, "x=1"])
def test_what_is_no_number_is_asked_for_again_with_the_reason_and_not_repeated(
    till: Till, typed: str
) -> None:
    slip = till.slip("tool", "key", WORDS)
    reply = ask(slip.url, typed.encode())
    assert reply.status == 422
    page = Page(reply.text)
    [field] = page.named("input")
    assert field["aria-invalid"] == "true"
    described = {each.get("id") for _, each in page.elements}
    assert set(str(field["aria-describedby"]).split()) <= described
    assert "abc" not in reply.text
    assert not slip.completed


def test_the_page_can_be_used_without_seeing_it_and_loads_nothing(till: Till) -> None:
    reply = ask(till.slip("tool", "key", WORDS).url)
    page = Page(reply.text)
    [field], [label] = page.named("input"), page.named("label")
    assert label["for"] == field["id"]
    assert page.named("html") == [{"lang": "en"}]
    assert len(page.named("h1")) == len(page.named("main")) == len(page.named("title")) == 1
    assert not {"script", "link", "img", "iframe", "a"} & {tag for tag, _ in page.elements}
    assert reply.headers["Referrer-Policy"] == "no-referrer"
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.headers["Content-Security-Policy"].startswith("default-src 'none';")


def test_every_word_is_text_and_no_markup(till: Till) -> None:
    slip = till.slip("tool", "key", WORDS)
    pages = ask(slip.url).text + use(slip.url).text
    assert not {"b", "i", "script"} & {tag for tag, _ in Page(pages).elements}
    for escaped in (
        "&lt;b&gt;",
        "Text &amp; more",
        "Label &lt;i&gt;",
        "Button &quot;x&quot;",
        "&lt;script&gt;",
    ):
        assert escaped in pages


def test_each_key_has_an_address_of_its_own_that_nobody_can_guess(till: Till) -> None:
    slips = [till.slip(tool, key, WORDS) for tool in "ab" for key in "cd"]
    assert len({slip.url for slip in slips}) == 4
    assert till.slip("a", "c", WORDS) is slips[0]
    parts = urlsplit(slips[0].url)
    assert parts.hostname == "127.0.0.1"
    assert len(parts.path.removeprefix("/pay/")) == 32


@pytest.mark.parametrize("path", ["/", "/pay/", f"/pay/{'A' * 32}", "/pay/../pay/x", "{own}/", "{own}?x=1"])
def test_there_is_no_other_page(till: Till, path: str) -> None:
    parts = urlsplit(till.slip("tool", "key", WORDS).url)
    address = f"http://{parts.netloc}{path.format(own=parts.path)}"
    assert ask(address).status == 404
    assert ask(address, b"digits=1").status == 404


def test_under_another_name_there_is_no_page_at_all(till: Till) -> None:
    slip = till.slip("tool", "key", WORDS)
    port = urlsplit(slip.url).port
    assert ask(slip.url, headers={"Host": f"localhost:{port}"}).status == 200
    for host in ("rebound.example", f"rebound.example:{port}", "127.0.0.1"):
        assert ask(slip.url, b"digits=1", {"Host": host}).status == 404
    assert not slip.completed


def test_too_much_and_no_length_are_refused(till: Till) -> None:
    slip = till.slip("tool", "key", WORDS)
    assert ask(slip.url, b"digits=" + b"1" * 5000).status == 413
    parts = urlsplit(slip.url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=20)
    connection.putrequest("POST", parts.path)
    connection.endheaders()
    assert connection.getresponse().status == 411
    connection.close()
    assert not slip.completed


def test_it_opens_on_first_need_and_closes_with_its_owner(till: Till) -> None:
    own = Till()
    assert own._address == ""
    url = own.slip("tool", "key", WORDS).url
    assert ask(url).status == 200
    del own
    gc.collect()

    def closed() -> bool:
        try:
            ask(url)
        except OSError:
            return True
        return False

    wait_until(closed, "closed till")
