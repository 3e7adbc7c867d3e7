from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jupyter_mcp_elicit.core import RequestedSchema, patterns
from jupyter_mcp_elicit.core.patterns import (
    Allowance,
    Engine,
    Pattern,
    Verdict,
    compiled,
    ecma,
    linear,
    subset,
)
from jupyter_mcp_elicit.core.translation import Untranslatable, translated

#: A back-reference makes every engine that knows it walk through all the ways.
SLOW = r"^(a*)*b\1$"

#: (pattern, text, whether ECMA-262 finds it)
DIALECT = [
    ("b", "abc", True),
    ("^b", "abc", False),
    ("^[a-z]+$", "abc\n", False),
    (r"^\d$", "\u0663", False),
    (r"^\w$", "\u00e9", False),
    (r"^\s$", "\ufeff", True),
    (r"^\S$", "\u00a0", False),
    ("^.$", "\u2028", False),
    ("^.$", "\U0001f600", True),
    (r"^\u0041$", "A", True),
    (r"^\x41[\x42-\x43]$", "AC", True),
    (r"^[^\d\s]$", "5", False),
    (r"^[\w.-]+@[\w-]+\.[a-z]{2,}$", "a.b-c@d-e.org", True),
    (r"^(?:\+\d{1,3} )?\d{3}-\d{4}$", "+49 555-1234", True),
    (r"^(red|green)$", "green", True),
    ("^a{2,3}$", "aaaa", False),
    (r"^[a\-z]$", "-", True),
    (r"^[-az]$", "-", True),
    (r"^[\]]$", "]", True),
    (r"^a\/b$", "a/b", True),
    (r"^\t$", "\t", True),
    ("^[&~|#]$", "#", True),
    ("^a# b$", "a# b", True),
    ("", "anything", True),
]


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def found(engine: Engine, text: str) -> bool:
    verdict = engine(text, 0.25)
    assert verdict in (Verdict.MATCH, Verdict.NO_MATCH)
    return verdict is Verdict.MATCH


@pytest.mark.parametrize(("source", "text", "expected"), DIALECT)
def test_the_exact_engine_speaks_the_dialect(source: str, text: str, expected: bool) -> None:
    assert found(ecma(source), text) is expected


@pytest.mark.parametrize(("source", "text", "expected"), DIALECT)
def test_the_subset_means_the_same(source: str, text: str, expected: bool) -> None:
    assert found(subset(source), text) is expected


@pytest.mark.parametrize(("source", "text", "expected"), DIALECT)
def test_the_linear_engine_means_the_same(source: str, text: str, expected: bool) -> None:
    pytest.importorskip("re2")
    assert found(linear(source), text) is expected


def test_what_only_the_exact_engine_knows() -> None:
    for source, text in [(r"^(?=a)\p{Letter}$", "a"), (r"^(?<n>a)\k<n>$", "aa"), (r"^\ca$", "\x01")]:
        assert found(ecma(source), text)
        with pytest.raises(Untranslatable):
            subset(source)


def test_escapes_of_the_older_grammar_are_taken() -> None:
    assert found(ecma(r"^\_\-$"), "_-")


@pytest.mark.parametrize("source", ["(", "[", "a{2", "*", "(?P<n>a)", r"a\Z", "(?i)a", "a**", ")"])
def test_what_is_no_expression_comes_back_with_a_reason(source: str) -> None:
    pattern = compiled(source)
    assert pattern.reason or pattern.test("a", Allowance()) is not Verdict.SLOW
    with pytest.raises(Untranslatable):
        subset(source)


def test_a_pattern_that_no_engine_takes_is_unchecked_and_counted() -> None:
    pattern, allowance = compiled("(?P<n>a)"), Allowance()
    assert (pattern.engine, bool(pattern.reason)) == (None, True)
    assert pattern.test("a", allowance) is Verdict.UNCHECKED
    assert allowance.unchecked == 1


def test_a_long_pattern_and_a_long_text_are_not_tried() -> None:
    assert "1024" in compiled("a" * 1025).reason
    assert compiled("^b*$").test("a" * 10_241, Allowance()) is Verdict.UNCHECKED
    assert compiled("^b*$").test("a" * 10_240, Allowance()) is Verdict.NO_MATCH


def test_a_slow_pattern_ends_in_time() -> None:
    assert compiled(SLOW).test("a" * 40, Allowance()) is Verdict.SLOW
    assert seconds(lambda: compiled(SLOW).test("a" * 40, Allowance())) < 2


