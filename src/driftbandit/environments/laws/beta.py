"""Rewards that follow a beta law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Real
from driftbandit.core.numerics import beta_quantile
from driftbandit.environments.laws.law import Law


@dataclass(frozen=True)
class Beta(Law):
    """Beta law with shapes a = mean · c and b = (1 − mean) · c, where c is the concentration.

    Its variance is mean (1 − mean) / (c + 1): a small c is close to Bernoulli rewards, a large c is
    close to no noise. At mean 0 or 1 the reward is 0 or 1.

    Parameters: `concentration` c in (0, 1e6].

    >>> law = Beta(concentration=2.0)  # at mean ½: uniform on [0, 1]
    >>> [round(law.reward(u, 0.5), 9) for u in (0.1, 0.5, 0.9)]
    [0.1, 0.5, 0.9]
    """

    concentration: Annotated[float, Real("(0, 1e6]")] = 2.0

    name: ClassVar[str] = "beta"

    @staticmethod
    def quantile(u: float, mean: float, parameters: NDArray[np.float64]) -> float:
        """Return the beta quantile of u."""
        if mean <= 0.0:
            return 0.0
        if mean >= 1.0:
            return 1.0
        return beta_quantile(u, mean * parameters[0], (1.0 - mean) * parameters[0])
