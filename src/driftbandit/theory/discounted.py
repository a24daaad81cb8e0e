"""Theorem 1: how often D-UCB plays an arm that is not the best.

Reference: Garivier & Moulines 2008, section 2; docs/explanation/errata.md lists its misprints.
"""

from __future__ import annotations

import math

import numpy as np

from driftbandit.core.errors import flag, real, require, whole
from driftbandit.core.numerics import ceiling_of
from driftbandit.theory.bound import Bound, bound_on_plays
from driftbandit.theory.failures import Array, failures
from driftbandit.theory.problem import Problem, exploration, make_problem
from driftbandit.theory.windowed import ASSUMES, eta, weight


def plays(
    horizon: int,
    breakpoints: int,
    gap: float,
    discount: float,
    arms: int = 2,
    xi: float = 0.6,
    bound: float = 1.0,
    *,
    as_printed: bool = False,
) -> Bound:
    """Bound E[N~_T(i)] of D-UCB(γ, ξ): the plays of arm i in rounds where it is not the best.

    1 + ⌈(T − K)/m⌉ ⌈A(γ) γ^(1−m)⌉ + Υ ⌈D(γ)⌉ + Σ_t P(the index misleads in round t), with
    m = ⌈1/(1 − γ)⌉, at most T − K.

    As printed: B(γ) T (1−γ) log(1/(1−γ)) + C(γ) Υ/(1−γ) log(1/(1−γ)).

    It holds for the printed padding 2B√(ξ log n / N). The printed proof uses an inequality that is
    false for γ < 1. This bound uses the one that holds, which costs a factor of at most 2 in the
    last term.

    >>> bound = plays(10**6, breakpoints=2, gap=0.8, discount=0.9995)
    >>> bound.vacuous, round(bound.value)
    (False, 191800)
    """
    problem = make_problem(horizon, breakpoints, gap, arms, xi, bound)
    gamma = discount_of(discount)
    terms = _printed(problem, gamma) if flag("as_printed", as_printed) else _finite(problem, gamma)
    return bound_on_plays(terms, problem.T, ASSUMES, holds=not as_printed)


def n(rounds: float, discount: float) -> float:
    """Return n_t(γ) = Σ_{s≤t} γ^(t−s) = (1 − γ^t)/(1 − γ).

    >>> n(2, 0.5)
    1.5
    """
    gamma, t = discount_of(discount), real("rounds", rounds, "[0, inf)")
    return float(-np.expm1(t * math.log(gamma)) / (1.0 - gamma))


def discount_of(discount: float) -> float:
    """Return γ, or raise unless it lies strictly between 0 and 1, and not too near to 0."""
    gamma = real("discount", discount, "(0, 1)")
    require(gamma >= 1e-6, "discount", discount, "be at least 1e-6")
    return gamma


def A(discount: float, horizon: int, gap: float, xi: float = 0.6, bound: float = 1.0) -> float:
    """Return A(γ) = 16B²ξ log n_T(γ) / Δ²: the weight of plays that tells the arm from the best.

    >>> round(A(0.999, horizon=10**6, gap=0.5), 1)
    265.3
    """
    return 16.0 * weight(gap, xi, bound) * math.log(n(whole("horizon", horizon), discount))


def B(discount: float, horizon: int, gap: float, xi: float = 0.6, bound: float = 1.0) -> float:
    """Return the printed B(γ), the factor of T (1 − γ) log(1/(1 − γ)).

    16B²ξ / (γ^(1/(1−γ)) Δ²) · ⌈T(1−γ)⌉/(T(1−γ))
    + 2 ⌈−log(1−γ)/log(1 + η)⌉ / (−log(1−γ) (1 − γ^(1/(1−γ)))), with η = 4√(1 − 1/(2ξ)).

    >>> round(B(0.999, horizon=10**6, gap=0.5), 2)
    108.1
    """
    gamma, T = discount_of(discount), whole("horizon", horizon)
    left = math.exp(math.log(gamma) / (1.0 - gamma))
    whole_spans = ceiling_of(T * (1.0 - gamma)) / (T * (1.0 - gamma))
    width = -math.log1p(-gamma)
    slices = ceiling_of(width / math.log1p(eta(xi)))
    first = 16.0 * weight(gap, xi, bound) / left * whole_spans
    return first + 2.0 * slices / (width * (1.0 - left))


