"""What policies earn in the fitted world, at full traffic."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from driftbandit.core.statistics import student_quantile
from driftbandit.engine.simulate import simulate
from driftbandit.logs.estimates import WORLD
from driftbandit.logs.estimates.sums import Gathered
from driftbandit.logs.evidence import Evidence
from driftbandit.logs.players import LOGGED, Replayed, Shares
from driftbandit.logs.rows import Floats
from driftbandit.logs.values import FULL, PERIOD, Value
from driftbandit.logs.world import RESTRICTED, FittedWorld, fitted_world

WORLDS = 40
"""Worlds, drawn from what the log leaves possible, in which policies that learn play."""

ROUNDS = 4_000_000
"""Rounds per policy and world, at most; a world has one run at least."""


def played_in_world(
    results: Sequence[Gathered],
    reasons: Sequence[str | None],
    evidence: Evidence,
    level: float,
    seed: int,
) -> list[Value]:
    """Return the value of every policy in the fitted world, with the spread over possible worlds.

    Each world is one that the log leaves possible (`FittedWorld.draws`), 40 of them for policies
    that learn: the interval is Student's of the values in them, so it holds the uncertainty of the
    world and the luck of the runs. Policies that learn meet every round of the log: this is their
    value at full traffic.
    """
    world = fitted_world(evidence, seed)
    rows = []
    against = [
        reason or _reason(each, world) for each, reason in zip(results, reasons, strict=True)
    ]
    learning = [
        result.player
        for result, reason in zip(results, against, strict=True)
        if reason is None and isinstance(result.player, Replayed)
    ]
    earned = _earned(learning, world, seed)
    for result, reason in zip(results, against, strict=True):
        player, label = result.player, result.player.label
        if reason is not None:
            values = np.full(2, math.nan)
        elif isinstance(player, Shares):
            values = _fixed(player, world)
        elif isinstance(player, Replayed):
            values = earned[label]
        else:
            counts = world.tally.counts
            values = (world.draws * counts).sum(axis=(1, 2)) / counts.sum()
        middle = float(values.mean())
        half = student_quantile(level, len(values) - 1) * float(values.std(ddof=1))
        low, high = max(middle - half, 0.0), min(middle + half, evidence.bound)
        if math.isnan(middle):
            low = high = math.nan
        rows.append(
            Value(
                label,
                WORLD,
                FULL if player.learns else PERIOD,
                middle,
                low,
                high,
                result.overview.effective,
                result.overview.accepted / evidence.size,
                reason or "",
            )
        )
    return rows


def _reason(result: Gathered, world: FittedWorld) -> str | None:
    """Return why the world says nothing of a policy, or None."""
    if not world.restricted or result.player.label == LOGGED:
        return None
    return f"cannot tell: {RESTRICTED[0].lower()}{RESTRICTED[1:]}"


def _fixed(player: Shares, world: FittedWorld) -> Floats:
    """Return what fixed shares earn in each world: windows have equally many rows."""
    rows = world.tally.counts.sum(axis=1)
    known = np.where(np.isnan(world.draws), 0.0, world.draws)
    values: Floats = (known @ player.shares) @ rows / rows.sum()
    return values


def _earned(players: Sequence[Replayed], world: FittedWorld, seed: int) -> dict[str, Floats]:
    """Return what policies that learn earn per round in each world."""
    earned: dict[str, list[float]] = {player.label: [] for player in players}
    runs = max(min(ROUNDS // world.size, 10), 1)
    if not players:
        return {}
    for place in range(WORLDS):
        environment = world.environment_of(world.draws[place])
        best = float(environment.mean_rewards(1, world.size).max(axis=1).mean())
        result = simulate(
            [player.policy for player in players], environment, world.size, runs,
            seed=seed * WORLDS + place, checkpoints=1,
        )  # fmt: skip
        for label, rewards in earned.items():
            regret = float(result[label].final_regret.mean())
            rewards.append(best - regret / world.size)
    return {label: np.array(rewards) for label, rewards in earned.items()}
