"""The γ and τ that minimise the bounds, beside those of the paper's rules."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from driftbandit.core.errors import whole
from driftbandit.policies.tuning import discount_rule, window_rule
from driftbandit.theory import discounted, windowed
from driftbandit.theory.bound import Bound

TRIES = 65
"""Values per search; there are three, each in a narrower range around the best value so far."""

NEIGHBOURS = 16
"""The numbers of windows, on either side of the best one found, that are tried as well."""


@dataclasses.dataclass(frozen=True)
class Choice:
    """A parameter's value and its bound, beside those of the paper's rule."""

    parameter: str
    value: float
    bound: Bound
    rule: float
    rule_bound: Bound | None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        rule_bound = None if self.rule_bound is None else self.rule_bound.to_dict()
        return {
            "parameter": self.parameter,
            "value": self.value,
            "bound": self.bound.to_dict(),
            "rule": self.rule,
            "rule_bound": rule_bound,
        }


def best_window(
    horizon: int,
    breakpoints: int,
    gap: float,
    arms: int = 2,
    xi: float = 0.6,
    bound: float = 1.0,
) -> Choice:
    """Find the window τ with the least bound on plays for finite T; see `windowed.plays`.

    >>> choice = best_window(10**6, breakpoints=2, gap=0.5)
    >>> choice.value, choice.rule
    (6290.0, 5257)
    >>> choice.bound.value < choice.rule_bound.value
    True
    """

    def cost(tau: int) -> Bound:
        return windowed.plays(horizon, breakpoints, gap, tau, arms, xi, bound)

    def nearest(log_tau: float) -> int:
        return max(1, round(math.exp(log_tau)))

    last = math.log(whole("horizon", horizon))
    near = nearest(_least(lambda log_tau: cost(nearest(log_tau)), 0.0, last))
    best = min({near, *_fitting(horizon - arms, near)}, key=lambda tau: (cost(tau).value, tau))
    rule = window_rule(horizon, breakpoints, bound=bound)
    return Choice("window", float(best), cost(best), rule, cost(rule))


def _fitting(rounds: int, near: int) -> set[int]:
    """Return the shortest windows of which so many hold all rounds: a bit shorter costs one more.

    >>> sorted(_fitting(10, 4))
    [1, 2, 3, 4, 5, 10]
    """
    times = math.ceil(rounds / near)
    numbers = range(max(1, times - NEIGHBOURS), times + NEIGHBOURS)
    return {max(1, math.ceil(rounds / n)) for n in numbers}


def best_discount(
    horizon: int,
    breakpoints: int,
    gap: float,
    arms: int = 2,
    xi: float = 0.6,
    bound: float = 1.0,
) -> Choice:
    """Find the discount γ with the least bound on plays for finite T; see `discounted.plays`.

    If nothing changes the paper's rule gives γ = 1, for which Theorem 1 says nothing.

    >>> choice = best_discount(10**6, breakpoints=2, gap=0.8)
    >>> choice.bound.value < choice.rule_bound.value
    True
    """

    def cost(log_rate: float) -> Bound:
        gamma = -math.expm1(log_rate)
        return discounted.plays(horizon, breakpoints, gap, gamma, arms, xi, bound)

    low = -math.log(min(1e3 * whole("horizon", horizon), 2.0**52))  # beyond, γ rounds to 1
    best = _least(cost, low, math.log(0.5))
    rule = discount_rule(horizon, breakpoints, bound=bound)
    rule_bound = None
    if rule < 1.0:
        rule_bound = discounted.plays(horizon, breakpoints, gap, rule, arms, xi, bound)
    return Choice("discount", -math.expm1(best), cost(best), rule, rule_bound)


def _least(cost: Callable[[float], Bound], low: float, high: float) -> float:
    """Return where the cost is least, by search: a bound contains ceilings, so it has no slope."""
    for _ in range(3):
        places = np.linspace(low, high, TRIES)
        values = [cost(float(place)).value for place in places]
        best = int(np.argmin(values))
        low, high = places[max(best - 2, 0)], places[min(best + 2, TRIES - 1)]
    return float(places[best])
