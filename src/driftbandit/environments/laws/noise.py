"""The base of laws whose rewards have no bounds: noise around any mean."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from driftbandit.environments.laws.law import Law


@dataclass(frozen=True)
class Noise(Law):
    """Base of laws whose mean may be any number, and whose rewards have no bounds.

    Your own law is a subclass with a static `quantile(u, mean, parameters)`, as for `Law`. Linear
    worlds take such laws; worlds without features refuse them, since their rewards lie in
    [0, bound].
    """

    @staticmethod
    def quantile(u: float, mean: float, parameters: NDArray[np.float64]) -> float:
        """Return the reward for the uniform number `u`; its expectation is `mean`."""
        raise NotImplementedError
