from __future__ import annotations

import re

import pytest

from jupyter_mcp_elicit.core.translation import Untranslatable, translated


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("(?:" * 30 + "a" + ")" * 30, "nested too deep"),
        ("a{3,2}", "counts backwards"),
        ("a{x}", "counts nothing"),
        ("(a", "ends too early"),
        ("a)", "did not open"),
        ("[]", "empty class"),
        ("[^]", "empty class"),
        ("[a", "ends too early"),
        (r"\bword\b", "edge of a word"),
        (r"\07", "octal"),
        (r"\ud83d", "half a character"),
        (r"\u{110000}", "half a character"),
        (r"\k<n>", "not translated"),
        (r"\1", "not translated"),
        (r"\p{L}", "not translated"),
        ("(?=a)", "looks around"),
        ("(?<n>a)", "names a group"),
        ("^*", "no length"),
        ("$+", "no length"),
        ("a+*", "repeats a repetition"),
        ("+", "repeats nothing"),
    ],
)
def test_what_is_not_surely_the_same_elsewhere_is_not_translated(source: str, reason: str) -> None:
    with pytest.raises(Untranslatable, match=reason):
        translated(source)


@pytest.mark.parametrize(
    ("source", "same"),
    [
        ("a|b", "a|b"),
        ("(a)(?:b)", "(?:a)(?:b)"),
        ("^a$", r"\Aa\Z"),
        (r"[\b]", r"[\x08]"),
        (r"\x41\u0042\u{43}", "ABC"),
        ("[a-c-]", r"[a-c\-]"),
        (r"\v\0", r"\x0b\x00"),
        ("a+?b{2}?", "a+?b{2}?"),
    ],
)
def test_the_words_that_are_used_instead(source: str, same: str) -> None:
    assert translated(source).text == same
    re.compile(same)


@pytest.mark.parametrize(
    ("source", "length", "most"),
    [("^abc$", 10**6, 10), ("^a*$", 1000, 20_000), ("abc", 1000, 20_000), ("a*", 1000, 5 * 10**6)],
)
def test_the_cost_grows_with_the_loops_and_with_the_places_to_start(
    source: str, length: int, most: int
) -> None:
    assert translated(source).bounded
    assert translated(source).cost(length) <= most


@pytest.mark.parametrize("source", ["(a+)+", "(a|b)*", "(?:a?)*", "(a{1,2}){1,2}"])
def test_a_repeated_choice_has_no_bound(source: str) -> None:
    assert not translated(source).bounded


def test_an_anchor_of_one_branch_anchors_not_the_others() -> None:
    assert translated("^a").anchored
    assert not translated("^a|b").anchored
