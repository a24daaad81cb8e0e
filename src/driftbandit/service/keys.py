"""Keys: who may do what. Only their hashes are stored."""

from __future__ import annotations

import functools
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import NamedTuple

from driftbandit.service import events
from driftbandit.service.events import Scope
from driftbandit.service.fold import Key
from driftbandit.service.problems import Refusal

BEARER = "Authorization"
"""The header of a key, after the word Bearer."""

ALL: tuple[Scope, ...] = ("decide", "reward", "read", "admin")


class Holder(NamedTuple):
    """Who asks: the id of a key, and how many items a second it may ask for."""

    id: str
    rate: float | None


def _hash(token: bytes) -> str:
    """Return the hash of a key; it has 256 random bits, so that a fast hash is enough."""
    return hashlib.sha256(token).hexdigest()


@functools.cache
def _place(header: str) -> tuple[bytes, bytes]:
    """Return the name of a header as it arrives, and what stands before the key in it."""
    return header.lower().encode(), b"Bearer " if header == BEARER else b""


def new_key(
    name: str, scopes: tuple[Scope, ...], rate: float | None = None
) -> tuple[str, events.KeyAdded]:
    """Return a key, which is shown once, and the event that makes it one.

    >>> token, event = new_key("web", ("decide",))
    >>> token.startswith(f"db_{event.id}_"), token in str(event)
    (True, False)
    """
    id = secrets.token_hex(4)
    token = f"db_{id}_{secrets.token_hex(32)}"
    return token, events.KeyAdded(id, name, scopes, _hash(token.encode()), rate)


def check(
    headers: Mapping[bytes, bytes], keys: Mapping[str, Key], scope: Scope, header: str = BEARER
) -> Holder:
    """Return who asks, if a header holds a key with this scope, or raise a `Refusal`."""
    name, prefix = _place(header)
    value = headers.get(name, b"")
    token = value[len(prefix) :]
    id = token[3:11].decode("latin-1")
    key = keys.get(id)
    same = hmac.compare_digest(_hash(token), key.digest if key else "0" * 64)
    if key is None or not same or value[: len(prefix)].lower() != prefix.lower():
        must = (
            f"{prefix.decode()!r} and a key of this service" if prefix else "a key of this service"
        )
        scheme = (prefix.decode() or header).strip()
        raise Refusal(401, header, f"{header} must be {must}", www_authenticate=scheme)
    if scope not in key.scopes and "admin" not in key.scopes:
        raise Refusal(403, header, f"the key must have the scope {scope!r}, has {list(key.scopes)}")
    return Holder(id, key.rate)
