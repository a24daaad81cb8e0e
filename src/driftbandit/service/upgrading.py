"""A log of an older version goes on in this one: what has happened is folded anew."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import msgspec

from driftbandit.core.errors import InputError
from driftbandit.service.events import VERSION, Began, Row
from driftbandit.service.fold import Fold
from driftbandit.service.store.batch import Entry
from driftbandit.service.store.protocol import Store


class Upgrade(msgspec.Struct, frozen=True):
    """What an upgrade did: a log of `before` has gone on from `position` in this version."""

    before: int
    version: int
    events: int
    position: int
    seconds: float


def version_of(store: Store) -> int | None:
    """Return the version of a log, None if it is empty."""
    began = store.began()
    if not began:
        return None
    event = store.read(began - 1, 1)[0].event
    assert isinstance(event, Began)
    return event.version


def require_version(store: Store) -> None:
    """Raise unless a log is empty or of this version."""
    version = version_of(store)
    if version in (None, VERSION):
        return
    older = version is not None and version < VERSION
    advice = (
        "back it up, and run `driftbandit serve upgrade`"
        if older
        else "a newer driftbandit has written it"
    )
    raise InputError(f"store must have a log of version {VERSION}, got {version}: {advice}")


def upgrade(store: Store) -> Upgrade:
    """Let a log of an older version begin anew, with the state that its events make here.

    All events are folded by the rules of this version, from the first on. The state stands in the
    new beginning. What was logged stays as it is.
    """
    started, before = time.perf_counter(), version_of(store)
    if before is None or before >= VERSION:
        require_version(store)  # one of a newer version is refused
        return Upgrade(VERSION, VERSION, 0, 0, 0.0)
    fold = Fold()
    fold.extend(_all(store))
    state: dict[str, Any] = fold.state()
    outcome = store.append([Entry("", Began(VERSION, state), fold.position)])[0][0]
    if not isinstance(outcome, Row):
        raise InputError("store must not be in use by another process")
    seconds = time.perf_counter() - started
    return Upgrade(before, VERSION, fold.position, outcome.position, seconds)


def _all(store: Store) -> Iterator[Row]:
    """Yield the whole log; that another version has begun in it makes no state."""
    after = 0
    while rows := store.read(after):
        for row in rows:
            begins = isinstance(row.event, Began)
            yield row._replace(event=Began(VERSION)) if begins else row
        after = rows[-1].position
