"""The twin over stdio: a line is a message, or what it pleases."""

from __future__ import annotations

import contextlib
import json
import sys
import threading

from .session import Session


def serve() -> None:
    """Until the client closes stdin."""
    session = Session("stdio")
    lock = threading.Lock()

    def write(line: bytes) -> None:
        # A client that has had enough is gone in the middle of a line.
        with lock, contextlib.suppress(OSError, ValueError):
            sys.stdout.buffer.write(line + b"\n")
            sys.stdout.buffer.flush()

    for line in sys.stdin.buffer:
        with contextlib.suppress(ValueError):
            message = json.loads(line)
            if isinstance(message, dict):
                session.hear(message, write)
