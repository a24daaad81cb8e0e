"""Kullback–Leibler divergences, in nats."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from driftbandit.core.arrays import real_array
from driftbandit.core.domain import SMALLEST, Real
from driftbandit.core.errors import InputError, as_float, real, shown
from driftbandit.core.numerics import bernoulli_divergence

DEVIATION = Real("(0, inf)", SMALLEST)


def kl_bernoulli(p: float, q: float) -> float:
    """Return KL(Bernoulli(p); Bernoulli(q)) = p log(p/q) + (1−p) log((1−p)/(1−q)).

    >>> round(kl_bernoulli(0.5, 0.6), 6), kl_bernoulli(0.5, 1.0)
    (0.020411, inf)
    """
    return bernoulli_divergence(real("p", p, "[0, 1]"), real("q", q, "[0, 1]"))


def kl_gaussian(p: float, q: float, sd: float = 1.0, other_sd: float | None = None) -> float:
    """Return KL(N(p, s²); N(q, r²)) = log(r/s) + (s² + (p − q)²) / (2r²) − 1/2.

    The second standard deviation, `other_sd`, is `sd` by default.

    >>> kl_gaussian(0.0, 1.0)
    0.5
    """
    one, two = real("p", p, "(-inf, inf)"), real("q", q, "(-inf, inf)")
    s = DEVIATION("sd", sd)
    r = s if other_sd is None else DEVIATION("other_sd", other_sd)
    ratio, distance = s / r, (one - two) / r
    return (ratio * ratio + distance * distance - 1.0) / 2.0 - math.log(ratio)


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
    return float(np.sum([_term(a, b) for a, b in zip(one, two, strict=True)]))


def _paired(p: Law, q: Law) -> tuple[list[float], list[float]]:
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


def _term(a: float, b: float) -> float:
    if a == 0.0:
        return 0.0
    return a * math.log(a / b) if b > 0.0 else math.inf
