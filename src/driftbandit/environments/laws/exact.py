"""Rewards without noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.environments.laws.law import Law


@dataclass(frozen=True)
class Exact(Law):
    """The reward is the mean itself: a `Table` of rewards is paid as it is.

    >>> law = Exact()
    >>> law.reward(0.123, 0.7)
    0.7
    """

    name: ClassVar[str] = "exact"

    @staticmethod
    def quantile(u: float, mean: float, parameters: NDArray[np.float64]) -> float:
        """Return the mean, whatever u is."""
        return mean
