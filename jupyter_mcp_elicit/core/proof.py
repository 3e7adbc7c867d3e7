"""How a kernel proves who it is: an HMAC with the key that it already shares with its server.

The key is the one in the kernel's own connection file. It never travels; the proof binds
method, path, body, time and a nonce, so that it can be neither moved nor replayed.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass

SCHEME = "MCP-Elicit-Kernel"

#: Seconds that the two clocks may differ; both run on one machine.
WINDOW = 60.0

_FIELD = re.compile(r"[A-Za-z0-9_.-]{1,128}")


@dataclass(frozen=True, slots=True)
class Proof:
    """``timestamp`` is seconds since the epoch as text; ``signature`` a hex SHA-256 HMAC."""

    kernel_id: str
    timestamp: str
    nonce: str
    signature: str

    @classmethod
    def make(
        cls, key: bytes, kernel_id: str, *, method: str, path: str, body: bytes, timestamp: str, nonce: str
    ) -> Proof:
        """Sign one request. ``path`` is the path part of the URL, base URL included."""
        text = _text(kernel_id, method, path, body, timestamp, nonce)
        return cls(kernel_id, timestamp, nonce, hmac.new(key, text, hashlib.sha256).hexdigest())

    @classmethod
    def read(cls, header: str) -> Proof | None:
        """The proof in an ``Authorization`` header, or ``None`` when it holds none."""
        scheme, _, rest = header.partition(" ")
        parts = rest.split(":")
        if scheme != SCHEME or len(parts) != 4 or not all(_FIELD.fullmatch(part) for part in parts):
            return None
        return cls(*parts)

    @property
    def header(self) -> str:
        return f"{SCHEME} {self.kernel_id}:{self.timestamp}:{self.nonce}:{self.signature}"

    def fits(self, key: bytes, *, method: str, path: str, body: bytes) -> bool:
        """Whether ``key`` made this proof for exactly this request."""
        if not key:
            # Jupyter can run without keys; then anybody could make this proof.
            return False
        text = _text(self.kernel_id, method, path, body, self.timestamp, self.nonce)
        right = hmac.new(key, text, hashlib.sha256).hexdigest()
        return hmac.compare_digest(right, self.signature)


def _text(kernel_id: str, method: str, path: str, body: bytes, timestamp: str, nonce: str) -> bytes:
    parts = [SCHEME, method.upper(), path, kernel_id, timestamp, nonce, hashlib.sha256(body).hexdigest()]
    return "\n".join(parts).encode()
