"""Integrals over panels whose width follows many laws at once, wide and narrow ones.

A ladder is an increasing row of knots that divides the range of one law so finely that a polynomial
describes its density between two neighbours, which is a rung. Panels are laid for all ladders
together: none is wider than the rungs there.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

NODES = 16
"""Points per panel: enough for a normal density over two standard deviations, to 1e-12."""
_JUMP = 4.0
"""Where the density of panels changes by more than this factor, a panel ends."""


def panel_edges(starts: Array, ends: Array, low: float, high: float) -> Array:
    """Return the edges of panels from low to high, for rungs from `starts` to `ends`.

    The density of panels is the largest 1 / (end − start) of the rungs there, so that equal ladders
    need no more panels than one. The rungs must cover the range without a gap.

    >>> panel_edges(np.array([0.0, 1.0]), np.array([1.0, 3.0]), 0.0, 3.0).tolist()
    [0.0, 1.0, 3.0]
    """
    inside = (starts < high) & (ends > low) & (starts < ends)
    starts, ends = starts[inside], ends[inside]
    knots = np.sort(np.concatenate([starts, ends]).clip(low, high))
    knots = knots[np.concatenate([[True], knots[1:] > knots[:-1]])]
    density = _largest_over(knots, starts, ends)
    levels = _sums(density * (knots[1:] - knots[:-1]))
    ratios = density[1:] / density[:-1]
    jumps = (ratios > _JUMP) | (ratios * _JUMP < 1.0)
    stops = levels[np.concatenate([[True], jumps, [True]])]
    whole = _sums(np.ceil(stops[1:] - stops[:-1] - 1e-9))
    edges: Array = np.interp(np.arange(whole[-1] + 1.0), np.interp(levels, stops, whole), knots)
    return edges


def _largest_over(knots: Array, starts: Array, ends: Array) -> Array:
    """Return the largest 1 / (end − start) of the rungs over each interval between two knots."""
    left = knots[:-1]
    over = (starts[:, None] <= left) & (left < ends[:, None])
    largest: Array = (over / (ends - starts)[:, None]).max(axis=0)
    return largest


def _sums(steps: Array) -> Array:
    return np.concatenate([[0.0], steps.cumsum()])


def panel_points(edges: Array) -> tuple[Array, Array]:
    """Return the Gauss–Legendre points of all panels, in order, and half of each panel's width."""
    halves = 0.5 * (edges[1:] - edges[:-1])
    points = (edges[:-1] + halves)[:, None] + halves[:, None] * _rule()[0]
    return points.ravel(), halves


def largest_of(densities: Array, halves: Array) -> Array:
    """Return ∫ f_i Π_{j≠i} F_j for densities f_i, one row per law, at the points of panels.

    1 − F_j is the integral of the polynomials through f_j from a point to the upper end, which must
    lie above all but a negligible part of every law. The product leaves out F_i by a division:
    where F_i is lost to rounding, and held at 1e-14, there is as little of law i.

    >>> points, halves = panel_points(np.array([0.0, 1.0]))
    >>> largest_of(np.array([2.0 * points, 3.0 * points**2]), halves).round(12).tolist()
    [0.4, 0.6]
    """
    _, weights, tails = _rule()
    laws, panels = densities.shape[0], halves.size
    values = densities.reshape(laws, panels, NODES) * halves[:, None]
    flat = values.reshape(laws * panels, NODES)
    masses = (flat @ weights).reshape(laws, panels)
    above = masses[:, ::-1].cumsum(axis=1)[:, ::-1] - masses
    below = 1.0 - above[:, :, None] - (flat @ tails).reshape(values.shape)
    np.maximum(below, 1e-14, out=below)
    values *= weights
    values /= below
    values *= below.prod(axis=0)
    shares: Array = values.reshape(laws, -1).sum(axis=1)
    return shares


@functools.cache
def _rule() -> tuple[Any, Any, Any]:
    """Return points x and weights of [−1, 1], and the matrix of ∫_{x_i}^1 of polynomial k.

    Polynomial k is 1 at x_k and 0 at the other points: w_k Σ_m (m + ½) P_m(x_k) P_m(x). The
    integral of (2m + 1) P_m(x) from x_i to 1 is P_{m−1}(x_i) − P_{m+1}(x_i).
    """
    points, weights = np.polynomial.legendre.leggauss(NODES)
    values = np.polynomial.legendre.legvander(points, NODES)
    integrals = np.empty((NODES, NODES))
    integrals[0] = 1.0 - points
    integrals[1:] = (values[:, :-2] - values[:, 2:]).T
    tails = weights[:, None] * (values[:, :-1] @ integrals) * 0.5
    return points, weights, tails
