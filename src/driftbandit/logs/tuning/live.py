"""What policies earn live: in worlds that the log leaves possible, at full traffic."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from driftbandit.core.statistics import student_quantile
from driftbandit.engine.simulate import simulate
from driftbandit.logs.rows import Floats
from driftbandit.logs.tuning.result import Worth
from driftbandit.logs.world import FittedWorld
from driftbandit.policies.strategy import Strategy

WORLDS, LEAST_WORLDS = 40, 10
"""Worlds in which policies play, and how many a long log has at least."""

ROUNDS = 8_000_000
"""Rounds per policy in all worlds together, beyond which there are fewer worlds."""

MOST_RUNS = 8


def played(
    policies: Sequence[Strategy], world: FittedWorld, seed: int, advance: Callable[[int, int], None]
) -> Floats:
    """Return the mean reward per decision of each policy, (worlds, policies).

    All policies meet the same luck in a world.
    """
    worlds = int(np.clip(ROUNDS // world.size, LEAST_WORLDS, WORLDS))
    runs = int(np.clip(ROUNDS // (world.size * worlds), 1, MOST_RUNS))
    earned = np.empty((worlds, len(policies)))
    for place in range(worlds):
        environment = world.environment_of(world.draws[place])
        best = float(environment.mean_rewards(1, world.size).max(axis=1).mean())
        result = simulate(
            policies, environment, world.size, runs, seed=seed * WORLDS + place, checkpoints=1
        )
        regrets = [result[policy.label].final_regret.mean() for policy in policies]
        earned[place] = best - np.array(regrets) / world.size
        advance(place + 1, worlds)
    return earned


def worth(values: Floats, level: float) -> Worth:
    """Return the mean over worlds, and where the one that made the log lies, at this level.

    The interval is Student's of one more world: each of them might be the one.
    """
    middle, worlds = float(values.mean()), len(values)
    spread = float(values.std(ddof=1)) * float(np.sqrt(1.0 + 1.0 / worlds))
    half = student_quantile(level, worlds - 1) * spread
    return Worth(middle, middle - half, middle + half)


def behind(earned: Floats, best: int, level: float) -> list[Worth]:
    """Return how much less than the best each earns; all intervals hold at once (Bonferroni)."""
    others = max(earned.shape[1] - 1, 1)
    joint = 1.0 - (1.0 - level) / others
    return [worth(earned[:, best] - earned[:, place], joint) for place in range(earned.shape[1])]
