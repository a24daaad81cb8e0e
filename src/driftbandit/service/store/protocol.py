"""What the service needs of a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from driftbandit.service.events import Row, decode
from driftbandit.service.store.batch import Entry, Outcome, Taken

KEPT = 10
"""Snapshots beside the log."""


class StoreError(RuntimeError):
    """A store could not do it: its disk is full, or it does not answer. It may later."""


def row_of(values: Sequence[Any]) -> Row:
    """Return a row of the table of events; raise `StoreError` if it is damaged.

    >>> row_of((7, 0.5, "home", b'{"kind":"Closed","id":"a"}')).event
    Closed(id='a')
    """
    position, at, experiment, payload = values
    try:
        return Row(position, at, experiment, decode(payload))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StoreError(f"the event at {position} is damaged: {error}") from None


class Snapshot(NamedTuple):
    """A state of the fold, its position, the version that made it, and its hash: a cache."""

    position: int
    version: int
    digest: str
    payload: bytes


class Store(Protocol):
    """An ordered log with unique keys. One thread at a time uses a store."""

    shared: bool
    """Whether other processes may append, too."""

    def append(self, entries: Sequence[Entry]) -> tuple[list[Outcome], int]:
        """Make a batch durable, all of it or none; return the outcomes and the log's end.

        Positions have no gaps and are in the order of commits. Raise `StoreError` if it fails.
        """

    def read(self, after: int, limit: int = 10_000, experiment: str | None = None) -> list[Row]:
        """Return the rows that follow a position, those of one experiment if it is named."""

    def find(self, keys: Sequence[str]) -> dict[str, Taken]:
        """Return who has these keys; a free one is missing."""

    def began(self) -> int:
        """Return the position at which the fold begins, 0 if the log is empty."""

    def save(self, snapshot: Snapshot) -> str:
        """Keep a snapshot beside the log, and drop some old ones; return the hash that is there.

        Another process may have kept one of this position and version: that one stays.
        """

    def snapshots(self) -> list[tuple[int, int, str]]:
        """Return position, version and hash of the snapshots, the oldest first."""

    def snapshot(self, at_most: int | None = None) -> Snapshot | None:
        """Return the last snapshot, or the last one up to a position."""

    def reader(self) -> Store:
        """Return the same store for another thread, to read only."""

    def wait(self, seconds: float) -> int:
        """Wait until somebody appends, but no longer than this.

        Return the position up to which somebody has, or 0 if that is not known.
        """

    def close(self) -> None:
        """Let go of the store."""
