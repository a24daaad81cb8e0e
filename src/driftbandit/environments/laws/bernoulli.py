"""Rewards of 0 or 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.environments.laws.law import Law


@dataclass(frozen=True)
class Bernoulli(Law):
    """Reward 1 with probability `mean`, else 0: a click or none, a free channel or a busy one.

    The reward is 1 if u < mean, so an arm with a larger mean wins whenever one with a smaller does.

    >>> law = Bernoulli()
    >>> [law.reward(u, 0.3) for u in (0.1, 0.29, 0.3, 0.9)]
    [1.0, 1.0, 0.0, 0.0]
    """

    name: ClassVar[str] = "bernoulli"
    binary: ClassVar[bool] = True

    @staticmethod
    def quantile(u: float, mean: float, parameters: NDArray[np.float64]) -> float:
        """Return 1 if u < mean, else 0."""
        return 1.0 if u < mean else 0.0
