"""Foreign ``pattern`` rules: ECMA-262, found anywhere in the text, in bounded time.

Three engines, the best that is installed: ``corvus_regex_ecma262`` (the exact dialect,
with a timeout), ``re2`` (linear) and a subset of ``re`` whose cost is known beforehand.
Python's own ``re`` never sees a foreign pattern as it came.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, TypeAlias

from .translation import Untranslatable, translated

MAX_PATTERN: Final = 1024
MAX_TEXT: Final = 10_240

#: Patterns that are tested for one form, and seconds: the first may take half of the time, the next half
#: of the rest, and each the least time at the end, so all of them together take at most a second.
MAX_TESTS: Final = 100
TIME: Final = 0.5
LEAST_TIME: Final = 0.005


class Verdict(Enum):
    """What a pattern says of a text."""

    MATCH = "match"
    NO_MATCH = "no match"
    SLOW = "could not be checked in time"
    UNCHECKED = "cannot be checked here"


#: Tells of a text within seconds.
Engine: TypeAlias = Callable[[str, float], Verdict]


class Allowance:
    """What is left for the patterns of one form, so that a hundred of them cost little more than one."""

    def __init__(self, seconds: float = TIME) -> None:
        self._seconds = seconds
        self._tests = MAX_TESTS
        #: How many tests were not made.
        self.unchecked = 0

    def take(self) -> float:
        """Seconds for one more test; 0 when there is no more."""
        if self._tests == 0:
            return 0
        self._tests -= 1
        self._seconds /= 2
        return max(self._seconds, LEAST_TIME)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern and what can evaluate it. ``reason`` says why nothing can, or is ""."""

    source: str
    engine: Engine | None
    reason: str = ""

    def test(self, text: str, allowance: Allowance) -> Verdict:
        """Whether the pattern is found in ``text``; takes its time from ``allowance``."""
        seconds = 0.0 if self.engine is None or len(text) > MAX_TEXT else allowance.take()
        verdict = self.engine(text, seconds) if self.engine and seconds else Verdict.UNCHECKED
        if verdict is Verdict.UNCHECKED:
            allowance.unchecked += 1
        return verdict


@lru_cache(maxsize=128)
def compiled(source: str) -> Pattern:
    """The pattern, ready to test; one that no engine takes comes back with the reason."""
    if len(source) > MAX_PATTERN:
        return Pattern(source, None, f"it is longer than {MAX_PATTERN} characters")
    try:
        return Pattern(source, _best_engine()(source))
    except (ValueError, Untranslatable) as error:
        return Pattern(source, None, str(error) or "it is not a valid expression")


def ecma(source: str) -> Engine:
    """The exact dialect. Raises ``ValueError`` for what is no expression."""
    import corvus_regex_ecma262 as package

    try:
        regex = package.compile(source, "u", timeout=TIME)
    except package.error:
        # Many servers write escapes that only the older grammar allows.
        regex = package.compile(source, "", timeout=TIME)

    def engine(text: str, seconds: float) -> Verdict:
        try:
            return _told(regex.test(text, timeout=seconds))
        except package.MatchLimitError:
            return Verdict.SLOW

    return engine


def linear(source: str) -> Engine:
    """RE2, fed with the translation. Raises ``ValueError`` or ``Untranslatable`` for what it cannot do."""
    import re2  # type: ignore[import-not-found,import-untyped,unused-ignore]  # optional, and it has no types

    options: Any = re2.Options()
    options.log_errors = False
    try:
        regex: Any = re2.compile(translated(source, r"\z").text, options)
    except re2.error:
        raise ValueError("RE2 cannot evaluate it") from None
    return lambda text, seconds: _told(regex.search(text) is not None)


def subset(source: str) -> Engine:
    """The part of the dialect whose cost is known before it runs. Raises ``Untranslatable`` for the rest."""
    import re

    translation = translated(source)
    if not translation.bounded:
        raise Untranslatable("it repeats what itself varies")
    regex = re.compile(translation.text)

    def engine(text: str, seconds: float) -> Verdict:
        if translation.cost(len(text)) > _STEPS:
            return Verdict.UNCHECKED
        return _told(regex.search(text) is not None)

    return engine


@lru_cache(maxsize=1)
def _best_engine() -> Callable[[str], Engine]:
    if _is_there("corvus_regex_ecma262"):
        return ecma
    return linear if _is_there("re2") else subset


def _is_there(package: str) -> bool:
    try:
        import_module(package)
    except ImportError:
        return False
    return True


#: Steps of ``re`` that take well under a tenth of a second.
_STEPS: Final = 1_000_000


def _told(found: bool) -> Verdict:
    return Verdict.MATCH if found else Verdict.NO_MATCH
