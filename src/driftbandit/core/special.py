"""The normal and beta laws: distribution, quantiles and draws, as plain scalar functions.

They run as they are and compiled, with the same bits: only `math` functions that both sides take
from the same place, and no powers.
"""

from __future__ import annotations

import math

import numpy as np

from driftbandit.core.marking import compilable


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


_TWO_LN_2 = 1.3862943611198906
_HALF_ROOT = np.int64(0x3FE6A09E667F3BCD)
"""The bits of √½."""
_EXPONENT = np.int64(-(2**52))
"""The bits of a number that are its sign and exponent."""
_LOG = (
    -3.9999999999998943, -1.3333333335917075, -0.7999998977977625, -0.5714433271492453,
    -0.4434848132170796, -0.392164707575758,
)  # fmt: skip  # a number a line would fill a screen
"""−4 artanh(√r) / √r for 0 ≤ r ≤ (3 − √8)², to a relative 3e-14."""
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


@compilable
def two_normals(u: float, v: float) -> tuple[float, float]:
    """Turn two independent uniform numbers into two independent normal ones, to 1e-13 of them.

    They are the coordinates of a point at the distance √(−2 log u) from the origin, in a direction
    that v chooses. Arithmetic and a root alone, without cases, so it vectorises.

    Reference: Box & Muller, *A note on the generation of random normal deviates*, 1958.

    >>> one, other = two_normals(0.1, 0.3)
    >>> abs(one * one + other * other + 2.0 * math.log(0.1)) < 1e-12
    True
    """
    far = math.sqrt(minus_two_log(u))
    # The circle in four quarters, right, top, left, bottom; −1 < w < 1 is the place in one.
    first = v < 0.5
    half = v if first else v - 0.5
    upright = half >= 0.25
    w = 8.0 * half - (3.0 if upright else 1.0)
    across = far * (w * _sixth(w * w, _SINE))
    along = (far if first else -far) * _sixth(w * w, _COSINE)
    return (across, along) if upright else (along, across)


@compilable
def minus_two_log(u: float) -> float:
    """Return −2 log u for a normal number u > 0, to a relative 5e-14; arithmetic alone.

    u is m·2ᵉ with √½ ≤ m < √2, and log m = 2 artanh((m − 1) / (m + 1)).

    >>> abs(minus_two_log(0.01) / math.log(0.01) + 2.0) < 1e-13
    True
    """
    bits = np.float64(u).view(np.int64)
    power = (bits - _HALF_ROOT) & _EXPONENT
    m = float(np.int64(bits - power).view(np.float64))
    s = (m - 1.0) / (m + 1.0)
    return s * _sixth(s * s, _LOG) - _TWO_LN_2 * float(power >> np.int64(52))


@compilable
def _sixth(r: float, terms: tuple[float, float, float, float, float, float]) -> float:
    """Return the polynomial with these six terms at r.

    Even and odd powers apart: of two short chains the processor computes both at once.
    """
    square = r * r
    even = terms[0] + square * (terms[2] + square * terms[4])
    return even + r * (terms[1] + square * (terms[3] + square * terms[5]))


@compilable
def beta_cdf(x: float, a: float, b: float) -> float:
    """Return I_x(a, b) = P(X ≤ x) for X of the beta law with shapes a and b > 0.

    The continued fraction converges fast left of the mean; to its right the law is mirrored,
    I_x(a, b) = 1 − I_{1−x}(b, a).

    >>> round(beta_cdf(0.5, 2.0, 3.0), 12)
    0.6875
    """
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    if x <= (a + 1.0) / (a + b + 2.0):
        return math.exp(_log_left(math.log(x), x, a, b, _log_beta(a, b)))
    return 1.0 - math.exp(_log_left(math.log1p(-x), 1.0 - x, b, a, _log_beta(a, b)))


@compilable
def beta_quantile(u: float, a: float, b: float) -> float:
    """Return the x with I_x(a, b) = u, for shapes a and b > 0, small ones too.

    Newton's method on log I as a function of log x (nearly a straight line where x is small),
    kept inside a bracket; the law is mirrored so that the answer lies left of the mean.

    >>> round(beta_quantile(0.6875, 2.0, 3.0), 12)
    0.5
    """
    if u <= 0.0:
        return 0.0
    if u >= 1.0:
        return 1.0
    if u <= beta_cdf(a / (a + b), a, b):
        return _left_quantile(u, a, b)
    return 1.0 - _left_quantile(1.0 - u, b, a)


@compilable
def _left_quantile(u: float, a: float, b: float) -> float:
    log_u, log_beta = math.log(u), _log_beta(a, b)
    low, high = -745.0, math.log(min(a / (a + b), 1.0 - 2.0**-53))
    # Near 0 the law is x^a / (a B), whose solution is the best start for a small shape.
    y = high if a > 1.0 else min(high, (log_u + math.log(a) + log_beta) / a)
    if y <= low:
        return 0.0
    for _ in range(200):
        x = math.exp(y)
        value = _log_cdf(y, x, a, b, log_beta)
        if value < log_u:
            low = y
        else:
            high = y
        slope = math.exp(a * y + (b - 1.0) * math.log1p(-x) - log_beta - value)
        step = (log_u - value) / slope if slope > 0.0 else -math.inf
        # The error is squared at every step: after one as small as this, it is rounding alone.
        if abs(step) <= 1e-10 * abs(y):
            return math.exp(y + step)
        y = y + step if low < y + step < high else 0.5 * (low + high)
    return math.exp(y)


