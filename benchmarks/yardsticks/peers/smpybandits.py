"""SMPyBandits: all four; UCB-1 and D-UCB with X̄ + √(α log n / 2N), SW-UCB without the 2."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.yardsticks.yardstick import Player

NAME = "SMPyBandits"


def players() -> dict[str, Callable[..., Player]]:
    policies = _imported()

    def steps(policy: Any) -> Player:
        policy.startGame()
        return policy.choice, policy.getReward

    def ucb1(arms: int, xi: float) -> Player:
        return steps(policies.UCBalpha(arms, alpha=2.0 * xi))

    def exp3s(arms: int, exploration: float, sharing: float) -> Player:
        return steps(policies.Exp3S(arms, gamma=exploration, alpha=sharing))

    def discounted_ucb(arms: int, discount: float, xi: float) -> Player:
        return steps(policies.DiscountedUCB(arms, alpha=2.0 * xi, gamma=discount))

    def sliding_window_ucb(arms: int, window: int, xi: float) -> Player:
        return steps(policies.SWUCB(arms, tau=window, alpha=xi))

    return {
        "ucb-1": ucb1,
        "exp3.s": exp3s,
        "d-ucb": discounted_ucb,
        "sw-ucb": sliding_window_ucb,
    }


def _imported() -> Any:
    """Import the policies; they ask SciPy for a name that it has dropped, and silence NumPy."""
    importlib.import_module(NAME)
    special = importlib.import_module("scipy.special")
    if not hasattr(special, "btdtri"):
        special.btdtri = special.betaincinv  # type: ignore[attr-defined]  # the same function
    settings = np.geterr()
    try:
        return importlib.import_module(f"{NAME}.Policies")
    finally:
        np.seterr(**settings)
