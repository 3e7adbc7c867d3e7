"""Whether a field asks for a secret, which a server must never do in a form."""

from __future__ import annotations

import re

_SECRET = re.compile(r"password|passwd|passphrase|api ?key|secret|token|\botp\b|\bcvv\b|\bpin\b")


def asks_for_secret(
    name: str, title: str, description: str, *, format: str = "", write_only: bool = False
) -> bool:
    """Whether the field's own texts, its format or ``writeOnly`` say that a secret is wanted."""
    return format == "password" or write_only or bool(_SECRET.search(f"{name} {title}".lower()))
