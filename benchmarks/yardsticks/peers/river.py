"""river: X̄ + δ √(2 log n / N); of the paper's four policies it has UCB-1."""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Callable

from benchmarks.yardsticks.yardstick import Player

NAME = "river"


def players() -> dict[str, Callable[..., Player]]:
    bandit = importlib.import_module("river.bandit")

    def ucb1(arms: int, xi: float) -> Player:
        policy = bandit.UCB(delta=math.sqrt(xi / 2.0), seed=1)
        return functools.partial(policy.pull, list(range(arms))), policy.update

    return {"ucb-1": ucb1}