def test_a_hundred_slow_patterns_cost_about_as_much_as_one() -> None:
    allowance = Allowance()
    assert seconds(lambda: [compiled(SLOW).test("a" * 40, allowance) for _ in range(1000)]) < 5
    assert allowance.unchecked == 900


def test_an_answer_that_cannot_be_checked_in_time_is_refused_and_the_form_goes_on() -> None:
    schema = RequestedSchema.parse(
        {"properties": {"s": {"type": "string", "pattern": SLOW}}, "required": ["s"]}
    )
    problems = schema.read({"s": "a" * 40}).problems
    assert problems == {"s": "This could not be checked in time against the pattern that the server set."}
    assert schema.read({"s": "aabaa"}).content == {"s": "aabaa"}


def test_repetitions_in_repetitions_are_answered_at_once() -> None:
    assert seconds(lambda: found(ecma("^(a+)+$"), "a" * 40 + "!")) < 1
    schema = RequestedSchema.parse({"properties": {"s": {"type": "string", "pattern": "^(a+)+$"}}})
    assert schema.read({"s": "a" * 30 + "!"}).problems


@pytest.mark.parametrize(
    "source", ["^(a+)+$", r"^(\w+\s?)*$", "(a|a)*b", "(?:a?){9}b", r"^(a*)*b\1$", "(a{1,9}){1,9}"]
)
def test_the_subset_refuses_what_would_explode(source: str) -> None:
    with pytest.raises(Untranslatable):
        subset(source)


def test_the_subset_declines_a_text_that_would_take_too_long() -> None:
    engine = subset("a*a*a*b")
    assert engine("a" * 10, 1) is Verdict.NO_MATCH
    assert engine("a" * 1000, 1) is Verdict.UNCHECKED


@pytest.fixture
def without_packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A place where neither engine is installed."""
    import sys

    for name in ("corvus_regex_ecma262", "re2"):
        monkeypatch.setitem(sys.modules, name, None)
    patterns._best_engine.cache_clear()
    compiled.cache_clear()
    yield
    patterns._best_engine.cache_clear()
    compiled.cache_clear()


@pytest.mark.usefixtures("without_packages")
def test_without_any_engine_the_subset_serves_and_the_rest_is_noted() -> None:
    schema = RequestedSchema.parse(
        {
            "properties": {
                "s": {"type": "string", "pattern": "^[a-z]+$"},
                "t": {"type": "string", "pattern": "^(a+)+$"},
            }
        }
    )
    assert set(schema.read({"s": "1", "t": "1"}).problems) == {"s"}
    reading = schema.read({"s": "a", "t": "1"})
    assert (reading.content, list(reading.notes)) == ({"s": "a", "t": "1"}, ["t"])


_atoms = st.sampled_from(
    ["a", "b", "[ab]", "[^a]", r"\d", r"\s", r"\W", ".", "(?:ab)", "(a|b)", r"\.", "-", "\u00e9"]
)
_counts = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?"])
_sources = st.builds(
    lambda parts, start, end: start + "".join(f"{atom}{count}" for atom, count in parts) + end,
    st.lists(st.tuples(_atoms, _counts), max_size=5),
    st.sampled_from(["", "^"]),
    st.sampled_from(["", "$"]),
)
_texts = st.text(alphabet="ab1 .-\n\u00e9\u2028\ufeff", max_size=8)


@given(_sources, _texts)
def test_the_subset_agrees_with_the_exact_engine(source: str, text: str) -> None:
    try:
        engine = subset(source)
    except Untranslatable:
        assume(False)
    verdict = engine(text, 1)
    if verdict is not Verdict.UNCHECKED:
        assert verdict is ecma(source)(text, 1)


@given(_sources, _texts)
def test_the_linear_engine_agrees_with_the_exact_engine(source: str, text: str) -> None:
    pytest.importorskip("re2")
    assert linear(source)(text, 1) is ecma(source)(text, 1)


@given(st.text(alphabet="ab()[]{}*+?|^$\\.,-:=!<>123dswDxu ", max_size=20))
def test_any_text_is_a_pattern_or_has_a_reason(source: str) -> None:
    pattern = compiled(source)
    assert isinstance(pattern, Pattern)
    assert pattern.test("ab1", Allowance()) in Verdict
    try:
        translation = translated(source)
    except Untranslatable:
        return
    if translation.bounded:
        assert subset(source)("ab1", 1) is ecma(source)("ab1", 1)
