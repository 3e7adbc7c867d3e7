"""Every JSON-RPC frame of a connection with its meaning; what persons typed is left out."""

from __future__ import annotations

from .entry import Direction, Entry, part
from .recorder import Recorder

__all__ = ["Direction", "Entry", "Recorder", "part"]
