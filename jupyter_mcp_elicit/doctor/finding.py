"""What a check found: one line for a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Level: TypeAlias = Literal["ok", "warn", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """``about`` names the thing, ``says`` how it is, ``remedy`` what to do, or ``""``."""

    level: Level
    about: str
    says: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.level:<8} {self.about}: {self.says}{f' → {self.remedy}' if self.remedy else ''}"
