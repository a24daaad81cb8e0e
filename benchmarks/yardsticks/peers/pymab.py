"""pymab: X̄ + √(c log n / N), the policies in Rust; all but EXP3.S."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.yardsticks.yardstick import Player

NAME = "pymab"


def players() -> dict[str, Callable[..., Player]]:
    policies = importlib.import_module("pymab.policies")

    def steps(policy: Any) -> Player:
        choose = functools.partial(policy.select_action, rng=np.random.default_rng(1))
        return choose, lambda arm, reward: policy.update(action=arm, reward=reward)

    def ucb1(arms: int, xi: float) -> Player:
        return steps(policies.UCBPolicy(n_arms=arms, c=xi))

    def discounted_ucb(arms: int, discount: float, xi: float) -> Player:
        return steps(policies.DiscountedUCBPolicy(n_arms=arms, c=xi, discount_factor=discount))

    def sliding_window_ucb(arms: int, window: int, xi: float) -> Player:
        return steps(policies.SlidingWindowUCBPolicy(n_arms=arms, c=xi, window_size=window))

    return {"ucb-1": ucb1, "d-ucb": discounted_ucb, "sw-ucb": sliding_window_ucb}