def B_limit(gap: float, xi: float = 0.6, bound: float = 1.0) -> float:
    """Return the limit of B(γ) as γ → 1: 16eB²ξ/Δ² + 2/((1 − 1/e) log(1 + η)).

    >>> round(B_limit(gap=0.5), 2)
    107.65
    """
    first = 16.0 * math.e * weight(gap, xi, bound)
    return first + 2.0 / ((1.0 - math.exp(-1.0)) * math.log1p(eta(xi)))


def C(discount: float, arms: int, xi: float = 0.6) -> float:
    """Return the printed C(γ), the factor of Υ/(1 − γ) log(1/(1 − γ)); it tends to 1 as γ → 1.

    (γ − 1) / (log(1 − γ) log γ) · log((1 − γ) ξ log n_K(γ)).

    >>> round(C(0.999, arms=2), 3), round(C(1 - 1e-9, arms=2), 3)
    (1.127, 1.042)
    """
    gamma = discount_of(discount)
    return D(gamma, arms, xi) * (1.0 - gamma) / -math.log1p(-gamma)


def D(discount: float, arms: int, xi: float = 0.6) -> float:
    """Return D(γ) = log((1 − γ) ξ log n_K(γ)) / log γ, the rounds that a breakpoint spoils.

    After this many rounds the bias is at most half the padding. D(γ) is never below 0.

    >>> round(D(0.999, arms=2))
    7782
    """
    gamma, K = discount_of(discount), whole("arms", arms, least=2)
    inside = (1.0 - gamma) * exploration(xi) * math.log(n(K, gamma))
    return max(0.0, math.log(inside) / math.log(gamma))


def _printed(problem: Problem, gamma: float) -> dict[str, float]:
    T, breaks, gap, K, xi, bound = problem
    width = -math.log1p(-gamma)
    return {
        "exploration": B(gamma, T, gap, xi, bound) * T * (1.0 - gamma) * width,
        "breakpoints": C(gamma, K, xi) * breaks / (1.0 - gamma) * width,
    }


def _finite(problem: Problem, gamma: float) -> dict[str, float]:
    T, K, xi = problem.T, problem.arms, problem.xi
    enough = A(gamma, T, problem.gap, xi, problem.bound)
    block = min(int(ceiling_of(1.0 / (1.0 - gamma))), max(T - K, 1))
    spread = (1.0 + gamma) / (1.0 - gamma)

    def clock(t: Array) -> Array:
        return np.asarray(-np.expm1((t - 1.0) * math.log(gamma)) / (1.0 - gamma))

    def log_range(end: Array, least: Array | float) -> Array:
        """Return the log range of N_t(γ²) where N_t(γ) ≥ `least`; −∞ where that is impossible.

        N_t(γ²) lies between N_t(γ)² (1−γ)/(1+γ) and n_t(γ²).
        """
        squares = -np.expm1(2.0 * (end - 1.0) * math.log(gamma)) / (1.0 - gamma**2)
        positive = np.maximum(least, 1e-300)
        return np.where(clock(end) < least, -np.inf, np.log(spread * squares / positive**2))

    def ranges(start: Array, end: Array) -> tuple[Array, Array]:
        """The arm weighs at least A, the best 4ξ log n: below that, its padding exceeds B."""
        return log_range(end, enough), log_range(end, 4.0 * xi * np.log(clock(start)))

    return {
        "start": 1.0,
        "exploration": _blocks(problem, block) * math.ceil(enough * gamma ** (1 - block)),
        "breakpoints": float(math.ceil(D(gamma, K, xi)) * problem.breakpoints),
        "failures": failures(K + 1, T, clock, ranges, xi),
    }


def _blocks(problem: Problem, block: int) -> float:
    """Return the number of blocks of `block` rounds once every arm has been played."""
    return float(math.ceil((problem.T - problem.arms) / block))
