"""Which reward a decision gets, and when: the settlement table, without any policy."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec

from driftbandit.service.events import Combine


class Pending(msgspec.Struct):
    """A decision that is not settled yet.

    `shown`: it counts, since it was not deferred, or was activated. `known`: the agent of now has
    it, and not one of an earlier policy. `u` is the uniform number that the policy drew by;
    `counted` is when it was counted as a decision.
    """

    arm: str
    probability: float
    at: float
    due: float
    shown: bool
    known: bool = False
    reward: float | None = None
    u: float = 0.0
    counted: float = 0.0


class Ledger:
    """The decisions that await their settlement, in log order.

    >>> ledger = Ledger()
    >>> ledger.await_reward("a", Pending("red", 0.5, at=0.0, due=60.0, shown=True))
    >>> ledger.add("a", 1.0, "sum", most=1.0), ledger.due(59.0), ledger.due(60.0)
    (False, [], ['a'])
    >>> ledger.settle("a").reward
    1.0
    """

    def __init__(self) -> None:
        self.pending: dict[str, Pending] = {}

    def await_reward(self, id: str, pending: Pending) -> None:
        """Begin to wait for the reward of a decision."""
        self.pending[id] = pending

    def add(self, id: str, reward: float, combine: Combine, most: float) -> bool:
        """Add a reward to what a decision has; return whether that settles it.

        A sum stays at `most` once it gets there.
        """
        pending = self.pending[id]
        total = reward + (pending.reward or 0.0) if combine == "sum" else reward
        pending.reward = min(total, most)
        return combine == "first"

    def settle(self, id: str) -> Pending:
        """Return a decision with the reward that it has, and wait no longer."""
        return self.pending.pop(id)

    def due(self, now: float, limit: int = 1_000) -> list[str]:
        """Return decisions whose time for rewards is over, the oldest first.

        None is before an older one, even where the time for rewards has been shortened since.
        """
        due = itertools.takewhile(lambda item: item[1].due <= now, self.pending.items())
        return [id for id, _ in itertools.islice(due, limit)]

    def dump(self) -> list[Any]:
        """Return all as plain data."""
        return [[id, *msgspec.structs.astuple(pending)] for id, pending in self.pending.items()]

    @classmethod
    def load(cls, rows: list[Any]) -> Ledger:
        """Return the ledger of plain data."""
        ledger = cls()
        for id, *fields in rows:
            ledger.await_reward(id, Pending(*fields))
        return ledger
