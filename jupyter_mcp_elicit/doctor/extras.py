"""Optional packages, and what is different without them."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

from ..client.keyring import system_keyring
from .finding import Finding


def check() -> Iterator[Finding]:
    if importlib.util.find_spec("corvus_regex_ecma262"):
        patterns = "checked exactly as JavaScript would"
    else:
        most = "most" if importlib.util.find_spec("re2") else "only simple ones"
        patterns = f"{most} are checked; all with: pip install jupyter_mcp_elicit[pattern] (optional)"
    yield Finding("ok", "patterns of fields", patterns)
    has_keyring = system_keyring() is not None
    where = "in the system's keyring" if has_keyring else "in files that only you may read"
    more = "" if has_keyring else "; a keyring that can be trusted was not found (package keyring, optional)"
    yield Finding("ok", "sign-ins", f"kept {where}{more}")
