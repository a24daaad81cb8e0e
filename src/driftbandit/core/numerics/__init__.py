"""Numerics as plain scalar functions: the normal and beta laws, exponentials, divergences.

They run as they are and compiled, with the same bits: only `math` functions that both sides take
from the same place, and no powers. Functions of arithmetic and roots alone, in a fixed order and
without cases, become vector code in a loop over lanes, with the bits of a single call. The laws of
the argmax are the exception: they are NumPy, for live agents alone.
"""

from driftbandit.core.numerics.argmax import beta_argmax, normal_argmax
from driftbandit.core.numerics.beta import beta_cdf, beta_quantile
from driftbandit.core.numerics.divergence import (
    bernoulli_divergence,
    bernoulli_point,
    bernoulli_upper,
)
from driftbandit.core.numerics.exponential import (
    exp_of_negative,
    exp_within_one,
    log_odds,
    minus_two_log,
)
from driftbandit.core.numerics.grid import (
    cell_value,
    cells_of,
    six_point_error,
    spline_error,
    spline_of,
    spline_value,
)
from driftbandit.core.numerics.normal import normal_cdf, normal_draw, normal_quantile, two_normals
from driftbandit.core.numerics.rounding import ceiling_of, floor_of

__all__ = [
    "bernoulli_divergence",
    "bernoulli_point",
    "bernoulli_upper",
    "beta_argmax",
    "beta_cdf",
    "beta_quantile",
    "ceiling_of",
    "cell_value",
    "cells_of",
    "exp_of_negative",
    "exp_within_one",
    "floor_of",
    "log_odds",
    "minus_two_log",
    "normal_argmax",
    "normal_cdf",
    "normal_draw",
    "normal_quantile",
    "six_point_error",
    "spline_error",
    "spline_of",
    "spline_value",
    "two_normals",
]