@compilable
def _log_cdf(y: float, x: float, a: float, b: float, log_beta: float) -> float:
    """Return log I_x(a, b) given y = log x, which may be far below what x itself can hold."""
    if x <= (a + 1.0) / (a + b + 2.0):
        return _log_left(y, x, a, b, log_beta)
    return math.log1p(-math.exp(_log_left(math.log1p(-x), 1.0 - x, b, a, log_beta)))


@compilable
def _log_beta(a: float, b: float) -> float:
    """Return log B(a, b); the large parts of the three log Γ cancel on paper, not in rounding."""
    small, large = min(a, b), max(a, b)
    if large < 10.0:
        return _log_gamma(a) + _log_gamma(b) - _log_gamma(a + b)
    total = a + b
    rest = _stirling(large) - _stirling(total) - (large - 0.5) * math.log1p(small / large)
    if small < 10.0:
        return _log_gamma(small) + small - small * math.log(total) + rest
    ratio = small * math.log(small / total) - 0.5 * math.log(small)
    return 0.9189385332046727 + ratio + _stirling(small) + rest


@compilable
def _log_gamma(x: float) -> float:
    """Return log Γ(x) for x > 0 (the compiler's own lgamma differs from Python's in the end)."""
    product = 1.0
    while x < 10.0:
        product *= x
        x += 1.0
    return 0.9189385332046727 + (x - 0.5) * math.log(x) - x + _stirling(x) - math.log(product)


@compilable
def _stirling(x: float) -> float:
    """Return log Γ(x) − ½ log 2π − (x − ½) log x + x for x ≥ 10, by its asymptotic series."""
    s = 1.0 / (x * x)
    series = 1.0 / 1260.0 - s * (1.0 / 1680.0 - s * (1.0 / 1188.0 - s * 691.0 / 360360.0))
    return (1.0 / 12.0 - s * (1.0 / 360.0 - s * series)) / x


@compilable
def _log_left(y: float, x: float, a: float, b: float, log_beta: float) -> float:
    """Return log I_x(a, b) by the continued fraction, for x left of the mean and y = log x."""
    front = a * y + b * math.log1p(-x) - math.log(a) - log_beta
    return min(0.0, front - math.log(_fraction(x, a, b)))


@compilable
def _fraction(x: float, a: float, b: float) -> float:
    """Return 1 + d₁/(1 + d₂/(1 + …)) of the incomplete beta function, by Lentz's method.

    Reference: NIST Digital Library of Mathematical Functions, 8.17.22.
    """
    value, c, d = 1.0, 1.0, 0.0
    for m in range(10_000):
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        even = (m + 1.0) * (b - m - 1.0) * x / ((a + 2 * m + 1.0) * (a + 2 * m + 2.0))
        change = 1.0
        for term in (odd, even):
            d = 1.0 / _nonzero(1.0 + term * d)
            c = _nonzero(1.0 + term / c)
            change *= c * d
        value *= change
        if abs(change - 1.0) < 1e-16:
            break
    return value


@compilable
def _nonzero(x: float) -> float:
    return x if abs(x) > 1e-300 else 1e-300


_EXP_TERMS = (
    1.0, 1.0, 0.5, 0.16666666666666421, 0.04166666666666651, 0.0083333333334021,
    0.001388888888893181, 0.00019841269786275093, 2.4801587267259408e-05, 2.755733806780384e-06,
    2.755733098715279e-07, 2.504897129972493e-08, 2.087479843099664e-09, 1.6309412649784643e-10,
    1.1627098130423447e-11,
)  # fmt: skip  # a number a line would fill a screen
"""1 + x + x² q(x), where q is (eˣ − 1 − x) / x² at the 13 Chebyshev points of [−1, 1]."""


@compilable
def exp_within_one(x: float) -> float:
    """Return eˣ for −1 ≤ x ≤ 1 by a polynomial: arithmetic alone, so it vectorises.

    The relative error is below 10⁻¹⁵, and e⁰ is 1.

    >>> all(abs(exp_within_one(i / 100) / math.exp(i / 100) - 1) < 1e-15 for i in range(-100, 101))
    True
    """
    value = _EXP_TERMS[14]
    for n in range(13, -1, -1):
        value = value * x + _EXP_TERMS[n]
    return value


_ROUNDER = 6755399441055744.0
"""1.5 · 2⁵²: a number added to it loses all that comes after the point."""
_PER_LN_2 = 1.4426950408889634
_LN_2_HIGH, _LN_2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10
"""The two parts of log 2: a whole number below 2²⁰ times the first is exact."""


@compilable
def exp_of_negative(x: float) -> float:
    """Return e⁻ˣ for x ≥ 0, to a relative 2e-15, and below e⁻⁷⁰⁰ that; arithmetic alone.

    −x is n log 2 + r with a whole n and |r| ≤ ½ log 2; the n becomes an exponent.

    >>> abs(exp_of_negative(1.0) * math.e - 1.0) < 1e-14
    True
    >>> exp_of_negative(0.0)
    1.0
    """
    y = -min(x, 700.0)
    shifted = y * _PER_LN_2 + _ROUNDER
    n = shifted - _ROUNDER
    r = (y - n * _LN_2_HIGH) - n * _LN_2_LOW
    bits = np.float64(shifted).view(np.int64) + np.int64(1023)
    return exp_within_one(r) * float(np.int64(bits << np.int64(52)).view(np.float64))
