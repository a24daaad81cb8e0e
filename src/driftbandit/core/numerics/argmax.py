"""The law of the argmax: which of several independent draws is the largest, by quadrature.

P(i) = ∫ f_i(x) Π_{j≠i} F_j(x) dx. For a live agent that reports the probability of its choice. This
is NumPy on arrays, and not for compiled code.

The axis is cut off below where one of the draws lies almost surely above, and above where none
reaches; a law that never gets beyond the lower end has the probability 0.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.numerics.beta import stirling
from driftbandit.core.numerics.panels import Array, largest_of, panel_edges, panel_points

_STEPS = np.array([1.07, 3.21, 5.36, 7.5])
"""The knots of a ladder on each side, in standard deviations of a normal law."""
_DROPS = 0.5 * _STEPS * _STEPS
"""How far the logarithm of a density falls from its mode to each knot."""
_BEND = np.array([-26.0, -13.0, -5.0, -1.0, 1.5])
"""Knots where the density of log-odds, for a shape below 1, stops being an exponential."""
_HALF_LOG_2_PI = 0.9189385332046727


_NARROWEST = 1e-10
"""The least deviation, relative to the largest mean: knots must lie further apart than numbers."""


def normal_argmax(means: Sequence[float], deviations: Sequence[float]) -> list[float]:
    """Return the probability of each of some independent normal draws to be the largest.

    `deviations` are the standard deviations, above 0.

    >>> [round(share, 9) for share in normal_argmax([0.0, 0.0, -9.0], [1.0, 2.0, 0.1])]
    [0.5, 0.5, 0.0]
    """
    laws = np.array([means, deviations], dtype=float)
    laws[1] = np.maximum(laws[1], _NARROWEST * np.abs(laws[0]).max())
    steps = laws[1][:, None] * _STEPS
    ladders = _ladders(laws[0], steps, steps)
    reach = _reaching(ladders)
    mean, deviation = laws[:, reach, None]
    points, halves = _points(ladders[reach], [])
    z = (points - mean) / deviation
    densities = np.exp(-0.5 * z * z - (np.log(deviation) + _HALF_LOG_2_PI))
    return _shares(len(means), reach, largest_of(densities, halves))


def beta_argmax(alphas: Sequence[float], betas: Sequence[float]) -> list[float]:
    """Return the probability of each of some independent beta draws to be the largest.

    The variable is u = log x/(1 − x), in which the density x^α (1 − x)^β / B(α, β) is smooth for
    all shapes α, β > 0, small ones too.

    >>> [round(share, 9) for share in beta_argmax([1.0, 2.0], [1.0, 1.0])]
    [0.333333333, 0.666666667]
    """
    return list(_beta_argmax(tuple(alphas), tuple(betas)))


@functools.lru_cache(maxsize=64)
def _beta_argmax(alphas: tuple[float, ...], betas: tuple[float, ...]) -> tuple[float, ...]:
    """Do so; a live agent often asks again before anything has changed."""
    arms = [_beta_arm(float(a), float(b)) for a, b in zip(alphas, betas, strict=True)]
    ladders, heights = np.array([arm[0] for arm in arms]), np.array([arm[1] for arm in arms])
    reach = _reaching(ladders)
    a, b = np.array([alphas, betas], dtype=float)[:, reach]
    points, halves = _points(ladders[reach], [*_bends(a, a + b), *-_bends(b, a + b)[:, ::-1]])
    softplus = np.log1p(np.exp(-np.abs(points)))
    to_zero, to_one = softplus + np.maximum(-points, 0.0), softplus + np.maximum(points, 0.0)
    logs = heights[reach, None] - a[:, None] * to_zero
    logs -= b[:, None] * to_one
    return tuple(_shares(len(alphas), reach, largest_of(np.exp(logs, out=logs), halves)))


def _ladders(modes: Array, left: Array, right: Array) -> Array:
    """Return the knots of each law, from the distances of those left and right of its mode."""
    return np.hstack([modes[:, None] - left[:, ::-1], modes[:, None] + right])


def _reaching(ladders: Array) -> NDArray[np.intp]:
    """Return the places of the laws that reach above the lowest value that the largest can have."""
    return np.flatnonzero(ladders[:, -1] > ladders[:, 0].max())


def _points(ladders: Array, more: Sequence[Array]) -> tuple[Array, Array]:
    """Return the points where densities are needed, and half the width of each panel of them."""
    starts = np.concatenate([ladders[:, :-1].ravel(), *(row[:-1] for row in more)])
    ends = np.concatenate([ladders[:, 1:].ravel(), *(row[1:] for row in more)])
    low, high = float(ladders[:, 0].max()), float(ladders[:, -1].max())
    return panel_points(panel_edges(starts, ends, low, high))


def _shares(size: int, reach: NDArray[np.intp], masses: Array) -> list[float]:
    """Return the masses of the laws that reach, and 0 for others, divided by their sum."""
    shares = np.zeros(size)
    shares[reach] = masses / masses.sum()
    return shares.tolist()


@functools.lru_cache(maxsize=1024)
def _beta_arm(a: float, b: float) -> tuple[tuple[float, ...], float]:
    """Return the knots of a beta law in log-odds, whose mode is log a/b, and −log B(a, b).

    From one round to the next, few arms of a policy change.
    """
    mode, left, right = math.log(a / b), _beyond(b, a), _beyond(a, b)
    knots = *(mode - step for step in reversed(left)), *(mode + step for step in right)
    return knots, _log_inverse_beta(a, b)


def _beyond(a: float, b: float) -> list[float]:
    """Return how far right of its mode log a/b a log-density falls by each drop, or a bit more.

    With p = a/n, n = a + b, it falls by n kl(p, q) up to q. The result is the lower of two upper
    bounds: that of kl ≥ (q − p)² / 2q(1 − p), and that of the straight line to which the
    log-density tends.
    """
    n, odds, beyond = a + b, b / a, []
    line = n * math.log1p(odds)
    for drop in _DROPS.tolist():
        d = drop / n
        e = d + math.sqrt(d * (d + 2.0 / odds))
        straight = (drop + line) / b
        curved = math.log1p(e * odds) - math.log1p(-e) if e < 0.99 else straight
        beyond.append(min(straight, curved))
    return beyond


def _bends(a: Array, n: Array) -> Array:
    """Return knots for each shape a < 1, where (a + b) e^u is no longer negligible."""
    small = a < 1.0
    return _BEND - np.log(np.maximum(n[small], 1.0))[:, None]


def _log_inverse_beta(a: float, b: float) -> float:
    """Return −log B(a, b), without subtracting the large and nearly equal parts of three log Γ."""
    n = a + b
    rest = _rest(n) - _rest(a) - _rest(b)
    modes = a * math.log1p(b / a) + b * math.log1p(a / b)
    return modes + 0.5 * math.log(a / n * b) - _HALF_LOG_2_PI + rest


def _rest(x: float) -> float:
    """Return log Γ(x) − ½ log 2π − (x − ½) log x + x."""
    if x < 10.0:
        return math.lgamma(x) - _HALF_LOG_2_PI - (x - 0.5) * math.log(x) + x
    return stirling(x)
