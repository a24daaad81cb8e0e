"""What several tests share: worlds, policies, and how often intervals cover."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

import driftbandit as db
from driftbandit.core import random
from driftbandit.core.statistics import bounds

RULE = """
import dataclasses
import constants
import driftbandit as db

@db.compilable
def helper(mean):
    return mean * {sign} * constants.SIGN

@dataclasses.dataclass(frozen=True)
class Greedy(db.Explore):
    slope: float = 1.0

    @staticmethod
    def index(mean, count, clock, slope):
        return slope * helper(mean)
"""
"""A rule in a file of its own, with a helper and a constant of another file."""


def rewards_world(rewards: Sequence[Sequence[float]], bound: float = 1.0) -> db.environments.World:
    """A world whose rewards are exactly this table, one row per round."""
    return db.environments.Table(rewards, law=db.environments.laws.Exact(), bound=bound)


def compiled_arms(
    policy: db.Strategy, rewards: Sequence[Sequence[float]], bound: float = 1.0, seed: int = 0
) -> list[int]:
    """The arms the compiled engine plays on a table of rewards."""
    arms = db.trace(policy, rewards_world(rewards, bound), horizon=len(rewards), seed=seed)
    return [int(arm) for arm in arms[:, 0]]


def live_arms(policy: db.Strategy, rewards: Sequence[Sequence[float]], seed: int = 0) -> list[int]:
    """The arms the live learner plays on a table of rewards, with the engine's own draws."""
    stream = random.streams(seed, random.POLICY, 0, 1)[:, 0].copy()
    play = policy.learner(len(rewards[0]))
    arms = []
    for t, row in enumerate(rewards, start=1):
        waiting = noise(policy.epochs(t)[-1][1], len(row), stream)
        arm = play.choose(lambda: waiting.pop(0))  # noqa: B023  # used up at once
        play.learn(arm, row[arm])
        arms.append(arm)
    return arms


def noise(policy: db.Strategy, arms: int, stream: NDArray[np.uint64]) -> list[float]:
    """The uniform numbers the engine draws for one round of a policy."""
    count = 1
    if isinstance(policy, db.Policy):
        count = arms * policy.explore.noise + policy.force.noise
    if isinstance(policy, db.Procedure):
        count = policy.draws(arms)
    with np.errstate(over="ignore"):
        return [random.uniform(stream) for _ in range(count)]


def random_history(seed: int, rounds: int, K: int) -> tuple[list[int], list[float]]:
    """Return arms and rewards of so many rounds, drawn from a seed."""
    random = Random(seed)
    return [random.randrange(K) for _ in range(rounds)], [random.random() for _ in range(rounds)]


def coverage(
    values: NDArray[np.float64], runs: int, resamples: int = 4_000, level: float = 0.95
) -> float:
    """Return how often the interval of a sample of `values` holds their mean."""
    rng = np.random.default_rng(runs)
    low, high = bounds(rng.choice(values, (runs, resamples)), level)
    return float(np.mean((low <= values.mean()) & (values.mean() <= high)))
