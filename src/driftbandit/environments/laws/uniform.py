"""Rewards uniform on an interval around their mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Real
from driftbandit.environments.laws.law import Law


@dataclass(frozen=True)
class Uniform(Law):
    """Uniform law on [mean − h, mean + h], with h = min(half_width, mean, 1 − mean).

    Near 0 and 1 the interval shrinks, so that it stays in [0, 1] and keeps its mean.

    Parameters: `half_width` in (0, 0.5].

    >>> law = Uniform(half_width=0.2)
    >>> [round(law.reward(0.75, mean), 9) for mean in (0.0, 0.1, 0.5)]
    [0.0, 0.15, 0.6]
    """

    half_width: Annotated[float, Real("(0, 0.5]")] = 0.1

    name: ClassVar[str] = "uniform"

    @staticmethod
    def quantile(u: float, mean: float, parameters: NDArray[np.float64]) -> float:
        """Return mean + h (2u − 1)."""
        half: float = min(parameters[0], mean, 1.0 - mean)
        return mean + half * (2.0 * u - 1.0)
