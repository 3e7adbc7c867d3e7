"""The domain that somebody registered."""

from __future__ import annotations

import pytest

from jupyter_mcp_elicit.core.suffixes import registrable


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("accounts.google.com.secure-login.evil.example", "evil.example"),
        ("www.good.co.uk", "good.co.uk"),
        ("a.evil.github.io", "evil.github.io"),
        ("github.io", "github.io"),
        ("co.uk", "co.uk"),
        ("www.xn--e1afmkfd.xn--p1ai", "xn--e1afmkfd.xn--p1ai"),
        ("www.good.example.", "good.example"),
        ("disk.nas.local", "nas.local"),
        ("localhost", "localhost"),
        ("192.0.2.7", "192.0.2.7"),
        ("[2001:db8::7]", "[2001:db8::7]"),
    ],
)
def test_the_registrable_domain_else_the_whole_host(host: str, domain: str) -> None:
    assert registrable(host) == domain
