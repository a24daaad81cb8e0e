"""The normal law: distribution function, quantiles and draws."""

from __future__ import annotations

import math

from driftbandit.core.marking import compilable, compiled_as
from driftbandit.core.numerics.exponential import (
    LOG_TERMS,
    TWO_LN_2,
    minus_two_log,
    polynomial,
)


@compilable
def normal_cdf(x: float) -> float:
    """Return Φ(x) = P(Z ≤ x) for a standard normal Z, accurate in the left tail too.

    >>> normal_cdf(0.0)
    0.5
    """
    return 0.5 * math.erfc(-x * 0.7071067811865476)


@compilable
def normal_quantile(u: float) -> float:
    """Return the x with Φ(x) = u, to about 1e-15; −∞ at 0 and +∞ at 1.

    Reference: Wichura, *Algorithm AS 241: the percentage points of the normal distribution*,
    Applied Statistics 37, 1988 (its three rational approximations, PPND16).

    >>> round(normal_quantile(0.975), 12)
    1.95996398454
    """
    if u <= 0.0:
        return -math.inf
    if u >= 1.0:
        return math.inf
    centred = u - 0.5
    if abs(centred) <= 0.425:
        return centred * _centre(0.180625 - centred * centred)
    tail = math.sqrt(-math.log(u if centred < 0.0 else 1.0 - u))
    x = _middle(tail - 1.6) if tail <= 5.0 else _far(tail - 5.0)
    return -x if centred < 0.0 else x


def _normal_by_selects(u: float) -> float:
    """Do as `normal_draw` without branches: compute both approximations, and select."""
    centred = u - 0.5
    tail = math.sqrt(0.5 * minus_two_log(min(u, 1.0 - u)))
    x = math.copysign(_middle(tail - 1.6), centred) if tail <= 5.0 else math.nan
    inside = abs(centred) <= 0.425
    return centred * _centre(0.180625 - centred * centred) if inside else x


@compiled_as(_normal_by_selects)
def normal_draw(u: float) -> float:
    """Return the x with Φ(x) = u to 1e-13, or NaN where u is within 1e-11 of 0 or 1.

    Compiled, it becomes vector code in a loop over lanes.

    >>> abs(normal_draw(0.975) - normal_quantile(0.975)) < 1e-13
    True
    """
    centred = u - 0.5
    if abs(centred) <= 0.425:
        return centred * _centre(0.180625 - centred * centred)
    tail = math.sqrt(0.5 * minus_two_log(min(u, 1.0 - u)))
    return math.copysign(_middle(tail - 1.6), centred) if tail <= 5.0 else math.nan


@compilable
def _centre(r: float) -> float:
    above = 33430.575583588128105 + r * 2509.0809287301226727
    above = 45921.953931549871457 + r * (67265.770927008700853 + r * above)
    above = 1971.5909503065514427 + r * (13731.693765509461125 + r * above)
    above = 3.387132872796366608 + r * (133.14166789178437745 + r * above)
    below = 28729.085735721942674 + r * 5226.495278852854561
    below = 21213.794301586595867 + r * (39307.89580009271061 + r * below)
    below = 687.1870074920579083 + r * (5394.1960214247511077 + r * below)
    below = 1.0 + r * (42.313330701600911252 + r * below)
    return above / below


@compilable
def _middle(r: float) -> float:
    above = 0.0227238449892691845833 + r * 7.7454501427834140764e-4
    above = 1.27045825245236838258 + r * (0.24178072517745061177 + r * above)
    above = 5.7694972214606914055 + r * (3.64784832476320460504 + r * above)
    above = 1.42343711074968357734 + r * (4.6303378461565452959 + r * above)
    below = 5.475938084995344946e-4 + r * 1.05075007164441684324e-9
    below = 0.14810397642748007459 + r * (0.0151986665636164571966 + r * below)
    below = 1.6763848301838038494 + r * (0.68976733498510000455 + r * below)
    below = 1.0 + r * (2.05319162663775882187 + r * below)
    return above / below


@compilable
def _far(r: float) -> float:
    above = 2.71155556874348757815e-5 + r * 2.01033439929228813265e-7
    above = 0.026532189526576123093 + r * (0.0012426609473880784386 + r * above)
    above = 1.7848265399172913358 + r * (0.29656057182850489123 + r * above)
    above = 6.6579046435011037772 + r * (5.4637849111641143699 + r * above)
    below = 1.4215117583164458887e-7 + r * 2.04426310338993978564e-15
    below = 7.868691311456132591e-4 + r * (1.8463183175100546818e-5 + r * below)
    below = 0.1369298809227358053 + r * (0.0148753612908506148525 + r * below)
    below = 1.0 + r * (0.59983220655588793769 + r * below)
    return above / below


_SINE = (
    0.785398163397445, -0.08074551218803863, 0.0024903945673670634, -3.6576192120767256e-05,
    3.1333840829093e-07, -1.7365167288597578e-09,
)  # fmt: skip
"""sin(¼ π √r) / √r for 0 ≤ r ≤ 1, to 4e-15."""
_COSINE = (
    0.9999999999999444, -0.3084251375300398, 0.01585434419710652, -0.0003259916875350726,
    3.5904755349763954e-06, -2.426851890411488e-08,
)  # fmt: skip
"""cos(¼ π √r) for 0 ≤ r ≤ 1, to 6e-14."""


def _normals_in_lanes(u: float, v: float) -> tuple[float, float]:
    """Do as `two_normals`, with functions that the compiler inlines."""
    far = math.sqrt(minus_two_log(u))
    # The circle in four quarters: right, top, left, bottom; −1 < w < 1 is the place within one.
    first = v < 0.5
    half = v if first else v - 0.5
    upright = half >= 0.25
    w = 8.0 * half - (3.0 if upright else 1.0)
    across = far * (w * polynomial(w * w, _SINE))
    along = (far if first else -far) * polynomial(w * w, _COSINE)
    return (across, along) if upright else (along, across)


@compiled_as(_normals_in_lanes)
def two_normals(u: float, v: float) -> tuple[float, float]:
    """Turn two independent uniform numbers into two independent normal ones, to 1e-13 of them.

    They are the coordinates of a point at the distance √(−2 log u) from the origin, in the
    direction that v selects. Arithmetic and one root, without branches, so it vectorises.

    Reference: Box & Muller, *A note on the generation of random normal deviates*, 1958.

    >>> one, other = two_normals(0.1, 0.3)
    >>> abs(one * one + other * other + 2.0 * math.log(0.1)) < 1e-12
    True
    """
    # One step at a time, calls of functions would take longer than what they do.
    m, e = math.frexp(u)
    if m < 0.7071067811865476:
        m, e = m + m, e - 1
    s = (m - 1.0) / (m + 1.0)
    first = v < 0.5
    half = v if first else v - 0.5
    upright = half >= 0.25
    w = 8.0 * half - (3.0 if upright else 1.0)
    a, b, c, d, f, g = LOG_TERMS
    r = s * s
    q = r * r
    far = math.sqrt(s * (a + q * (c + q * f) + r * (b + q * (d + q * g))) - TWO_LN_2 * e)
    r = w * w
    q = r * r
    a, b, c, d, f, g = _SINE
    across = far * (w * (a + q * (c + q * f) + r * (b + q * (d + q * g))))
    a, b, c, d, f, g = _COSINE
    along = (far if first else -far) * (a + q * (c + q * f) + r * (b + q * (d + q * g)))
    return (across, along) if upright else (along, across)
