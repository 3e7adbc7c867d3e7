from __future__ import annotations

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcp_elicit.core.number import NotTyped, typed


@given(st.integers())
def test_every_whole_number_comes_back_from_its_text(number: int) -> None:
    assert typed(str(number), whole=True) == number
    assert typed(str(number), whole=False) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_comes_back_from_its_text(number: float) -> None:
    assert typed(repr(number), whole=False) == number


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_a_decimal_is_the_number_that_was_typed_or_refused(number: Decimal) -> None:
    try:
        value = typed(str(number).replace("E+", "e"), whole=False)
    except NotTyped:
        return
    assert Decimal(repr(value)) == number


@given(st.text())
def test_any_text_is_a_number_or_refused(text: str) -> None:
    for whole in (True, False):
        try:
            value = typed(text, whole=whole)
        except NotTyped:
            continue
        assert Decimal(text.strip()) == Decimal(repr(value))
        assert not whole or type(value) is int


@pytest.mark.parametrize(
    "text", ["1e1000000000", "9" * 10**7, "1e-999999999", "0e99999999999", "0." + "0" * 10**6 + "1"]
)
def test_no_text_chooses_the_cost(text: str) -> None:
    start = time.thread_time()
    with pytest.raises(NotTyped):
        typed(text, whole=True)
    assert time.thread_time() - start < 0.1
