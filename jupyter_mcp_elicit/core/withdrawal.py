"""Why a question was taken back. A cancelled task carries it as the message of its cancellation."""

from __future__ import annotations

from enum import Enum


class Withdrawal(str, Enum):
    """Who stopped waiting."""

    ASKER = "asker"  # the server took its request back
    CALLER = "caller"  # the cell was interrupted, or the program that called went away
    CALL = "call"  # the call that it belongs to failed
    CONNECTION = "connection"  # the connection to the server ended
    OWNER = "owner"  # the kernel, or the Jupyter server, was stopped

    @classmethod
    def of(cls, error: BaseException | None) -> Withdrawal | None:
        """What ``error``, a cancellation, was given as its message; ``None`` when that is none of these."""
        said = error.args[0] if error is not None and error.args else None
        return said if isinstance(said, cls) else None
