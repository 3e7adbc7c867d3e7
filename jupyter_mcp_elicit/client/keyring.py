"""The system's keyring, where there is one that keeps a secret."""

from __future__ import annotations

import importlib
import logging
from typing import Any, Protocol

log = logging.getLogger(__name__)

SERVICE = "jupyter_mcp_elicit"

#: Backends that keep nothing, or keep it for everybody to read.
_UNFIT = ("keyring.backends.fail", "keyring.backends.null", "keyrings.alt.")


class Keyring(Protocol):
    """Texts by name. Nothing raises: a keyring that is locked has nothing and takes nothing."""

    def read(self, name: str) -> str: ...

    def write(self, name: str, text: str) -> bool:
        """Whether it was kept."""

    def forget(self, name: str) -> None: ...


class SystemKeyring:
    """A backend of the package ``keyring``."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend

    def read(self, name: str) -> str:
        try:
            return str(self._backend.get_password(SERVICE, name) or "")
        except Exception as error:
            log.warning("The keyring cannot be read (%s)", type(error).__name__)
            return ""

    def write(self, name: str, text: str) -> bool:
        try:
            self._backend.set_password(SERVICE, name, text)
        except Exception as error:
            # Locked, or too small for it: its error may hold the text itself.
            log.warning("The keyring does not take a sign-in (%s)", type(error).__name__)
            return False
        return True

    def forget(self, name: str) -> None:
        try:
            self._backend.delete_password(SERVICE, name)
        except Exception as error:
            log.warning("The keyring does not forget a sign-in (%s)", type(error).__name__)


def system_keyring() -> Keyring | None:
    """The best one of this system; ``None`` where ``keyring`` is not installed or finds none that is fit."""
    try:
        chosen: Any = importlib.import_module("keyring").get_keyring()
    except Exception:
        return None
    # The usual choice is a chain, and its members are what counts.
    for backend in [*getattr(chosen, "backends", ()), chosen]:
        if _is_fit(backend):
            return SystemKeyring(backend)
    return None


def _is_fit(backend: Any) -> bool:
    module = type(backend).__module__
    if module == "keyring.backends.chainer" or f"{module}.".startswith(_UNFIT):
        return False
    try:
        return float(backend.priority) >= 1
    except Exception:
        return False
