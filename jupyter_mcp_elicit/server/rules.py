"""What the site or the user configured for questions and connections."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ..broker import Limits


@dataclass(frozen=True, slots=True)
class Rules:
    """What the site or the user configured, beyond the broker's limits. ``open_timeout`` in seconds."""

    limits: Limits
    schema_policy: Literal["lenient", "strict"] = "lenient"
    sensitive_fields: Literal["warn", "refuse"] = "warn"
    unsolicited: Literal["show", "refuse"] = "show"
    open_timeout: float = 30.0
    questions_per_connection: int = 16
    own_origins: Callable[[], tuple[str, ...]] = tuple
    trace_contents: bool = False
