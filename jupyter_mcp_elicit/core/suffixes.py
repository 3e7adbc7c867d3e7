"""The part of a host name that somebody registered, by a list that comes with its package."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from .hosts import address, without_dot

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList


def registrable(host: str) -> str:
    """The registrable domain, else the whole host.

    Hosting services count as suffixes: ``evil.github.io`` is a domain of its own, not GitHub's.
    """
    if address(host) is not None:
        return host
    name = without_dot(host)
    return _suffixes().privatesuffix(name) or name


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    # Read on first need: it takes a seventh of a second.
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(only_icann=False)
