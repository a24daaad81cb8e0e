"""A store from its address, and the first events of an empty one."""

from __future__ import annotations

import importlib.util
import sys

from driftbandit.core.errors import InputError
from driftbandit.service.events import VERSION, Began
from driftbandit.service.keys import ALL, new_key
from driftbandit.service.settings import Settings
from driftbandit.service.store.batch import Claim, Entry
from driftbandit.service.store.protocol import Store
from driftbandit.service.store.sqlite import SqliteStore
from driftbandit.service.upgrading import require_version

PSYCOPG = "psycopg[binary]>=3.2"
"""The extra `postgres`."""


def open_store(settings: Settings, *, write: bool = True) -> Store:
    """Open the store of the settings."""
    if not settings.postgres:
        return SqliteStore(settings.store, write=write)
    if importlib.util.find_spec("psycopg") is None:
        raise InputError(f"PostgreSQL needs psycopg: {sys.executable} -m pip install '{PSYCOPG}'")
    from driftbandit.service.store.postgres import PostgresStore  # noqa: PLC0415  # an extra

    return PostgresStore(settings.store, write=write)


def begin(store: Store) -> str | None:
    """Begin an empty log; return its first key, or None if the log has begun before.

    Both events have keys, so that of several processes one begins it. Raise if the log is of
    another version.
    """
    if store.began():
        require_version(store)
        return None
    token, event = new_key("first", ALL)
    began = Entry("", Began(VERSION), None, (Claim("began"),))
    first = Entry("", event, None, (Claim("first key"),))
    outcomes, _ = store.append([began, first])
    return token if getattr(outcomes[1], "event", None) is event else None
