"""Kernels prove who they are with the key they already share with the Jupyter server."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from ..core.errors import LocalError
from ..core.proof import WINDOW, Proof

#: More proofs than this within the window, and the oldest nonces are forgotten with their proofs refused.
_NONCES = 100_000


class NotProven(LocalError):
    """The request does not come from a kernel of this server; the message says what is wrong."""


class KernelIdentity:
    """Checks proofs. ``key_of`` gives a running kernel's key, or ``None`` when there is no such kernel."""

    def __init__(self, key_of: Callable[[str], bytes | None]) -> None:
        self._key_of = key_of
        self._seen: OrderedDict[str, float] = OrderedDict()

    def check(self, header: str, *, method: str, path: str, body: bytes) -> str:
        """The id of the kernel that signed this request; raises :class:`NotProven`."""
        proof = Proof.read(header)
        if proof is None:
            raise NotProven("The kernel's proof cannot be read.")
        key = self._key_of(proof.kernel_id)
        if not key or not proof.fits(key, method=method, path=path, body=body):
            raise NotProven(
                "This kernel is not one that this Jupyter server started.",
                hint="Run the notebook on this server, or give connect() a URL or a command "
                "so that the connection lives in the kernel.",
            )
        self._once(proof)
        return proof.kernel_id

    def _once(self, proof: Proof) -> None:
        now = time.time()
        try:
            age = abs(now - float(proof.timestamp))
        except ValueError:
            age = WINDOW * 2
        if not age <= WINDOW:
            raise NotProven(
                f"The kernel's clock and the Jupyter server's differ by more than {WINDOW:.0f} seconds.",
                hint="Set the clocks right.",
            )
        for nonce, seen in list(self._seen.items()):
            if now - seen <= 2 * WINDOW and len(self._seen) < _NONCES:
                break
            del self._seen[nonce]
        if f"{proof.kernel_id}:{proof.nonce}" in self._seen:
            raise NotProven("This request was sent before; a proof is good for one request.")
        self._seen[f"{proof.kernel_id}:{proof.nonce}"] = now
