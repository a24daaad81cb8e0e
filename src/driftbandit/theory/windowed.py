"""Theorem 2: how often SW-UCB plays an arm that is not the best.

Reference: Garivier & Moulines 2008, section 3; what is printed wrongly is in the errata.
"""

from __future__ import annotations

import math

import numpy as np

from driftbandit.core.errors import whole
from driftbandit.theory.asked import Asked, asked, exploration, scale_of
from driftbandit.theory.bound import Bound
from driftbandit.theory.failures import Array, failures

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
    """Bound E[N~_T(i)], the plays of arm i in rounds where it is not the best, under SW-UCB(τ, ξ).

    1 + ⌈(T − K)/τ⌉ ⌈A(τ)⌉ + τ Υ + Σ_t P(the index misleads in round t), with
    A(τ) = 4B²ξ log τ / Δ². As printed: C(τ) T log τ / τ + τ Υ + log² τ.

    It holds for every window: with τ = T and Υ = 0 it is a bound for UCB-1(ξ).

    >>> found = plays(10**6, breakpoints=2, gap=0.5, window=5_000)
    >>> found.vacuous, round(found.value)
    (False, 27153)
    """
    given = asked(horizon, breakpoints, gap, arms, xi, bound)
    tau = whole("window", window)
    parts = _printed(given, tau) if as_printed else _finite(given, tau)
    return Bound(
        sum(parts.values()),
        of="plays of an arm that is not the best",
        trivial=float(given.T),
        terms=parts,
        assumes=ASSUMES,
        holds=not as_printed,
    )


def A(window: int, gap: float, xi: float = 0.6, bound: float = 1.0) -> float:
    """Return A(τ) = 4B²ξ log τ / Δ²: as many plays in the window tell the arm from the best.

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
    slices = math.ceil(math.log(tau) / math.log1p(eta(xi)))
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
    largest, distance = scale_of(gap, bound)
    return exploration(xi) * (largest / distance) ** 2


def eta(xi: float) -> float:
    """Return η = 4√(1 − 1/(2ξ)), for which 2ξ(1 − η²/16) = 1.

    >>> round(eta(0.6), 3)
    1.633
    """
    return 4.0 * math.sqrt(1.0 - 1.0 / (2.0 * exploration(xi)))


def _printed(given: Asked, tau: int) -> dict[str, float]:
    T, log_tau = given.T, math.log(whole("window", tau, least=2))
    return {
        "exploration": C(T, tau, given.gap, given.xi, given.bound) * T * log_tau / tau,
        "breakpoints": float(tau * given.changes),
        "start": log_tau**2,
    }


def _finite(given: Asked, tau: int) -> dict[str, float]:
    T, K, _, xi = given.T, given.arms, given.gap, given.xi
    enough = A(min(tau, T), given.gap, xi, given.bound)

    def clock(t: Array) -> Array:
        return np.minimum(t - 1.0, tau)

    def ranges(start: Array, end: Array) -> tuple[Array, Array]:
        """The arm has at least A plays, the best at least ξ log n, else its padding exceeds B."""
        most, least = clock(end), np.maximum(1.0, xi * np.log(clock(start)))
        own = np.where(most < enough, -np.inf, np.log(most / max(enough, 1.0)))
        return own, np.where(most < least, -np.inf, np.log(most / least))

    return {
        "start": 1.0,
        "exploration": float(math.ceil((T - K) / tau) * math.ceil(enough)),
        "breakpoints": float(tau * given.changes),
        "failures": failures(K + 1, T, clock, ranges, xi),
    }


def limit_rate(gap: float, bound: float = 1.0) -> float:
    """Return 2B²/Δ², the plays for each log T of UCB-1(ξ) as T → ∞ and then ξ → 1/2, if Υ = 0.

    >>> limit_rate(gap=0.5)
    8.0
    """
    largest, distance = scale_of(gap, bound)
    return 2.0 * (largest / distance) ** 2
