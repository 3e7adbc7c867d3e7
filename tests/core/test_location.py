"""Both readers against Chromium: the recorded table always, and the browser itself where it is.

The table is made by ``python tests/core/chromium_urls.py``.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from jupyter_mcp_elicit.core.formats import is_uri
from jupyter_mcp_elicit.core.location import Reader, ada, plain
from jupyter_mcp_elicit.core.urls import examine_by

from . import chromium_urls
from .honest_urls import HONEST
from .hostile_urls import HOSTILE

ROWS: list[list[Any]] = json.loads(chromium_urls.TABLE.read_text("utf-8"))["rows"]

each_reader = pytest.mark.parametrize("read", [ada, plain])


def misread(read: Reader, rows: list[list[Any]]) -> list[tuple[str, str, list[Any]]]:
    """What is accepted and not exactly what Chromium opens, from the address bar and from a link."""
    wrong = []
    for url, *row in rows:
        report = examine_by(read, url)
        host = report.href.partition("//")[2].partition("/")[0]
        if report.allowed and row != [report.href, f"{report.scheme}:", host]:
            wrong.append((url, report.href, row))
    return wrong


def accepted(read: Reader, urls: tuple[str, ...] | list[str]) -> list[str]:
    return [url for url in urls if examine_by(read, url).allowed]


def test_the_table_has_every_sample() -> None:
    assert [url for url, *_ in ROWS] == [*HONEST, *HOSTILE]
    assert len(set(HOSTILE)) == len(HOSTILE) >= 200
    assert len(set(HONEST)) == len(HONEST) >= 50


@each_reader
def test_nothing_is_accepted_that_chromium_opens_elsewhere_or_not_at_all(read: Reader) -> None:
    assert misread(read, ROWS) == []


@each_reader
def test_nothing_is_accepted_that_chromium_does_not_open_by_http(read: Reader) -> None:
    others = [url for url, href, *_ in ROWS if not str(href).startswith(("http://", "https://"))]
    assert len(others) > 100
    assert accepted(read, others) == []


def test_most_hostile_addresses_that_chromium_opens_are_refused_or_told() -> None:
    # A check of the checks above: a gate that refused everything would pass them.
    levels = [examine_by(ada, url).level for url in HOSTILE]
    assert min(levels.count(level) for level in ("ok", "warn", "danger")) >= 25
    assert levels.count("refuse") >= 150


def test_no_honest_address_is_refused() -> None:
    assert accepted(ada, HONEST) == [*HONEST]
    assert not [url for url in HONEST if examine_by(ada, url).level == "danger"]


def test_without_the_browsers_parser_no_honest_address_in_proper_ascii_is_refused() -> None:
    proper = [url for url in HONEST if is_uri(url) and "/../" not in url]
    assert len(proper) >= 50
    assert accepted(plain, HONEST) == proper


@each_reader
@pytest.mark.parametrize(
    "text", ["ftp://good.example/", "https://user@good.example/", "good.example", "", "https://"]
)
def test_a_reader_takes_nothing_but_http_and_https_of_a_host_alone(read: Reader, text: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        read(text)


@pytest.mark.parametrize(
    "rest",
    [
        "xn--a.example/",
        "[::1]/",
        "1.2.3/",
        "bücher.example/",
        "a.example/%2e%2e/",
        "a.example:065/",
        "a.b/%zz",
    ],
)
def test_the_plain_reader_leaves_what_can_be_read_in_two_ways(rest: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        plain(f"https://{rest}")


def generated(seed: int, count: int) -> list[str]:
    """Addresses pieced together from what parsers disagree on."""
    chance = random.Random(seed)
    starts = ["https://", "http://", "HTTPS://", "https://a.example/", "https://a", "http://1"]
    ascii_text = "a b . - _ xn-- 0 1 0x 8 255 80 443 .. [ ] :: : % %2e %41 / // /../ /./ ? # @ \\ ; = & | ^"
    letters = "` { < \" ' * $ ! ~ é ß ς а 日 ー 中 א ا ١ 。 １ Ａ ⒈ 💩 \u0301 \u0338 \u200d \u0870 \u0898"
    pieces = f"{ascii_text} {letters}".split()
    found = (chance.choices(pieces, k=chance.randint(0, 6)) for _ in range(count))
    return [chance.choice(starts) + "".join(some) for some in found]


@pytest.mark.browser
def test_this_machines_chromium_reads_the_samples_and_generated_addresses_as_we_do() -> None:
    urls = [*HONEST, *HOSTILE, *dict.fromkeys(generated(1, 8000))]
    _, rows = chromium_urls.ask(urls)
    for read in (ada, plain):
        assert len(accepted(read, urls)) > 200
        assert misread(read, rows) == []
