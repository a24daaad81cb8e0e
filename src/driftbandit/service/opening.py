"""A store from its address, and the first events of an empty one."""

from __future__ import annotations

from driftbandit.service.events import VERSION, Began
from driftbandit.service.keys import ALL, new_key
from driftbandit.service.settings import Settings
from driftbandit.service.store.batch import Claim, Entry
from driftbandit.service.store.protocol import Store
from driftbandit.service.store.sqlite import SqliteStore


def open_store(settings: Settings, *, write: bool = True) -> Store:
    """Open the store of the settings."""
    return SqliteStore(settings.store, write=write)


def begin(store: Store) -> str | None:
    """Begin an empty log; return its first key, or None if the log has begun before.

    Both events have keys, so that of several processes one begins it.
    """
    if store.began():
        return None
    token, event = new_key("first", ALL)
    began = Entry("", Began(VERSION), None, (Claim("began"),))
    first = Entry("", event, None, (Claim("first key"),))
    outcomes, _ = store.append([began, first])
    return token if getattr(outcomes[1], "event", None) is event else None
