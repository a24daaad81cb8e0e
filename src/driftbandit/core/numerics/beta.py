"""The beta law: distribution function and quantiles."""

from __future__ import annotations

import math

from driftbandit.core.marking import compilable


@compilable
def beta_cdf(x: float, a: float, b: float) -> float:
    """Return I_x(a, b) = P(X ≤ x) for X of the beta law with shapes a and b > 0.

    The continued fraction converges fast left of the mean. To the right of it the law is mirrored:
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

    Newton's method, inside a bracket, on log I as a function of log x, which is nearly a straight
    line where x is small. The law is mirrored so that the result lies left of the mean.

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
    # Near 0 the law is x^a / (a B), whose solution is the best starting point for a small shape.
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
        # Every step squares the error: after a step as small as this, only rounding is left.
        if abs(step) <= 1e-10 * abs(y):
            return math.exp(y + step)
        y = y + step if low < y + step < high else 0.5 * (low + high)
    return math.exp(y)


@compilable
def _log_cdf(y: float, x: float, a: float, b: float, log_beta: float) -> float:
    """Return log I_x(a, b) for y = log x, which may lie far below the logarithm of any float."""
    if x <= (a + 1.0) / (a + b + 2.0):
        return _log_left(y, x, a, b, log_beta)
    return math.log1p(-math.exp(_log_left(math.log1p(-x), 1.0 - x, b, a, log_beta)))


@compilable
def _log_beta(a: float, b: float) -> float:
    """Return log B(a, b), without subtracting the large and nearly equal parts of three log Γ."""
    small, large = min(a, b), max(a, b)
    if large < 10.0:
        return _log_gamma(a) + _log_gamma(b) - _log_gamma(a + b)
    total = a + b
    rest = stirling(large) - stirling(total) - (large - 0.5) * math.log1p(small / large)
    if small < 10.0:
        return _log_gamma(small) + small - small * math.log(total) + rest
    ratio = small * math.log(small / total) - 0.5 * math.log(small)
    return 0.9189385332046727 + ratio + stirling(small) + rest


@compilable
def _log_gamma(x: float) -> float:
    """Return log Γ(x) for x > 0; the compiler's lgamma differs from Python's in the last bits."""
    product = 1.0
    while x < 10.0:
        product *= x
        x += 1.0
    return 0.9189385332046727 + (x - 0.5) * math.log(x) - x + stirling(x) - math.log(product)


@compilable
def stirling(x: float) -> float:
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
