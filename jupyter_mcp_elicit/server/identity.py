"""Kernels prove who they are with the key they already share with the Jupyter server."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from ..core.errors import LocalError
from ..core.proof import WINDOW, Proof

#: Requests that can be remembered at once; with more of them, new ones are refused until the oldest expire.
_REMEMBERED = 100_000


class NotProven(LocalError):
    """The request does not come from a kernel of this server; the message says what is wrong."""


class KernelIdentity:
    """Checks proofs. ``key_of`` gives a running kernel's key, or ``None`` when there is no such kernel."""

    def __init__(self, key_of: Callable[[str], bytes | None], *, room: int = _REMEMBERED) -> None:
        self._key_of = key_of
        self._room = room
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
        # A clock that runs ahead makes a proof good for two windows.
        while self._seen and now - next(iter(self._seen.values())) > 2 * WINDOW:
            self._seen.popitem(last=False)
        if f"{proof.kernel_id}:{proof.nonce}" in self._seen:
            raise NotProven("This request was sent before; a proof is good for one request.")
        if len(self._seen) >= self._room:
            # To forget one that is still good would let it be sent again.
            raise NotProven(
                f"Kernels sent more than {self._room} requests in two minutes.", hint="Wait a little."
            )
        self._seen[f"{proof.kernel_id}:{proof.nonce}"] = now
