"""The rows on record: a policy in a world, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import driftbandit as db
from fingerprint.linear_worlds import (
    CUBE_WORLDS,
    LINEAR,
    LINEAR_COMPOSED,
    LINEAR_WORLDS,
    AnyWorld,
)
from fingerprint.policies import COMPOSED, PRESETS, WITH_200_ARMS, WITH_BOUND_2
from fingerprint.worlds import (
    BOUND_2_WORLDS,
    COMPOSED_WORLDS,
    OTHER_WORLDS,
    ROUNDS,
    WORLDS,
)

RUNS = 64
SEED = 2008

QUICK_WORLDS = ("Brownian, 3 arms, exact", "piecewise, ball, Gaussian")
"""The worlds of the quick tests, for policies that have a name."""

SHORTER = {("meta", 200): (8, 500)}
"""Runs and rounds where the usual ones take too long, by policy and number of arms.

META keeps and adds up numbers for all pairs of arms: with 200 of them a round costs a million
additions, and all 64 runs of 2,000 rounds would take several minutes a row.
"""


@dataclass(frozen=True)
class Row:
    """A policy in a world, and how much of it is played."""

    policy: str
    strategy: db.Strategy
    place: str
    world: AnyWorld
    runs: int
    rounds: int
    quick: bool

    @property
    def name(self) -> str:
        """The name of policy and world."""
        return f"{self.policy} / {self.place}"


def rows_of(
    policies: Mapping[str, db.Strategy],
    worlds: Mapping[str, AnyWorld],
    named: bool = False,
) -> Iterator[Row]:
    """Yield every policy in every world; those `named` play one of them in the quick tests."""
    for policy, usual in policies.items():
        for place, world in worlds.items():
            strategy = WITH_200_ARMS.get(policy, usual) if world.arms == 200 else usual
            runs, rounds = SHORTER.get((policy, world.arms), (RUNS, ROUNDS))
            quick = named and place in QUICK_WORLDS
            yield Row(policy, strategy, place, world, runs, rounds, quick)


ROWS = (
    *rows_of(PRESETS, WORLDS, named=True),
    *rows_of({"ucb-1": PRESETS["ucb-1"]}, OTHER_WORLDS),
    *rows_of(COMPOSED, COMPOSED_WORLDS),
    *rows_of(WITH_BOUND_2, BOUND_2_WORLDS),
    *rows_of(LINEAR, LINEAR_WORLDS, named=True),
    *rows_of(LINEAR_COMPOSED, {**LINEAR_WORLDS, **CUBE_WORLDS}),
)
"""All rows; those of one policy may come from several tables."""


def rows_by_policy(rows: tuple[Row, ...] = ROWS) -> dict[str, list[Row]]:
    """Return the rows of each policy."""
    table: dict[str, list[Row]] = {}
    for row in rows:
        table.setdefault(row.policy, []).append(row)
    return table
