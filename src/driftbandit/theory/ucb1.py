"""UCB-1 in a world that does not change, for comparison."""

from __future__ import annotations

import math

from driftbandit.theory import windowed
from driftbandit.theory.asked import asked
from driftbandit.theory.bound import Bound

ASSUMES = (
    "rewards lie in [0, B] and are independent of the past",
    "no mean ever changes",
    "the arm's mean is at least `gap` below the best",
)


def plays(horizon: int, gap: float, arms: int = 2, xi: float = 0.6, bound: float = 1.0) -> Bound:
    """Bound E[N_T(i)] of UCB-1(ξ), ξ > 1/2: SW-UCB whose window never ends, and Υ = 0.

    Of order 4B²ξ log T / Δ²; the smaller ξ, the fewer plays and the larger the rest, which makes
    2B² log T / Δ² for large T.

    Reference: Garivier & Moulines 2008, last remark but one of section 3.

    >>> found = plays(10**6, gap=0.5)
    >>> round(found.value), round(auer(10**6, gap=0.5).value)
    (169, 446)
    """
    found = windowed.plays(horizon, 0, gap, horizon, arms, xi, bound)
    terms = {name: value for name, value in found.terms.items() if name != "breakpoints"}
    return Bound(found.value, found.of, found.trivial, terms, ASSUMES)


def auer(horizon: int, gap: float, bound: float = 1.0) -> Bound:
    """Bound E[N_T(i)] of UCB-1 with ξ = 2: 8 B² log T / Δ² + 1 + π²/3.

    Reference: Auer, Cesa-Bianchi & Fischer 2002, theorem 1.

    >>> auer(10**6, gap=0.5).terms["rest"] == 1 + math.pi**2 / 3
    True
    """
    given = asked(horizon, 0, gap, 1, 2.0, bound)
    terms = {
        "exploration": 8.0 * given.bound**2 * math.log(given.T) / given.gap**2,
        "rest": 1.0 + math.pi**2 / 3.0,
    }
    of = "plays of an arm that is not the best"
    return Bound(sum(terms.values()), of, float(given.T), terms, (*ASSUMES, "ξ = 2"))
