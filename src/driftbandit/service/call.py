"""A request on its way through a handler."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from driftbandit.service.problems import Refusal

LONGEST_KEY = 200


class Call(NamedTuple):
    """What a handler sees: names in the path, the query, the body as its type, and as bytes."""

    names: dict[str, str]
    query: dict[str, str]
    body: Any
    raw: bytes
    idempotency: str

    def digest(self) -> str:
        """Return the hash of the body, by which the same request is known."""
        return hashlib.blake2b(self.raw, digest_size=16).hexdigest()


def idempotency_of(header: bytes | None) -> str:
    """Return the key of the header `Idempotency-Key`, empty if there is none.

    >>> idempotency_of(b"order-7")
    'order-7'
    """
    if header is None:
        return ""
    text = header.decode("latin-1")
    if not 0 < len(text) <= LONGEST_KEY or not text.isprintable():
        raise Refusal(
            422, "Idempotency-Key", f"Idempotency-Key must have 1 to {LONGEST_KEY} visible letters"
        )
    return text
