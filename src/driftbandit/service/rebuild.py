"""The fold made anew from the log: to start, to check, and to look back."""

from __future__ import annotations

import logging
import time
from typing import Any

import msgspec

from driftbandit.service.events import VERSION
from driftbandit.service.fold import Fold, digest_of, encoded
from driftbandit.service.store.protocol import Snapshot, Store

LOG = logging.getLogger("driftbandit")


def load(store: Store, until: int | None = None) -> Fold:
    """Return the fold of a log up to a position, by default its end.

    It starts from the last snapshot that is not damaged and of this version.
    """
    fold = _restored(store.snapshot(until))
    if fold is None:
        fold = Fold()
        fold.position = max(store.began() - 1, 0)
    return _continued(fold, store, until)


def _restored(snapshot: Snapshot | None) -> Fold | None:
    """Return the fold of a snapshot, or None if it is not to be used."""
    if snapshot is None or snapshot.version != VERSION:
        return None
    if digest_of(snapshot.payload) != snapshot.digest:
        LOG.warning("the snapshot at %d is damaged and left aside", snapshot.position)
        return None
    return Fold.restore(msgspec.json.decode(snapshot.payload))


def _continued(fold: Fold, store: Store, until: int | None) -> Fold:
    """Fold the rows that follow, up to a position."""
    while rows := store.read(fold.position):
        if until is not None and rows[-1].position >= until:
            fold.extend(row for row in rows if row.position <= until)
            break
        fold.extend(rows)
    return fold


class Check(msgspec.Struct, frozen=True):
    """What a rebuild found."""

    events: int
    digest: str
    snapshots: int
    wrong: list[int]
    seconds: float


def rebuild(store: Store) -> Check:
    """Fold a log from where it begins, and compare with the hash of every snapshot on the way."""
    began, started = store.began(), time.perf_counter()
    fold, wrong, compared, here, own = Fold(), list[int](), 0, -1, ""
    fold.position = first = max(began - 1, 0)
    for position, version, digest in store.snapshots():
        if version != VERSION or position < began:
            continue
        _continued(fold, store, position)
        compared, here, own = compared + 1, position, fold.digest()
        if own != digest:
            wrong.append(position)
    _continued(fold, store, None)
    own = own if fold.position == here else fold.digest()
    seconds = time.perf_counter() - started
    return Check(fold.position - first, own, compared, wrong, seconds)


def saved(fold: Fold) -> Snapshot:
    """Return the snapshot of a fold."""
    state: dict[str, Any] = fold.state()
    payload = encoded(state)
    return Snapshot(fold.position, VERSION, digest_of(payload), payload)
