"""A request on its way through a handler."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from driftbandit.core.errors import shown
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
    name, text = "Idempotency-Key", header.decode("latin-1")
    if not 0 < len(text) <= LONGEST_KEY or not text.isprintable():
        allowed = f"{name} must have 1 to {LONGEST_KEY} visible letters"
        raise Refusal(422, name, f"{allowed}, got {shown(text)}")
    return text


def query_of(query: bytes, allowed: Collection[str] = ()) -> dict[str, str]:
    """Return the parameters of a query, each of them allowed and there once.

    >>> query_of(b"format=csv", ["format", "rows"])
    {'format': 'csv'}
    """
    if not query:
        return {}
    pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    parameters = dict(pairs)
    for name in parameters:
        if name not in allowed:
            must = f"be one of {', '.join(allowed)}" if allowed else "not be there"
            message = f"a query parameter must {must}, got {shown(name)}"
            raise Refusal(422, name[:LONGEST_KEY], message)
    if len(parameters) < len(pairs):
        raise Refusal(422, "query", f"query must have each parameter once, got {shown(pairs)}")
    return parameters
