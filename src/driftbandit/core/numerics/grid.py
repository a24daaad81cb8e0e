"""Smooth functions on an even grid: a value between nodes comes from a polynomial through nodes.

In one dimension the polynomial of a cell goes through six nodes: two before the cell, its two ends,
and two behind it. In two dimensions it is a quadratic spline, made of three by three coefficients.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.lanes import FAR
from driftbandit.core.marking import compilable

Array = NDArray[np.float64]

SIX = 6
"""Nodes that the polynomial of a cell goes through, and numbers that a cell needs."""


@compilable
def cell_value(table: Any, start: int, place: float) -> float:
    """Return the value at `place` ≥ 0, counted in cells, of the cells that begin at `start`.

    >>> cells = cells_of(np.arange(-2.0, 7.0) ** 3).ravel()  # nodes −2 to 6: cells from 0 to 4
    >>> round(float(cell_value(cells, 0, 2.5)), 12)
    15.625
    """
    number = int(place)
    at = (start + 6 * number) & FAR
    x = place - number
    square = x * x
    low, middle = table[at] + x * table[at + 1], table[at + 2] + x * table[at + 3]
    return low + square * (middle + square * (table[at + 4] + x * table[at + 5]))  # type: ignore[no-any-return]  # floats


def cells_of(nodes: Array) -> Array:
    """Return the coefficients of all cells between the third node and the last but two.

    Sums are taken in a fixed order, so the result has the same bits on every machine.

    >>> (cells_of(np.array([4.0, 1.0, 0.0, 1.0, 4.0, 9.0])).round(12) + 0.0).tolist()
    [[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]]
    """
    cells = nodes.size - SIX + 1
    windows = [nodes[node : node + cells] for node in range(SIX)]
    columns = [
        sum((weight * window for weight, window in zip(row, windows, strict=True)), start=0.0)
        for row in _six_point_weights()
    ]
    return np.stack(np.broadcast_arrays(*columns), axis=1)


def six_point_error(nodes: Array) -> float:
    """Return how far `cells_of` is from the function whose values at the nodes are given, at most.

    Between two nodes the error is |f⁽⁶⁾| h⁶ / 6! · |(x+2)(x+1)x(x−1)(x−2)(x−3)|, and the product is
    at most 225/64. The sixth difference of seven nodes is f⁽⁶⁾ h⁶ at a point between them; twice
    the largest one leaves room for how f⁽⁶⁾ changes from there.

    >>> six_point_error(np.arange(9.0) ** 5)
    0.0
    """
    return float(2.0 * 225.0 / 64.0 / 720.0 * np.abs(np.diff(nodes, SIX)).max())


@functools.cache
def _six_point_weights() -> list[list[float]]:
    """Return by how much each node counts in each coefficient: Lagrange's polynomials."""
    columns = []
    for node in range(-2, 4):
        terms = [Fraction(1)]  # coefficients of ∏ (x − other) / (node − other)
        for other in set(range(-2, 4)) - {node}:
            shifted = [Fraction(0), *terms]
            terms = [
                (high - other * low) / (node - other)
                for high, low in zip(shifted, [*terms, Fraction(0)], strict=True)
            ]
        columns.append([float(term) for term in terms])
    return [list(row) for row in zip(*columns, strict=True)]


@compilable
def spline_value(table: Any, start: int, width: int, place: float, row: float) -> float:
    """Return the value of a spline at (row, place), counted in nodes; a row has `width` of them.

    It needs three by three nodes, so both numbers lie half a node or more from the outermost.

    >>> rows, places = np.ogrid[0:30, 0:40]
    >>> spline = spline_of(np.sin(rows / 9.0) * np.cos(places / 9.0))
    >>> truth = np.sin(11.6 / 9.0) * np.cos(22.3 / 9.0)
    >>> bool(abs(spline_value(spline.ravel(), 0, 40, 22.3, 11.6) - truth) < 1e-4)
    True
    """
    number, line = int(place + 0.5), int(row + 0.5)
    x, y = place - number, row - line
    left, right = 0.5 - x, 0.5 + x
    a, b, c = 0.5 * (left * left), 0.75 - x * x, 0.5 * (right * right)
    above, below = 0.5 - y, 0.5 + y
    i = (start + (line - 1) * width + number - 1) & FAR
    j, k = (i + width) & FAR, (i + 2 * width) & FAR
    first = a * table[i] + b * table[i + 1] + c * table[i + 2]
    second = a * table[j] + b * table[j + 1] + c * table[j + 2]
    third = a * table[k] + b * table[k + 1] + c * table[k + 2]
    outer = 0.5 * (above * above) * first + 0.5 * (below * below) * third
    return outer + (0.75 - y * y) * second  # type: ignore[no-any-return]  # floats


def spline_of(nodes: Array) -> Array:
    """Return the coefficients of the quadratic spline with these values at the nodes of a grid.

    In each direction a value is an eighth of the coefficients beside it and six eighths of its own.
    This is solved by repetition, which halves the error each time. Coefficients at the border
    are taken as the values there; this is felt by 0.17ⁿ at the n-th node from it.

    >>> spline_of(np.full((3, 3), 0.5)).tolist() == np.full((3, 3), 0.5).tolist()
    True
    """
    return _solved(_solved(nodes).T).T


def spline_error(nodes: Array) -> float:
    """Return how far `spline_of` is from a smooth function with these values at the nodes, at most.

    In one direction the error is √3/216 · |f‴| h³ and terms of h⁴, since the spline misses x³ by
    the periodic Bernoulli polynomial of degree 3. Errors of both directions add up, and a tenth
    more leaves room for those terms.

    >>> spline_error(np.add.outer(np.arange(5.0) ** 2, np.arange(6.0) ** 2))
    0.0
    """
    along, across = (np.abs(np.diff(nodes, 3, axis=axis)) for axis in (1, 0))
    return float(1.1 * math.sqrt(3.0) / 216.0 * (along[1:-2] + across[:, 1:-2]).max())


def _solved(nodes: Array) -> Array:
    """Solve for the coefficients along the first direction."""
    spline = nodes.copy()
    for _ in range(50):
        bend = spline[:-2] - 2.0 * spline[1:-1] + spline[2:]
        spline[1:-1] = nodes[1:-1] - 0.125 * bend
    return spline
