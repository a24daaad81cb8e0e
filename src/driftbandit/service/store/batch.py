"""What becomes of a batch: the rules of the log, the same in every store.

A store holds its lock, or is alone, from the reading of `Head` until the commit. So what is decided
here holds when the batch is durable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from driftbandit.service.events import BARRIERS, AnyEvent, Began, Row


class Claim(NamedTuple):
    """A unique key, and the hash of the request that claims it.

    A `fresh` key was drawn at random just now: nobody has it, and nobody looks.
    """

    key: str
    digest: str = ""
    fresh: bool = False


class Entry(NamedTuple):
    """An event that wants to be appended.

    - `drawn_at`: refused if a barrier of the experiment came after this position; a `Began`, which
      carries the state there, if anything did.
    - `claims`: refused if one of these keys is taken; else they are.
    - `unless`: refused if one of these keys is taken.
    """

    experiment: str
    event: AnyEvent
    drawn_at: int | None = None
    claims: tuple[Claim, ...] = ()
    unless: tuple[str, ...] = ()


class Taken(NamedTuple):
    """An entry came second: the key, the row of the one that has it, and the hash of its claim."""

    key: str
    row: Row
    digest: str


class Outdated(NamedTuple):
    """An entry was drawn before the barrier at this position."""

    barrier: int


Outcome = Row | Taken | Outdated
"""A row: the entry is in the log."""


class Head(msgspec.Struct):
    """The end of a log: position and time, and the last barrier of each experiment."""

    position: int
    at: float
    barriers: dict[str, int]


class Batch:
    """Entries on their way into the log."""

    def __init__(self, head: Head, owners: Mapping[str, Taken], clock: float) -> None:
        self.position, self.at = head.position, max(head.at, clock)
        self.head, self.owners = head, dict(owners)
        self.rows: list[Row] = []
        self.claimed: list[tuple[str, int, str]] = []
        self.barriers: dict[str, int] = {}

    def outcomes(self, entries: Sequence[Entry]) -> list[Outcome]:
        """Return what becomes of each entry, in order."""
        return [self._outcome(entry) for entry in entries]

    def _outcome(self, entry: Entry) -> Outcome:
        for claim in entry.claims:
            if claim.key in self.owners:
                return self.owners[claim.key]
        for key in entry.unless:
            if key in self.owners:
                return self.owners[key]
        barrier = self._barrier_of(entry)
        if entry.drawn_at is not None and barrier > entry.drawn_at:
            return Outdated(barrier)
        self.position += 1
        row = Row(self.position, self.at, entry.experiment, entry.event)
        self.rows.append(row)
        for key, digest, _ in entry.claims:
            self.owners[key] = Taken(key, row, digest)
            self.claimed.append((key, self.position, digest))
        if isinstance(entry.event, BARRIERS):
            self.barriers[entry.experiment] = row.position
        return row

    def _barrier_of(self, entry: Entry) -> int:
        """Return from where on an entry must be drawn: whatever comes changes a whole state."""
        if isinstance(entry.event, Began):
            return self.position
        return max(self._barrier(entry.experiment), self._barrier(""))

    def _barrier(self, experiment: str) -> int:
        return self.barriers.get(experiment, self.head.barriers.get(experiment, 0))


def keys_of(entries: Sequence[Entry]) -> list[str]:
    """Return the keys that a store must look up for a batch."""
    keys = {claim.key for entry in entries for claim in entry.claims if not claim.fresh}
    keys.update(key for entry in entries for key in entry.unless)
    return list(keys)
