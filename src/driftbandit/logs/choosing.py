"""How a policy that learns chooses in a replay: by itself, or in machine code for a long log."""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Iterator
from typing import Protocol

import numpy as np

from driftbandit.logs.streams import generator
from driftbandit.policies.index.live.choose import IndexLearner
from driftbandit.policies.learner import Learner
from driftbandit.rules.detect import Never
from driftbandit.rules.force import Unforced

LONG = 400_000
"""Rows from which on machine code is used: compiling it takes a few seconds, once per machine."""

AHEAD = 2**14
"""Random numbers that are drawn at once."""


class Chooser(Protocol):
    """Chooses the arms of a learner."""

    def choose(self) -> int:
        """Return the arm to play."""

    def draw(self) -> float:
        """Return the next random number."""


def chooser_of(learner: Learner, rows: int, seed: int) -> Chooser:
    """Return what chooses in a log of so many rows: the same arms either way."""
    rng = generator(seed, "choices")
    if rows >= LONG and isinstance(learner, IndexLearner) and is_costly(learner):
        return Compiled(learner, rng)
    return Plain(learner, rng)


def is_costly(learner: IndexLearner) -> bool:
    """Return whether indices take most of the time of a choice, and nothing else decides it.

    >>> import driftbandit as db
    >>> [is_costly(policy.learner(3)) for policy in (db.UCB1(), db.Thompson())]
    [False, True]
    """
    policy, explore = learner.policy, learner.policy.explore
    alone = policy.detect == Never() and policy.force == Unforced()
    return alone and explore.index is not None and explore.trusted and not explore.variance


class Plain:
    """A learner chooses by itself."""

    def __init__(self, learner: Learner, rng: np.random.Generator) -> None:
        self._choose = learner.choose
        self._draw = itertools.chain.from_iterable(_lists(rng)).__next__

    def choose(self) -> int:
        """Return the arm to play."""
        return self._choose(self._draw)

    def draw(self) -> float:
        """Return the next random number."""
        return self._draw()


class Compiled:
    """Machine code chooses, from the same numbers in the same order."""

    def __init__(self, learner: IndexLearner, rng: np.random.Generator) -> None:
        from driftbandit.engine.choice import largest_of  # noqa: PLC0415  # it loads the compiler

        explore, arms = learner.policy.explore, len(learner.counts)
        assert explore.index is not None
        self._learner, self._arms, self._rng = learner, arms, rng
        self._drawn, self._place, self._numbers = np.empty(0), 0, arms * explore.noise
        self._memory = array("d", bytes(8 * (2 * arms + 2)))
        self._row, self._arguments = np.frombuffer(self._memory), explore.arguments(arms)
        self._largest = largest_of(
            explore.index, explore.noise, explore.prior, len(self._arguments)
        )

    def choose(self) -> int:
        """Return the arm to play."""
        learner, memory, arms = self._learner, self._memory, self._arms
        if learner.untried:
            return learner.untried[0]
        place = self._next(self._numbers)
        memory[:arms], memory[arms:-2] = array("d", learner.means), array("d", learner.counts)
        memory[-2], memory[-1] = learner.weight, learner.clock
        arm: int = self._largest(self._row, self._drawn, place, self._arguments)
        return arm

    def draw(self) -> float:
        """Return the next random number."""
        place = self._next(1)
        return float(self._drawn[place])

    def _next(self, numbers: int) -> int:
        """Return the place of the next numbers, so many of them."""
        place, self._place = self._place, self._place + numbers
        if self._place > len(self._drawn):
            rest = self._drawn[place:]
            self._drawn = np.concatenate([rest, self._rng.random(max(AHEAD, numbers))])
            place, self._place = 0, numbers
        return place


def _lists(rng: np.random.Generator) -> Iterator[list[float]]:
    while True:
        yield rng.random(AHEAD).tolist()
