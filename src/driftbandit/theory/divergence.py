"""Kullback–Leibler divergences, in nats.

All are sums of a φ((b − a) / a) with φ(x) = x − log(1 + x) ≥ 0: the probabilities of each law add
up to 1, so the terms b − a vanish in the sum. Each term is exact where a and b are close, where
a log(a/b) is a small difference of larger numbers, or even below 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from driftbandit.core.arrays import real_array
from driftbandit.core.domain import SMALLEST, Real
from driftbandit.core.errors import InputError, as_float, real, shown

DEVIATION = Real("(0, inf)", SMALLEST)

NEAR = 0.05
"""Up to here φ is a series: 15 terms have all digits."""


def _phi(x: float) -> float:
    """Return x − log(1 + x) ≥ 0."""
    if abs(x) > NEAR:
        return x - math.log1p(x)
    return x * x * sum((-x) ** k / (k + 2) for k in range(15))


def _term(a: float, b: float, rise: float) -> float:
    """Return a φ((b − a) / a) = a log(a/b) + b − a ≥ 0; `rise` is b − a, with more digits."""
    if a == 0.0 or b == 0.0:
        return b if a == 0.0 else math.inf
    if abs(rise) < a / 2.0:
        return a * _phi(rise / a)
    return a * (math.log(a) - math.log(b)) + rise


def kl_bernoulli(p: float, q: float) -> float:
    """Return KL(Bernoulli(p); Bernoulli(q)) = p log(p/q) + (1−p) log((1−p)/(1−q)).

    >>> round(kl_bernoulli(0.5, 0.6), 6), kl_bernoulli(0.5, 1.0)
    (0.020411, inf)
    """
    one, two = real("p", p, "[0, 1]"), real("q", q, "[0, 1]")
    return _term(one, two, two - one) + _term(1.0 - one, 1.0 - two, one - two)


def kl_gaussian(p: float, q: float, sd: float = 1.0, other_sd: float | None = None) -> float:
    """Return KL(N(p, s²); N(q, r²)) = log(r/s) + (s² + (p − q)²) / (2r²) − 1/2.

    The second standard deviation, `other_sd`, is `sd` by default.

    >>> kl_gaussian(0.0, 1.0)
    0.5
    """
    one, two = real("p", p, "(-inf, inf)"), real("q", q, "(-inf, inf)")
    s = DEVIATION("sd", sd)
    r = s if other_sd is None else DEVIATION("other_sd", other_sd)
    distance = (one - two) / r
    rise = (s - r) / r * (s / r + 1.0)  # (s/r)² − 1
    if abs(rise) < 0.5:
        return (distance * distance + _phi(rise)) / 2.0
    return (distance * distance + rise) / 2.0 - (math.log(s) - math.log(r))


Law = Sequence[float] | Mapping[float, float]
"""Probabilities of outcomes in order, or by outcome."""


def kl_finite(p: Law, q: Law) -> float:
    """Return KL(P; Q) = Σ_x P(x) log(P(x)/Q(x)) of two laws on finitely many outcomes.

    >>> kl_finite([0.5, 0.5], [0.4, 0.6]) == kl_bernoulli(0.5, 0.4)
    True
    >>> kl_finite({0: 1.0}, {1: 1.0})
    inf
    """
    one, two = _paired(p, q)
    for name, law in (("p", one), ("q", two)):
        fits = all(math.isfinite(x) and x >= 0.0 for x in law) and abs(sum(law) - 1.0) < 1e-9
        if not fits:
            raise InputError(f"{name} must be probabilities that add up to 1, got {law}")
    return float(np.sum([_term(a, b, b - a) for a, b in zip(one, two, strict=True)]))


def _paired(p: Any, q: Any) -> tuple[list[float], list[float]]:
    p, q = (law.to_dict() if hasattr(law, "to_dict") else law for law in (p, q))  # of pandas
    if isinstance(p, Mapping) and isinstance(q, Mapping):
        outcomes = list(dict.fromkeys([*p, *q]))
        return [as_float(p.get(x, 0.0)) for x in outcomes], [
            as_float(q.get(x, 0.0)) for x in outcomes
        ]
    one, two = real_array(p), real_array(q)
    if one is None or two is None or one.ndim != 1 or two.ndim != 1:
        raise InputError(f"p and q must be lists of probabilities, got {shown(p)} and {shown(q)}")
    if len(one) != len(two):
        raise InputError(
            f"p and q must be laws on the same outcomes, got {shown(p)} and {shown(q)}"
        )
    return one.tolist(), two.tolist()
