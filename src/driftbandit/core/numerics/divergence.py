"""The Bernoulli divergence and its inverse.

The inverse is arithmetic and roots alone, in a fixed order and without branches, so that a loop
over lanes becomes vector code and gives the bits of a single call.
"""

from __future__ import annotations

import math

from driftbandit.core.marking import compilable
from driftbandit.core.numerics.exponential import exp_of_negative, minus_two_log

_LEAST, _MOST = 1e-30, 1.0 - 2.0**-53
"""The range that a mean is limited to; the ends 0 and 1 are handled apart."""
_NEAREST, _FARTHEST = 1e-18, 64.0
"""The range that a divergence is limited to: beyond, the result is the mean or 1 to all digits."""
_SHORTEST, _LONGEST = 1e-4, 700.0
"""The range of r in which a point of the curve is accurate to 1e-12."""
_SIXTH = 1.0 / 6.0


@compilable
def bernoulli_divergence(p: float, q: float) -> float:
    """Return kl(p, q) = p log(p/q) + (1 − p) log((1 − p)/(1 − q)), with 0 log 0 = 0.

    >>> round(bernoulli_divergence(0.5, 0.9), 12)
    0.510825623766
    >>> bernoulli_divergence(0.3, 0.3), bernoulli_divergence(0.3, 1.0)
    (0.0, inf)
    """
    if p == q:
        return 0.0
    if q <= 0.0 or q >= 1.0:
        return math.inf
    ones = p * math.log(p / q) if p > 0.0 else 0.0
    zeros = (1.0 - p) * math.log((1.0 - p) / (1.0 - q)) if p < 1.0 else 0.0
    return ones + zeros


@compilable
def bernoulli_upper(mean: float, divergence: float) -> float:
    """Return the largest q with kl(mean, q) ≤ divergence: the inverse of kl above the mean.

    With p the mean and q = 1 − (1 − p) e⁻ʳ, kl(p, q) = (1 − p) r + p log(p/q) is convex in r and
    nearly straight where r is large. Two steps of Householder's method are exact to rounding if
    they start at the least of four upper bounds: those of kl ≥ 2 (q − p)², kl ≥ (q − p)² / 2q,
    kl ≥ (q − p)² / 2(1 − p), and kl ≥ (1 − p) r + p log p, which is exact for p = 0 and q → 1.

    The error is below 10⁻¹² for divergences from 10⁻⁸ on, and 10⁻¹⁴ from 10⁻³ on.

    Reference: Garivier & Cappé 2011; the bounds are those of Pinsker and of Bernstein.

    >>> round(bernoulli_upper(0.5, 0.510825623766), 12)
    0.9
    >>> bernoulli_upper(0.5, 0.0), bernoulli_upper(1.0, 0.1)
    (0.5, 1.0)
    """
    p = min(max(mean, _LEAST), _MOST)
    d = min(max(divergence, _NEAREST), _FARTHEST)
    rest = 1.0 - p
    reach = min(math.sqrt(0.5 * d), d + math.sqrt(d * (d + 2.0 * p)), math.sqrt(2.0 * rest * d))
    left = max(rest - reach, _LEAST) / rest
    most = min((d + 0.5 * p * minus_two_log(p)) / rest, 0.5 * minus_two_log(left))
    r = _householder(_householder(most, most, p, rest, d), most, p, rest, d)
    q = p + rest * (1.0 - exp_of_negative(r))
    return q if (mean < 1.0) & (divergence > 0.0) else min(max(mean, 0.0), 1.0)


@compilable
def _householder(r: float, most: float, p: float, rest: float, d: float) -> float:
    """Return a better r with rest · r + p log(p/q) = d, where q = 1 − rest · e⁻ʳ."""
    at, q, w, up, over = _point(r, p, rest)
    h = (at - d) * q * q * over
    return min(max(r - _step(h, p, w, up, over), 0.0), most)


@compilable
def _point(r: float, p: float, rest: float) -> tuple[float, float, float, float, float]:
    """Return the divergence at r, q, 1 − q, q − p, and 1 / q (q − p)."""
    w = rest * exp_of_negative(r)
    q = p + (rest - w)
    up = max(q - p, _LEAST)
    return rest * r - 0.5 * p * minus_two_log(p / q), q, w, up, 1.0 / (q * up)


@compilable
def _step(h: float, p: float, w: float, up: float, over: float) -> float:
    """Return the step of Householder's method of the fourth order where that of Newton's is h.

    a, b and c are the second, third and fourth derivative of the divergence with respect to r,
    divided by the first, which is (q − p)/q.
    """
    odds = w * up * over
    a = p * w * over
    b = -a * (1.0 + 2.0 * odds)
    c = -b * (1.0 + 2.0 * odds) + 2.0 * a * odds * (1.0 + odds)
    above = 1.0 - h * (a - h * b * _SIXTH)
    below = 1.0 - h * (1.5 * a - h * (2.0 * _SIXTH * b + 0.25 * (a * a - h * _SIXTH * c)))
    return h * above / below


@compilable
def bernoulli_point(
    mean: float, divergence: float, hint: float
) -> tuple[float, float, float, float]:
    """Return a point (kl(mean, q), q) near a divergence, the slope of q there, and a better hint.

    The hint is the r of q = 1 − (1 − mean) e⁻ʳ that was returned last time, or 0. The closer it is
    to that of the divergence, the closer is the point; any other one lies on the curve as well. The
    next hint is a step of Householder's method away, or one of Newton's if that is long.

    >>> at, q, slope, hint = bernoulli_point(0.5, 0.5, 0.0)
    >>> abs(at - bernoulli_divergence(0.5, q)) < 1e-12
    True
    """
    p = min(max(mean, _LEAST), _MOST)
    d = min(max(divergence, _NEAREST), _FARTHEST)
    r = max(hint, _SHORTEST) if hint > 0.0 else 1.0
    at, q, w, up, over = _point(r, p, 1.0 - p)
    h = (at - d) * q * q * over
    step = _step(h, p, w, up, over) if abs(h * p * w * over) < 0.5 else h
    return at, q, q * q * w * over, min(max(r - step, _SHORTEST), _LONGEST)
