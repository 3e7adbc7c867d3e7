from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcp_elicit.core.text import one_line, quoted, shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Transfer to \u202eecila\u202c", "Transfer to [U+202E]ecila[U+202C]"),
        ("\x1b[2J\x1b]8;;https://evil\x07", "[U+001B][2J[U+001B]]8;;https://evil[U+0007]"),
        ("a\x9b31m", "a[U+009B]31m"),
        ("a\u200bb\u200dc\ufeff", "a[U+200B]b[U+200D]c[U+FEFF]"),
        ("a\u2066b\u2069", "a[U+2066]b[U+2069]"),
        ("\ud83d", "[U+D83D]"),
        ("\ue000\U000e0041", "[U+E000][U+E0041]"),
        ("\u3164\u2800", "[U+3164][U+2800]"),
        ("<b>&amp;$x$[a](b)", "<b>&amp;$x$[a](b)"),
        ("e\u0301", "\u00e9"),
        (
            "\u5bc6\u7801 \u0645\u0631\u062d\u0628\u0627 \U0001f600",
            "\u5bc6\u7801 \u0645\u0631\u062d\u0628\u0627 \U0001f600",
        ),
    ],
)
def test_what_cannot_be_seen_is_shown_as_a_box(text: str, expected: str) -> None:
    assert shown(text, 1000) == expected


def test_line_breaks_are_kept_or_become_one_space() -> None:
    assert shown("a\r\nb\n\n\tc", 100, newlines=True) == "a\nb\n\n\tc"
    assert shown("a\r\nb\n\n\tc", 100) == "a b c"
    assert shown("a\rb", 100, newlines=True) == "a[U+000D]b"
    assert shown("a\u2028b\x0bc", 100) == "a b c"


def test_marks_are_capped() -> None:
    assert shown("x" + "\u0335" * 8, 100) == "x" + "\u0335" * 8
    assert shown("x" + "\u0335" * 3000 + "y", 4000) == "x" + "\u0335" * 8 + "[more marks]y"


def test_a_cut_is_seen() -> None:
    assert shown("abcdef", 4) == "abc\u2026"
    assert shown("abcd", 4) == "abcd"
    assert shown("\u202e" * 4, 4) == "[U+\u2026"


def test_a_long_run_of_marks_costs_little() -> None:
    start = time.thread_time()
    shown("a" + "\u0300\u0316" * 500_000, 8192)
    assert time.thread_time() - start < 0.5


@given(st.text(), st.integers(min_value=0, max_value=50), st.booleans())
def test_nothing_hidden_and_nothing_too_long_ever_comes_out(text: str, limit: int, newlines: bool) -> None:
    result = shown(text, limit, newlines=newlines)
    assert len(result) <= max(limit, 1)
    for char in result:
        allowed = newlines and char in "\n\t"
        assert allowed or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_one_line_changes_nothing_but_breaks(text: str) -> None:
    result = one_line(text)
    assert not set("\n\r\t\v\f\x85\u2028\u2029") & set(result)
    assert result == text or set("\n\r\t\v\f\x85\u2028\u2029") & set(text)


def test_names_in_sentences_are_quoted_boxed_and_short() -> None:
    assert quoted("a\u202eb") == '"a[U+202E]b"'
    assert len(quoted("n" * 500)) == 82
