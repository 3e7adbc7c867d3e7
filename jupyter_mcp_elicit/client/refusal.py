"""Why a sign-in failed, as the end of a sentence; never a token, a code or a secret."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx2
from mcp.client.auth import OAuthFlowError

from ..core.errors import LocalError
from ..core.text import shown
from .failures import plain

_EXCHANGE = re.compile(r"Token exchange failed \((\d+)\)(.*?): (.*)\Z", re.DOTALL)
# The SDK puts what it received into these messages, tokens and all.
_UNTOLD = {
    "State parameter mismatch": "the browser came back from another sign-in",
    "Invalid token response": "the authorization server's answer holds no token",
    "Invalid registration response": "the authorization server's answer is no registration",
}


class NotSignedIn(LocalError):
    """No token was come by. The message is the end of a sentence, without its full stop."""


def reason(error: Exception) -> str:
    """What ``error`` of the SDK's flow says."""
    if isinstance(error, NotSignedIn):
        return error.message
    if isinstance(error, httpx2.HTTPError):
        return f"{_host(error)} cannot be reached ({type(error).__name__})"
    if not isinstance(error, OAuthFlowError):
        # Words of a parser may repeat what it read.
        return f"the answers of its authorization server cannot be used ({type(error).__name__})"
    text = str(error)
    for start, instead in _UNTOLD.items():
        if text.startswith(start):
            return instead
    if found := _EXCHANGE.match(text):
        return f"it gave no token (HTTP {found[1]}{_code(found[3])})"
    return shown(plain(text), 300)


def _code(body: str) -> str:
    try:
        shape: Any = json.loads(body)
    except ValueError:
        return ""
    said = shape if isinstance(shape, dict) else {}
    words = [said.get("error"), said.get("error_description")]
    return "".join(f", {shown(plain(each), 200)}" for each in words if isinstance(each, str))


def _host(error: httpx2.HTTPError) -> str:
    try:
        return error.request.headers.get("host") or error.request.url.host
    except RuntimeError:
        return "its authorization server"
