"""Keys: who may do what. Only their hashes are stored."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping

from driftbandit.service import events
from driftbandit.service.events import Scope
from driftbandit.service.fold import Key
from driftbandit.service.problems import Refusal

ALL: tuple[Scope, ...] = ("decide", "reward", "read", "admin")


def digest_of(token: str) -> str:
    """Return the hash of a key; it has 256 random bits, so that a fast hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_key(name: str, scopes: tuple[Scope, ...]) -> tuple[str, events.KeyAdded]:
    """Return a key, which is shown once, and the event that makes it one.

    >>> token, event = new_key("web", ("decide",))
    >>> token.startswith(f"db_{event.id}_"), token in str(event)
    (True, False)
    """
    id = secrets.token_hex(4)
    token = f"db_{id}_{secrets.token_hex(32)}"
    return token, events.KeyAdded(id, name, scopes, digest_of(token))


def check(header: bytes | None, keys: Mapping[str, Key], scope: Scope) -> None:
    """Raise a `Refusal` unless the header `Authorization` holds a key with this scope."""
    must = "Authorization must be 'Bearer ' and a key of this service"
    token = (header or b"").decode("latin-1")
    if not token.startswith("Bearer db_"):
        raise Refusal(401, "Authorization", must)
    token = token.removeprefix("Bearer ")
    key = keys.get(token[3:11])
    digest = digest_of(token)
    if not hmac.compare_digest(digest, key.digest if key else "0" * 64) or key is None:
        raise Refusal(401, "Authorization", must)
    if scope not in key.scopes and "admin" not in key.scopes:
        raise Refusal(
            403, "Authorization", f"the key must have the scope {scope!r}, has {list(key.scopes)}"
        )
