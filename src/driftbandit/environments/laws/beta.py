"""Rewards that follow a beta law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Real
from driftbandit.core.numerics import beta_quantile
from driftbandit.environments.laws.beta_grid import LEAST_CONCENTRATION, BetaGrid
from driftbandit.environments.laws.law import Law
from driftbandit.environments.laws.lookup import Lookup
from driftbandit.environments.laws.rows_by_mean import FEW_MEANS, RowsByMean


@dataclass(frozen=True)
class Beta(Law):
    """Beta law with shapes a = mean · c and b = (1 − mean) · c, where c is the concentration.

    Its variance is mean (1 − mean) / (c + 1): a small c is close to Bernoulli rewards, a large c is
    close to no noise. At mean 0 or 1 the reward is 0 or 1.

    `simulate` looks rewards up: those of up to 64 means that a world can name differ from the
    quantile by at most 5e-10, others by at most 2e-6 (7e-7 for c ≥ 2). Others with c < 1 are
    computed in every round, which takes a microsecond.

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

    def lookup(self, means: Sequence[float] | None) -> Lookup | None:
        """Return rows for a few means, to 5e-10; a grid for others, to 1e-6, from c = 1 on."""
        if means is not None and len(means) <= FEW_MEANS:
            return RowsByMean(self, tuple(means))
        return BetaGrid(self) if self.concentration >= LEAST_CONCENTRATION else None
