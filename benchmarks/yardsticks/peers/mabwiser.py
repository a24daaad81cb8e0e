"""mabwiser: X̄ + α √(2 log n / N); of the paper's four policies it has UCB-1."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable

from benchmarks.yardsticks.yardstick import Player

NAME = "mabwiser"


def players() -> dict[str, Callable[..., Player]]:
    mab = importlib.import_module("mabwiser.mab")

    def ucb1(arms: int, xi: float) -> Player:
        rule = mab.LearningPolicy.UCB1(alpha=math.sqrt(xi / 2.0))
        policy = mab.MAB(arms=list(range(arms)), learning_policy=rule, seed=1)
        # it does not play before it has been fitted: one reward of each arm, made up
        policy.fit(list(range(arms)), [0.5] * arms)
        return policy.predict, lambda arm, reward: policy.partial_fit([arm], [reward])

    return {"ucb-1": ucb1}
