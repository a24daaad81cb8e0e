"""Theorem 2: how often SW-UCB plays an arm that is not the best.

Reference: Garivier & Moulines 2008, section 3; docs/explanation/errata.md lists its misprints.
"""

from __future__ import annotations

import math

import numpy as np

from driftbandit.core.errors import flag, whole
from driftbandit.core.numerics import ceiling_of
from driftbandit.theory.bound import Bound, bound_on_plays
from driftbandit.theory.failures import Array, failures
from driftbandit.theory.problem import Problem, bound_and_gap, exploration, make_problem

ASSUMES = (
    "rewards lie in [0, B] and are independent of the past",
    "means change at no more than Υ rounds up to T",
    "whenever the arm is not a best one, its mean is at least `gap` below the best",
)


def plays(
    horizon: int,
    breakpoints: int,
    gap: float,
    window: int,
    arms: int = 2,
    xi: float = 0.6,
    bound: float = 1.0,
    *,
    as_printed: bool = False,
) -> Bound:
    """Bound E[N~_T(i)] of SW-UCB(τ, ξ): the plays of arm i in rounds where it is not the best.

    1 + ⌈(T − K)/τ⌉ ⌈A(τ)⌉ + τ Υ + Σ_t P(the index misleads in round t), with
    A(τ) = 4B²ξ log τ / Δ². As printed: C(τ) T log τ / τ + τ Υ + log² τ.

    It holds for every window; with τ = T and Υ = 0 it bounds UCB-1(ξ).

    >>> bound = plays(10**6, breakpoints=2, gap=0.5, window=5_000)
    >>> bound.vacuous, round(bound.value)
    (False, 27153)
    """
    problem = make_problem(horizon, breakpoints, gap, arms, xi, bound)
    tau = whole("window", window)
    terms = _printed(problem, tau) if flag("as_printed", as_printed) else _finite(problem, tau)
    return bound_on_plays(terms, problem.T, ASSUMES, holds=not as_printed)


def A(window: int, gap: float, xi: float = 0.6, bound: float = 1.0) -> float:
    """Return A(τ) = 4B²ξ log τ / Δ²: the plays in a window that tell the arm from the best.

    >>> round(A(window=1000, gap=0.5), 2)
    66.31
    """
    tau = whole("window", window)
    return 4.0 * weight(gap, xi, bound) * math.log(tau)


def C(horizon: int, window: int, gap: float, xi: float = 0.6, bound: float = 1.0) -> float:
    """Return the printed C(τ) = 4B²ξ/Δ² · ⌈T/τ⌉/(T/τ) + 2/log τ · ⌈log τ / log(1 + η)⌉.

    >>> round(C(10**6, window=1000, gap=0.5), 3)
    11.916
    """
    tau, T = whole("window", window, least=2), whole("horizon", horizon)
    slices = ceiling_of(math.log(tau) / math.log1p(eta(xi)))
    whole_windows = math.ceil(T / tau) / (T / tau)
    return 4.0 * weight(gap, xi, bound) * whole_windows + 2.0 * slices / math.log(tau)


def C_limit(gap: float, xi: float = 0.6, bound: float = 1.0) -> float:
    """Return the limit of C(τ) as τ → ∞: 4B²ξ/Δ² + 2/log(1 + η).

    >>> round(C_limit(gap=0.5), 3)
    11.666
    """
    return 4.0 * weight(gap, xi, bound) + 2.0 / math.log1p(eta(xi))


def weight(gap: float, xi: float = 0.6, bound: float = 1.0) -> float:
    """Return ξ B²/Δ².

    >>> weight(0.5)
    2.4
    """
    largest, distance = bound_and_gap(bound, gap)
    return exploration(xi) * (largest / distance) ** 2


def eta(xi: float) -> float:
    """Return η = 4√(1 − 1/(2ξ)), the solution of 2ξ(1 − η²/16) = 1.

    >>> round(eta(0.6), 3)
    1.633
    """
    return 4.0 * math.sqrt(1.0 - 1.0 / (2.0 * exploration(xi)))


def _printed(problem: Problem, tau: int) -> dict[str, float]:
    T, log_tau = problem.T, math.log(whole("window", tau, least=2))
    return {
        "exploration": C(T, tau, problem.gap, problem.xi, problem.bound) * T * log_tau / tau,
        "breakpoints": float(tau * problem.breakpoints),
        "start": log_tau**2,
    }


def _finite(problem: Problem, tau: int) -> dict[str, float]:
    T, K, xi = problem.T, problem.arms, problem.xi
    enough = A(min(tau, T), problem.gap, xi, problem.bound)

    def clock(t: Array) -> Array:
        return np.minimum(t - 1.0, tau)

    def ranges(start: Array, end: Array) -> tuple[Array, Array]:
        """The arm has at least A plays, the best ξ log n: with fewer, its padding exceeds B."""
        most, least = clock(end), np.maximum(1.0, xi * np.log(clock(start)))
        own = np.where(most < enough, -np.inf, np.log(most / max(enough, 1.0)))
        return own, np.where(most < least, -np.inf, np.log(most / least))

    return {
        "start": 1.0,
        "exploration": float(math.ceil((T - K) / tau) * math.ceil(enough)),
        "breakpoints": float(tau * problem.breakpoints),
        "failures": failures(K + 1, T, clock, ranges, xi),
    }


def limit_rate(gap: float, bound: float = 1.0) -> float:
    """Return 2B²/Δ², the plays per log T of UCB-1(ξ) as T → ∞ and then ξ → 1/2, for Υ = 0.

    >>> limit_rate(gap=0.5)
    8.0
    """
    largest, distance = bound_and_gap(bound, gap)
    return 2.0 * (largest / distance) ** 2
