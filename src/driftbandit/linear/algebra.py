"""The algebra of one round for compiled code: d is small, so plain loops do.

V is solved afresh every round by its Cholesky factor. A discount changes all of V at once, and a
window takes out what it added, so there is no update of V⁻¹ that stays exact.
"""

from __future__ import annotations

import math
from typing import Any

from driftbandit.marking import compilable


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
def factorise(sums: Any, ridge: float, lower: Any) -> bool:
    """Fill `lower` with L, LLᵀ = sums + λI; return whether rounding left the matrix positive."""
    for i in range(lower.shape[0]):
        for j in range(i + 1):
            rest = sums[i, j] + (ridge if i == j else 0.0)
            for k in range(j):
                rest -= lower[i, k] * lower[j, k]
            if i > j:
                lower[i, j] = rest / lower[j, j]
            elif rest > 0.0:
                lower[i, i] = math.sqrt(rest)
            else:
                return False
    return True


@compilable
def invert(lower: Any, inverse: Any) -> None:
    """Fill the lower triangle of `inverse` with L⁻¹."""
    for j in range(lower.shape[0]):
        inverse[j, j] = 1.0 / lower[j, j]
        for i in range(j + 1, lower.shape[0]):
            rest = 0.0
            for k in range(j, i):
                rest -= lower[i, k] * inverse[k, j]
            inverse[i, j] = rest / lower[i, i]


@compilable
def estimate(inverse: Any, targets: Any, half: Any, theta: Any) -> None:
    """Fill θ̂ = L⁻ᵀ (L⁻¹ b)."""
    size = theta.shape[0]
    for i in range(size):
        half[i] = 0.0
        for j in range(i + 1):
            half[i] += inverse[i, j] * targets[j]
    for j in range(size):
        theta[j] = 0.0
        for i in range(j, size):
            theta[j] += inverse[i, j] * half[i]


@compilable
def widen(inner: Any, inverse: Any, whole: Any, root: Any) -> None:
    """Fill G = ŁᵀV⁻¹, where ŁŁᵀ = Ṽ and V⁻¹ = L⁻ᵀL⁻¹, so that GᵀG = V⁻¹ṼV⁻¹."""
    size = root.shape[0]
    for i in range(size):
        for j in range(i + 1):
            total = 0.0
            for k in range(i, size):
                total += inverse[k, i] * inverse[k, j]
            whole[i, j] = whole[j, i] = total
    for i in range(size):
        for j in range(size):
            total = 0.0
            for k in range(i, size):
                total += inner[k, i] * whole[k, j]
            root[i, j] = total


@compilable
def score(
    actions: Any, theta: Any, root: Any, lower: bool, radius: float, line: Any, found: Any
) -> int:
    """Return the action with the largest aᵀθ̂ + β ‖Ga‖, the first of equals; G may be triangular.

    Each pass goes along the actions, a column each, and becomes vector code.
    """
    size, number = actions.shape
    for k in range(number):
        found[k] = 0.0
    for i in range(size):
        for k in range(number):
            line[k] = root[i, 0] * actions[0, k]
        for j in range(1, i + 1 if lower else size):
            for k in range(number):
                line[k] += root[i, j] * actions[j, k]
        for k in range(number):
            found[k] += line[k] * line[k]
    for k in range(number):
        found[k] = radius * math.sqrt(found[k])
    for i in range(size):
        for k in range(number):
            found[k] += theta[i] * actions[i, k]
    best, top = 0, found[0]
    for k in range(1, number):
        if found[k] > top:
            best, top = k, found[k]
    return best
