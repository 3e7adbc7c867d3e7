"""What a person is told of a field that asks for a secret, and what they agree to who send it all the same.

``kind`` is the asker's: the specification binds servers, and not the person's own code.
"""

from __future__ import annotations


def warning(kind: str) -> str:
    """At the field."""
    if kind == "server":
        return "This server asks for a secret in a form. MCP forbids that; URL mode exists for it."
    return "This looks like a secret. What you type goes to the code that asks."


def agreement(kind: str) -> str:
    """At the tick."""
    if kind == "server":
        return "Send what looks like a secret, although MCP forbids servers to ask for one in a form"
    return "Send what looks like a secret to the code that asks"


def review(kind: str) -> str:
    """Before the last word at a prompt."""
    if kind == "server":
        return "It holds what looks like a secret, which MCP forbids to ask for in a form."
    return "It holds what looks like a secret."
