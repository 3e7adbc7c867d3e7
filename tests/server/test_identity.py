"""A kernel's proof: made by anybody who holds its key, good once, within a minute."""

from __future__ import annotations

import hashlib
import hmac
import time
from typing import Any

import pytest

from jupyter_mcp_elicit.core.proof import WINDOW, Proof
from jupyter_mcp_elicit.server.identity import KernelIdentity, NotProven

KEYS = {"ada": b"ada's key", "bob": b"bob's key", "keyless": b""}
REQUEST: dict[str, Any] = {"method": "POST", "path": "/mcp-elicit/calls", "body": b"{}"}


def proof(kernel: str = "ada", nonce: str = "n", at: float | None = None, **instead: Any) -> str:
    signed = {**REQUEST, **instead}
    timestamp = f"{time.time() if at is None else at:.3f}"
    return Proof.make(KEYS[kernel], kernel, timestamp=timestamp, nonce=nonce, **signed).header


def test_a_proof_is_an_hmac_over_seven_lines() -> None:
    # Written out once, so that a kernel in another language can make it.
    at = f"{time.time():.0f}"
    body = hashlib.sha256(b"{}").hexdigest()
    text = f"MCP-Elicit-Kernel\nPOST\n/mcp-elicit/calls\nada\n{at}\nn\n{body}"
    signature = hmac.new(KEYS["ada"], text.encode(), "sha256").hexdigest()
    header = f"MCP-Elicit-Kernel ada:{at}:n:{signature}"
    assert KernelIdentity(KEYS.get).check(header, **REQUEST) == "ada"


def test_each_kernel_has_its_own_key_and_its_own_nonces() -> None:
    identity = KernelIdentity(KEYS.get)
    assert identity.check(proof("ada"), **REQUEST) == "ada"
    assert identity.check(proof("bob"), **REQUEST) == "bob"
    with pytest.raises(NotProven, match="sent before"):
        identity.check(proof("ada"), **REQUEST)


def test_a_kernel_without_a_key_proves_nothing() -> None:
    with pytest.raises(NotProven, match="not one that this Jupyter server started"):
        KernelIdentity(KEYS.get).check(proof("keyless"), **REQUEST)


@pytest.mark.parametrize("off", [-WINDOW - 1, WINDOW + 1])
def test_a_clock_that_is_off_is_named(off: float) -> None:
    with pytest.raises(NotProven, match="differ by more than 60 seconds"):
        KernelIdentity(KEYS.get).check(proof(at=time.time() + off), **REQUEST)


def test_a_proof_that_is_refused_uses_up_no_nonce() -> None:
    identity = KernelIdentity(KEYS.get)
    with pytest.raises(NotProven):
        identity.check(proof(body=b"other"), **REQUEST)
    assert identity.check(proof(), **REQUEST) == "ada"


def test_nothing_is_forgotten_to_make_room_while_it_could_be_sent_again() -> None:
    identity = KernelIdentity(KEYS.get, room=3)
    first = proof(nonce="first")
    identity.check(first, **REQUEST)
    for nonce in "ab":
        identity.check(proof(nonce=nonce), **REQUEST)
    with pytest.raises(NotProven, match="more than 3 requests"):
        identity.check(proof(nonce="one-too-many"), **REQUEST)
    with pytest.raises(NotProven, match="sent before"):
        identity.check(first, **REQUEST)


def test_room_comes_back_when_the_oldest_have_expired(monkeypatch: pytest.MonkeyPatch) -> None:
    identity = KernelIdentity(KEYS.get, room=1)
    ahead = proof(nonce="ahead", at=time.time() + WINDOW - 1)
    identity.check(ahead, **REQUEST)
    clock = time.time
    # As long as a proof of a clock that runs ahead is good, and a little longer.
    monkeypatch.setattr(time, "time", lambda: clock() + 2 * WINDOW - 2)
    with pytest.raises(NotProven, match="sent before"):
        identity.check(ahead, **REQUEST)
    monkeypatch.setattr(time, "time", lambda: clock() + 2 * WINDOW + 1)
    with pytest.raises(NotProven, match="clock"):
        identity.check(ahead, **REQUEST)
    assert identity.check(proof(nonce="next"), **REQUEST) == "ada"
