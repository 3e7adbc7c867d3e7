"""Which addresses never become a link, and why."""

from __future__ import annotations

import pytest

from jupyter_mcp_elicit.core import examine
from jupyter_mcp_elicit.core.refusals import MAX_HOST, MAX_LENGTH, refusal_of_text

from .hostile_urls import NOT_ABSOLUTE, OTHER_SCHEMES

BLANK = "It has blanks, control characters or characters that cannot be seen."
START = "It does not start with https:// or http:// and the name of a host."
USER = "It has a user name before its host, as addresses made to deceive do."
CHARACTER = "The name of its host has a character that does not belong there."
HIDDEN = (
    *("\r\n", "\x00", "\x7f", "\x85", "\xa0", "\xad", "\u034f", "\u200b", "\u200c", "\u200d", "\u2028"),
    *("\u2029", "\u202e", "\u2060", "\u2066", "\u2800", "\u3000", "\u3164", "\ud800", "\ue000", "\ufe0f"),
    *("\uffff", "\U000e0061", "\U000e0100"),
)
INVALID = "The name of its host is not a valid one."


def reason(url: str) -> str:
    return examine(url).reason


@pytest.mark.parametrize("url", OTHER_SCHEMES)
def test_only_http_and_https_lead_anywhere(url: str) -> None:
    assert reason(url) in (START, BLANK)


@pytest.mark.parametrize("url", NOT_ABSOLUTE)
def test_relative_and_incomplete_addresses_are_refused(url: str) -> None:
    assert examine(url).level == "refuse"


def test_a_missing_slash_is_not_repaired() -> None:
    for url in ("https:evil.example", "https:/evil.example", "https:///evil.example", "//evil.example"):
        assert reason(url) == START


def test_a_backslash_is_refused_wherever_it_is() -> None:
    for url in (
        "https:\\\\evil.example\\x",
        "https://evil.example\\.good.example/",
        "https://good.example/a\\b",
    ):
        assert reason(url) == "It has a backslash, which programs read in different ways."


def test_a_user_name_is_refused_even_an_empty_one() -> None:
    for user in ("good.example", "", "a:b", ":", "good.example:443", "good.example;"):
        assert reason(f"https://{user}@evil.example:8443/login") == USER
    assert examine("https://good.example/@evil?@evil#@evil").level == "ok"


@pytest.mark.parametrize("hidden", HIDDEN)
def test_what_cannot_be_seen_is_refused_in_host_and_path(hidden: str) -> None:
    assert reason(f"https://good{hidden}.example/") == BLANK
    assert reason(f"https://good.example/{hidden}txt.exe") == BLANK


def test_an_escaped_character_in_the_host_is_refused_and_in_the_path_it_stays() -> None:
    for escaped in ("%00", "%40", "%2e", "%67", "%E2%80%AE"):
        assert reason(f"https://good{escaped}.example/") == CHARACTER
    assert examine("https://good.example/%E2%80%AEtxt.exe").level == "ok"


@pytest.mark.parametrize("char", "|^<>\"'`;,&$!*()=+~{}")
def test_punctuation_in_the_host_is_refused(char: str) -> None:
    assert reason(f"https://good{char}evil.example/") == CHARACTER
    # This mark turns some of them into letters of an international name.
    assert reason(f"https://good{char}\u0338evil.example/") == CHARACTER


def test_letters_that_stand_for_delimiters_are_refused() -> None:
    for char in "／？＃＠：％＼℀․":
        assert examine(f"https://good.example{char}evil/").level == "refuse"


def test_the_labels_of_a_name_are_as_dns_has_them() -> None:
    assert reason("https://good..example/") == INVALID
    assert reason("https://.good.example/") == INVALID
    assert reason("https://good.example../") == INVALID
    assert reason(f"https://{'a' * 64}.example/") == INVALID
    assert examine(f"https://{'a' * 63}.my_service.example/").level == "ok"
    assert reason("https://" + ".".join(["abcdefghi"] * 26)) == "The name of its host is too long."
    assert examine("https://" + ".".join(["abcdefghi"] * 25)).level == "ok"


def test_numbers_and_brackets_that_are_no_address_are_refused() -> None:
    for host in [
        "256.1.1.1",
        "1.2.3.4.5",
        "foo.0x4",
        "4294967296",
        "[::1",
        "[v1.x]",
        "[fe80::1%25eth0]",
        "[::g]",
    ]:
        assert examine(f"https://{host}/").level == "refuse"


def test_the_length_of_address_and_host_is_bounded() -> None:
    start = "https://good.example/?"
    assert examine(start + "q" * (MAX_LENGTH - len(start))).level == "ok"
    assert reason(start + "q" * (MAX_LENGTH - len(start) + 1)) == "It is longer than 16384 characters."
    # Normalising a run of marks takes time in its square.
    assert refusal_of_text("https://a" + "\u0301" * MAX_HOST) == "The name of its host is too long."
    assert refusal_of_text("https://a" + "\u0301" * (MAX_HOST - 1)) == ""
    assert reason("") == "It is empty."
