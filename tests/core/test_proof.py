from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcp_elicit.core.proof import SCHEME, Proof

KEY = b"the key in the kernel's connection file"
REQUEST: dict[str, Any] = {"method": "POST", "path": "/user/ada/mcp-elicit/calls", "body": b'{"tool": "x"}'}
STAMP: dict[str, Any] = {"timestamp": "1764581400.25", "nonce": "f00d-1"}


def made(key: bytes = KEY, kernel: str = "5f0c7a8e-1111", **changed: Any) -> Proof:
    return Proof.make(key, kernel, **{**REQUEST, **STAMP, **changed})


def test_a_proof_fits_the_request_that_it_was_made_for() -> None:
    assert made().fits(KEY, **REQUEST)
    assert made(method="post").fits(KEY, **REQUEST)


def test_a_proof_travels_in_a_header_without_the_key() -> None:
    proof = made()
    assert Proof.read(proof.header) == proof
    assert proof.header.startswith(f"{SCHEME} 5f0c7a8e-1111:1764581400.25:f00d-1:")
    assert KEY.decode() not in proof.header
    assert KEY.hex() not in proof.header


@pytest.mark.parametrize(
    "other",
    [
        {"method": "GET"},
        {"path": "/user/bob/mcp-elicit/calls"},
        {"path": "/user/ada/mcp-elicit/calls/"},
        {"path": "/user/ada/mcp-elicit/calls?x=1"},
        {"body": b'{"tool": "y"}'},
        {"body": b""},
        {"body": b'{"tool": "x"} '},
    ],
)
def test_a_proof_fits_no_other_request(other: dict[str, Any]) -> None:
    assert not made().fits(KEY, **{**REQUEST, **other})


@pytest.mark.parametrize(
    "other", [{"kernel_id": "5f0c7a8e-2222"}, {"timestamp": "1764581401.25"}, {"nonce": "f00d-2"}]
)
def test_nothing_in_a_proof_can_be_exchanged(other: dict[str, Any]) -> None:
    assert not dataclasses.replace(made(), **other).fits(KEY, **REQUEST)


@given(st.integers(0, 63), st.sampled_from("0123456789abcdef"))
def test_no_digit_of_the_signature_can_be_another(place: int, digit: str) -> None:
    right = made().signature
    wrong = right[:place] + digit + right[place + 1 :]
    assert dataclasses.replace(made(), signature=wrong).fits(KEY, **REQUEST) == (wrong == right)


@given(st.binary(min_size=1))
def test_another_key_does_not_fit(key: bytes) -> None:
    assert made().fits(key, **REQUEST) == (key == KEY)


def test_without_a_key_nothing_is_proven() -> None:
    assert not made(key=b"").fits(b"", **REQUEST)


_CUTS = st.sets(st.integers(1, 11), min_size=3, max_size=3).map(sorted)


@given(st.text("ab1", min_size=12, max_size=12), _CUTS, _CUTS)
def test_no_character_can_move_from_one_part_to_the_next(text: str, one: list[int], other: list[int]) -> None:
    def signature(cuts: list[int]) -> str:
        first, second, third = cuts
        return made(
            path=f"/{text[:first]}",
            kernel=text[first:second],
            timestamp=text[second:third],
            nonce=text[third:],
        ).signature

    assert (signature(one) == signature(other)) == (one == other)


@pytest.mark.parametrize(
    "header",
    [
        "",
        SCHEME,
        f"{SCHEME} ",
        "token abc",
        "Bearer a:b:c:d",
        f"{SCHEME} a:b:c",
        f"{SCHEME} a:b:c:d:e",
        f"{SCHEME} a::c:d",
        f"{SCHEME} a:b:c:d\n",
        f"{SCHEME}  a:b:c:d",
        f"{SCHEME} a:b:c d",
        f"{SCHEME} a:b:{'c' * 129}:d",
        f"{SCHEME} ä:b:c:d",
        f"{SCHEME.lower()} a:b:c:d",
    ],
)
def test_a_header_without_a_proof_has_none(header: str) -> None:
    assert Proof.read(header) is None


@given(st.text() | st.text("abc:.- \n\x00é", max_size=20).map(lambda rest: f"{SCHEME} {rest}"))
def test_no_header_is_too_odd_to_be_read(header: str) -> None:
    proof = Proof.read(header)
    if proof is not None:
        assert proof.header == header
        assert not proof.fits(KEY, **REQUEST)
