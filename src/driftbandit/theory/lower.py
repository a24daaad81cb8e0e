"""Section 4: lower bounds on the regret of every policy.

Let arm 1 be the best of a stationary problem and arm K another, `gap` = μ(1) − μ(K). In one of
M = ⌊T/τ⌋ periods of τ rounds, drawn at random, the law of arm K changes to Q, whose mean is `jump`
above μ(1); `divergence` is α = KL(law of arm K; Q). A policy that rarely plays arm K when nothing
changes rarely notices when something does.

Reference: Garivier & Moulines 2008, section 4; docs/explanation/errata.md lists its misprints.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from driftbandit.core.arrays import is_list
from driftbandit.core.domain import LARGEST
from driftbandit.core.errors import InputError, flag, real, require, whole
from driftbandit.environments import Piecewise
from driftbandit.theory.bound import Bound

ASSUMES = (
    "any policy, even one that knows T and the laws, but not the period",
    "one period, drawn at random, in which the worst arm becomes the best: two breakpoints",
)


def after(
    plays: float, horizon: int, jump: float, divergence: float, *, as_printed: bool = False
) -> Bound:
    """Bound the regret with the changed period, E*[R_T], from below by the plays without it.

    Let N = `plays` = E[N_T(K)] in the stationary problem. For the best number M of periods,
    E*[R_T] ≥ δ (τ − N/M − τ √(αN/(2M))), τ = ⌊T/M⌋. As printed: C(μ) T / E[R_T], which is
    32 δ T / (27 α N) for E[R_T] = N (μ(1) − μ(K)).

    >>> round(after(100.0, 10**6, jump=0.2, divergence=0.3).value)
    1975
    """
    N, T = real("plays", plays, "[0, inf)"), whole("horizon", horizon)
    delta, alpha = (
        real("jump", jump, f"(0, {LARGEST:g}]"),
        real("divergence", divergence, "(0, inf)"),
    )
    if flag("as_printed", as_printed):
        value = 32.0 * delta * T / (27.0 * alpha * N) if N > 0.0 else math.inf
        return _bound(value, {"all": value}, holds=False)
    M = _periods(N, T, alpha)
    tau = np.floor(T / M)
    values = delta * (tau * (1.0 - np.sqrt(alpha * N / (2.0 * M))) - N / M)
    best = int(np.argmax(values))
    value = max(0.0, float(values[best]))
    return _bound(value, {"periods": float(M[best]), "rounds of a period": float(tau[best])})


def constant(jump: float, gap: float, divergence: float, *, as_printed: bool = False) -> float:
    """Return C(μ) of E*[R_T] ≥ C(μ) T / E[R_T]: 0.13 δ (μ(1) − μ(K)) / α.

    As printed the factor is 32/27. The factor 0.13 holds for 32/(9α) ≤ E[N_T(K)] ≤ T/16, up to the
    rounding of periods to whole rounds; `after` needs no such condition.

    >>> round(constant(0.2, 0.2, 0.5, as_printed=True) / constant(0.2, 0.2, 0.5), 2)
    9.12
    """
    delta, alpha = (
        real("jump", jump, f"(0, {LARGEST:g}]"),
        real("divergence", divergence, "(0, inf)"),
    )
    factor = 32.0 / 27.0 if flag("as_printed", as_printed) else 0.13
    return factor * delta * real("gap", gap, "(0, inf)") / alpha


def any_policy(
    horizon: int, gap: float, jump: float, divergence: float, *, as_printed: bool = False
) -> Bound:
    """Bound max(E[R_T], E*[R_T]) from below for every policy; the bound grows as √T.

    It is the least r that is at least the bound of `after` for r/gap plays: a policy whose
    stationary regret is below r has more than r with the changed period. As printed: √(C(μ) T).

    >>> small, large = (any_policy(T, 0.2, 0.2, 0.35).value for T in (10**4, 10**6))
    >>> round(small, 1), round(large / small, 1)
    (18.1, 10.1)
    """
    T, distance = whole("horizon", horizon), real("gap", gap, "(0, inf)")
    if flag("as_printed", as_printed):
        value = math.sqrt(constant(jump, distance, divergence, as_printed=True) * T)
        return _bound(value, {"all": value}, holds=False)
    low, high = 0.0, distance * T
    for _ in range(100):  # `after` decreases as plays grow, so there is one crossing
        middle = 0.5 * (low + high)
        above = after(middle / distance, T, jump, divergence).value >= middle
        low, high = (middle, high) if above else (low, middle)
    return _bound(low, after(low / distance, T, jump, divergence).terms)


def after_logarithm(rate: float, horizon: int, jump: float, divergence: float) -> Bound:
    """Bound E*[R_T] from below for a policy that plays arm K at most `rate` · log T times.

    It is of order T / log T: a policy that is very good when nothing changes is bad when something
    does.

    >>> value = after_logarithm(8.0, 10**6, jump=0.2, divergence=0.35).value
    >>> round(value * math.log(10**6) / 10**6, 3)
    0.021
    """
    T = whole("horizon", horizon)
    return after(real("rate", rate, "(0, inf)") * math.log(T), T, jump, divergence)


def worlds(means: Sequence[float], changed: float, horizon: int, periods: int) -> list[Piecewise]:
    """Return the M problems of the proof: in period j the last arm has the mean `changed`.

    Rewards are Bernoulli; the first of `means` is the largest.

    >>> [world.breakpoints for world in worlds([0.5, 0.3], 0.7, horizon=90, periods=3)]
    [(31,), (31, 61), (61,)]
    """
    T, M = whole("horizon", horizon), whole("periods", periods)
    require(is_list(means), "means", means, "be a list with the largest first")
    still = [real(f"means[{arm}]", mean, "[0, 1]") for arm, mean in enumerate(means)]
    if len(still) < 2 or max(still[1:]) >= still[0]:
        raise InputError(f"means must have their largest first, of two or more, got {still}")
    new = [*still[:-1], real("changed", changed, f"({still[0]:g}, 1]")]
    tau = whole("rounds of a period", T // M)
    return [_world(still, new, 1 + j * tau, 1 + (j + 1) * tau, T) for j in range(M)]


def _world(still: list[float], new: list[float], first: int, end: int, T: int) -> Piecewise:
    pieces = [(1, still), (first, new), (end, still)]
    if first == 1:
        pieces = pieces[1:]
    inside = [(start, row) for start, row in pieces if start <= T]
    breaks, rows = [start for start, _ in inside[1:]], [row for _, row in inside]
    return Piecewise(breaks, rows, horizon=T)


def _periods(N: float, T: int, alpha: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the numbers of periods worth trying: the best is near 9αN / (8 (1 − N/T)²)."""
    best = 9.0 * alpha * N / (8.0 * max(1.0 - N / T, 1e-6) ** 2)
    last = int(min(T, 2.0 * best + 8.0))
    if last <= 4096:
        return np.arange(1.0, last + 1.0)
    return np.unique(np.floor(np.geomspace(1.0, last, 4096)))


def _bound(value: float, terms: dict[str, float], holds: bool = True) -> Bound:
    return Bound(value, "regret of any policy", 0.0, terms, ASSUMES, lower=True, holds=holds)
