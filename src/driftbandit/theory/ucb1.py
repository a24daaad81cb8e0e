"""UCB-1 in a world that does not change, for comparison."""

from __future__ import annotations

import math

from driftbandit.theory import windowed
from driftbandit.theory.bound import Bound, bound_on_plays
from driftbandit.theory.problem import make_problem

ASSUMES = (
    "rewards lie in [0, B] and are independent of the past",
    "no mean ever changes",
    "the arm's mean is at least `gap` below the best",
)


def plays(horizon: int, gap: float, arms: int = 2, xi: float = 0.6, bound: float = 1.0) -> Bound:
    """Bound E[N_T(i)] of UCB-1(ξ), ξ > 1/2: SW-UCB with a window of T rounds, and Υ = 0.

    The bound is of order 4B²ξ log T / Δ². A smaller ξ means fewer plays and a larger rest; for
    large T this gives 2B² log T / Δ².

    Reference: Garivier & Moulines 2008, second to last remark of section 3.

    >>> round(plays(10**6, gap=0.5).value), round(auer(10**6, gap=0.5).value)
    (169, 446)
    """
    full = windowed.plays(horizon, 0, gap, horizon, arms, xi, bound)
    terms = {name: value for name, value in full.terms.items() if name != "breakpoints"}
    return Bound(full.value, full.of, full.trivial, terms, ASSUMES)


def auer(horizon: int, gap: float, bound: float = 1.0) -> Bound:
    """Bound E[N_T(i)] of UCB-1 with ξ = 2: 8 B² log T / Δ² + 1 + π²/3.

    Reference: Auer, Cesa-Bianchi & Fischer 2002, theorem 1.

    >>> auer(10**6, gap=0.5).terms["rest"] == 1 + math.pi**2 / 3
    True
    """
    problem = make_problem(horizon, 0, gap, 1, 2.0, bound)
    terms = {
        "exploration": 8.0 * problem.bound**2 * math.log(problem.T) / problem.gap**2,
        "rest": 1.0 + math.pi**2 / 3.0,
    }
    return bound_on_plays(terms, problem.T, (*ASSUMES, "ξ = 2"))
