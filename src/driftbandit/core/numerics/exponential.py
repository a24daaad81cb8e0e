"""Exponentials and logarithms that vectorise: arithmetic alone, without cases."""

from __future__ import annotations

import math

import numpy as np

from driftbandit.core.marking import compilable, compiled_as

_EXP_TERMS = (
    1.0, 1.0, 0.5, 0.16666666666666421, 0.04166666666666651, 0.0083333333334021,
    0.001388888888893181, 0.00019841269786275093, 2.4801587267259408e-05, 2.755733806780384e-06,
    2.755733098715279e-07, 2.504897129972493e-08, 2.087479843099664e-09, 1.6309412649784643e-10,
    1.1627098130423447e-11,
)  # fmt: skip  # one number per line would fill a screen
"""1 + x + x² q(x), where q is (eˣ − 1 − x) / x² at the 13 Chebyshev points of [−1, 1]."""


@compilable
def exp_within_one(x: float) -> float:
    """Return eˣ for −1 ≤ x ≤ 1 by a polynomial: arithmetic alone, so it vectorises.

    The relative error is below 10⁻¹⁵, and e⁰ is 1.

    >>> import math
    >>> all(abs(exp_within_one(i / 100) / math.exp(i / 100) - 1) < 1e-15 for i in range(-100, 101))
    True
    """
    value = _EXP_TERMS[14]
    for n in range(13, -1, -1):
        value = value * x + _EXP_TERMS[n]
    return value


_ROUNDER = 6755399441055744.0
"""1.5 · 2⁵²: a number added to it loses its digits after the point."""
_PER_LN_2 = 1.4426950408889634
_LN_2_HIGH, _LN_2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10
"""The two parts of log 2: a whole number below 2²⁰ times the first is exact."""


def _power_bits(shifted: float) -> float:
    """Do as `_power_of_two` by arithmetic on the bits of the number."""
    bits = np.float64(shifted).view(np.int64) + np.int64(1023)
    return float(np.int64(bits << np.int64(52)).view(np.float64))


@compiled_as(_power_bits)
def _power_of_two(shifted: float) -> float:
    """Return 2ⁿ for n + `_ROUNDER`, where n is a whole number of −1022 to 1023."""
    return math.ldexp(1.0, int(shifted - _ROUNDER))


@compilable
def exp_of_negative(x: float) -> float:
    """Return e⁻ˣ for x ≥ 0, but never less than e⁻⁷⁰⁰, to a relative 2e-15; arithmetic alone.

    −x is n log 2 + r with a whole n and |r| ≤ ½ log 2; n becomes the binary exponent.

    >>> import math
    >>> abs(exp_of_negative(1.0) * math.e - 1.0) < 1e-14
    True
    >>> exp_of_negative(0.0)
    1.0
    """
    y = -min(x, 700.0)
    shifted = y * _PER_LN_2 + _ROUNDER
    n = shifted - _ROUNDER
    r = (y - n * _LN_2_HIGH) - n * _LN_2_LOW
    return exp_within_one(r) * _power_of_two(shifted)


TWO_LN_2 = 1.3862943611198906
_HALF_ROOT = np.int64(0x3FE6A09E667F3BCD)
"""The bits of √½."""
_EXPONENT = np.int64(-(2**52))
"""The bits of a number that are its sign and exponent."""
LOG_TERMS = (
    -3.9999999999998943, -1.3333333335917075, -0.7999998977977625, -0.5714433271492453,
    -0.4434848132170796, -0.392164707575758,
)  # fmt: skip  # one number per line would fill a screen
"""−4 artanh(√r) / √r for 0 ≤ r ≤ (3 − √8)², to a relative 3e-14."""


def _split_bits(u: float) -> tuple[float, float]:
    """Do as `split` by arithmetic on the bits of u."""
    bits = np.float64(u).view(np.int64)
    power = (bits - _HALF_ROOT) & _EXPONENT
    return float(np.int64(bits - power).view(np.float64)), float(power >> np.int64(52))


@compiled_as(_split_bits)
def split(u: float) -> tuple[float, float]:
    """Return m and e of u = m·2ᵉ with √½ ≤ m < √2, for a normal number u > 0.

    >>> split(6.0)
    (0.75, 3.0)
    """
    m, e = math.frexp(u)
    return (m, float(e)) if m >= 0.7071067811865476 else (m + m, e - 1.0)


@compilable
def minus_two_log(u: float) -> float:
    """Return −2 log u for a normal number u > 0, to a relative 5e-14; arithmetic alone.

    u is m·2ᵉ with √½ ≤ m < √2, and log m = 2 artanh((m − 1) / (m + 1)).

    >>> import math
    >>> abs(minus_two_log(0.01) / math.log(0.01) + 2.0) < 1e-13
    True
    """
    m, e = split(u)
    s = (m - 1.0) / (m + 1.0)
    return s * polynomial(s * s, LOG_TERMS) - TWO_LN_2 * e


@compilable
def polynomial(r: float, terms: tuple[float, float, float, float, float, float]) -> float:
    """Return the polynomial with these six coefficients at r.

    Even and odd powers are summed apart: the processor computes two short chains at once.
    """
    square = r * r
    even = terms[0] + square * (terms[2] + square * terms[4])
    return even + r * (terms[1] + square * (terms[3] + square * terms[5]))


@compilable
def log_odds(u: float) -> float:
    """Return log(u / (1 − u)) for 0 < u < 1 to a relative 5e-14; arithmetic alone.

    Below 1e-18 and above 1 − 1e-18 it stays as it is there: −41.4 and 41.4.

    >>> round(log_odds(0.75), 12), log_odds(0.5)
    (1.098612288668, 0.0)
    """
    return -0.5 * minus_two_log(max(u, 1e-18) / max(1.0 - u, 1e-18))
