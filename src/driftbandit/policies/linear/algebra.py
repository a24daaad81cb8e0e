"""The algebra of one round for compiled code: d is small, so plain loops do.

V is solved afresh every round by its Cholesky factor. A discount changes all of V at once, and a
window takes out what it added, so there is no update of V⁻¹ that stays exact.
"""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.marking import compilable


@compilable
def fade(sums: Any, squares: Any, targets: Any, factor: float) -> None:
    """Multiply all that is remembered."""
    for i in range(targets.shape[0]):
        targets[i] *= factor
        for j in range(i + 1):
            sums[i, j] *= factor
            squares[i, j] *= factor * factor


@compilable
def add(sums: Any, squares: Any, targets: Any, play: Any, weight: float, square: float) -> None:
    """Add a play, its features and then its reward; only lower triangles are kept."""
    for i in range(targets.shape[0]):
        targets[i] += weight * play[targets.shape[0]] * play[i]
        for j in range(i + 1):
            sums[i, j] += weight * play[i] * play[j]
            squares[i, j] += square * play[i] * play[j]


@compilable
def clear(sums: Any, squares: Any, targets: Any) -> None:
    """Remember nothing."""
    sums[:], squares[:], targets[:] = 0.0, 0.0, 0.0


@compilable
def along(row: Any, factor: float, other: Any) -> None:
    """Add a multiple of another row."""
    for j in range(row.shape[0]):
        row[j] += factor * other[j]


@compilable
def factorise(sums: Any, ridge: float, upper: Any) -> bool:
    """Fill `upper` with Lᵀ, LLᵀ = sums + λI; return whether rounding left the matrix positive.

    Here and below the innermost loop goes along rows and sums nothing up, so that it becomes vector
    code.
    """
    size = upper.shape[0]
    for i in range(size):
        for j in range(i + 1):
            upper[j, i] = sums[i, j]
        upper[i, i] += ridge
    for k in range(size):
        if not upper[k, k] > 0.0:
            return False
        root = 1.0 / math.sqrt(upper[k, k])
        for j in range(k, size):
            upper[k, j] *= root
        for i in range(k + 1, size):
            along(upper[i, i:], -upper[k, i], upper[k, i:])
    return True


@compilable
def invert(upper: Any, inverse: Any) -> None:
    """Fill the lower triangle of `inverse` with L⁻¹."""
    size = upper.shape[0]
    for i in range(size):
        for j in range(i):
            inverse[i, j] = 0.0
        inverse[i, i] = 1.0
    for k in range(size):
        root = 1.0 / upper[k, k]
        for j in range(k + 1):
            inverse[k, j] *= root
        for i in range(k + 1, size):
            along(inverse[i, : k + 1], -upper[k, i], inverse[k])


@compilable
def estimate(inverse: Any, targets: Any, theta: Any) -> None:
    """Fill θ̂ = L⁻ᵀ (L⁻¹ b)."""
    size = theta.shape[0]
    theta[:] = 0.0
    for i in range(size):
        half = 0.0
        for j in range(i + 1):
            half += inverse[i, j] * targets[j]
        for j in range(i + 1):
            theta[j] += inverse[i, j] * half


@compilable
def widen(inner: Any, inverse: Any, whole: Any, root: Any) -> None:
    """Fill G = ŁᵀV⁻¹, where ŁŁᵀ = Ṽ and V⁻¹ = L⁻ᵀL⁻¹, so that GᵀG = V⁻¹ṼV⁻¹; `inner` is Łᵀ."""
    size = root.shape[0]
    whole[:], root[:] = 0.0, 0.0
    for k in range(size):
        for i in range(k + 1):
            along(whole[i, : k + 1], inverse[k, i], inverse[k])
    for i in range(size):
        for k in range(i, size):
            along(root[i], inner[i, k], whole[k])


@compilable
def score(
    actions: Any, theta: Any, root: Any, lower: bool, radius: float, line: Any, index: Any
) -> int:
    """Return the action with the largest aᵀθ̂ + β ‖Ga‖, the first of equals; G may be triangular.

    Each pass goes along the actions, a column each, and becomes vector code.
    """
    size, number = actions.shape
    for k in range(number):
        index[k] = 0.0
    for i in range(size):
        for k in range(number):
            line[k] = root[i, 0] * actions[0, k]
        for j in range(1, i + 1 if lower else size):
            for k in range(number):
                line[k] += root[i, j] * actions[j, k]
        for k in range(number):
            index[k] += line[k] * line[k]
    for k in range(number):
        index[k] = radius * math.sqrt(index[k])
    for i in range(size):
        for k in range(number):
            index[k] += theta[i] * actions[i, k]
    best, top = 0, index[0]
    for k in range(1, number):
        if index[k] > top:
            best, top = k, index[k]
    return best
