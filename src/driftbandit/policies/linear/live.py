"""What a linear policy remembers of one run, with NumPy: weighted sums over the plays."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.errors import InputError
from driftbandit.policies.linear.schedule import CLEAR, REBUILD

if TYPE_CHECKING:
    from driftbandit.policies.linear.policy import LinearPolicy

Array = NDArray[np.float64]


class Play(NamedTuple):
    """A play in the window, and the factor of its round."""

    action: Array
    reward: float
    factor: float


class Regression:
    """Discounted or windowed ridge regression.

    The sums leave out the ridge: γV + (1−γ)λI with V = A + λI is γA + λI.
    """

    def __init__(self, policy: LinearPolicy, dimension: int) -> None:
        self.policy, self.dimension = policy, dimension
        self.schedule = policy.schedule(dimension)
        self._ridge = policy.ridge * np.eye(dimension)
        self._clear()
        self._plays: deque[Play] = deque()
        self._solved: tuple[Array, Array] | None = None

    def _clear(self) -> None:
        shape = self.dimension, self.dimension
        self._sums, self._squares = np.zeros(shape), np.zeros(shape)
        self._targets = np.zeros(self.dimension)

    @property
    def V(self) -> Array:
        """The matrix V = Σ_s w_s a_s a_sᵀ + λI."""
        return self._sums + self._ridge

    @property
    def V_squared(self) -> Array:
        """The matrix Ṽ = Σ_s w_s² a_s a_sᵀ + λI."""
        return self._squares + self._ridge

    @property
    def theta(self) -> Array:
        """The estimate θ̂ = V⁻¹ Σ_s w_s x_s a_s."""
        return self._solution()[0]

    def indices(self, features: Array) -> Array:
        """Return the index of every row: aᵀθ̂ + β √(aᵀ V⁻¹ Ṽ V⁻¹ a)."""
        theta, root = self._solution()
        widths = np.sqrt(np.square(features @ root.T).sum(axis=1))
        indices: Array = features @ theta + self.schedule.radius * widths
        return indices

    def _solution(self) -> tuple[Array, Array]:
        """Return θ̂, and a matrix G with GᵀG = V⁻¹ Ṽ V⁻¹."""
        if self._solved is None:
            try:
                factors = np.linalg.cholesky(np.stack([self.V, self.V_squared]))
            except np.linalg.LinAlgError:
                raise InputError(too_small(self.policy)) from None
            lower, inner = factors.astype(np.float64, copy=False)
            inverse: Array = np.linalg.inv(lower).astype(np.float64, copy=False)
            theta = inverse.T @ (inverse @ self._targets)
            root: Array = inner.T @ inverse.T @ inverse
            self._solved = theta, root
        return self._solved

    def learn(self, action: Array, reward: float) -> None:
        """Forget as the round passes, and add the play."""
        step = self.schedule.step()
        self._fade(step.factor)
        if step.gone >= 0.0:
            old = self._plays.popleft()
            self._add(old.action, old.reward, -step.gone, -step.gone * step.gone)
        self._add(action, reward, 1.0, 1.0)
        if self.schedule.span < math.inf:
            self._plays.append(Play(action, reward, step.factor))
        if step.after == CLEAR:
            self._clear()
            self._plays.clear()
        elif step.after == REBUILD:
            self._rebuild()
        self._solved = None

    def _fade(self, factor: float) -> None:
        if factor != 1.0:
            self._sums *= factor
            self._squares *= factor * factor
            self._targets *= factor

    def _add(self, action: Array, reward: float, weight: float, square: float) -> None:
        outer = np.outer(action, action)
        self._sums += weight * outer
        self._squares += square * outer
        self._targets += weight * reward * action

    def _rebuild(self) -> None:
        """Add up the window anew: what was taken out left rounding errors behind."""
        self._clear()
        for play in self._plays:
            self._fade(play.factor)
            self._add(play.action, play.reward, 1.0, 1.0)


def too_small(policy: LinearPolicy) -> str:
    """Return the message for a ridge that is lost to rounding."""
    return f"ridge of {policy.label} must be larger: {policy.ridge:g} is lost to rounding"
