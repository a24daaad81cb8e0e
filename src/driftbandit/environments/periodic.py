"""The paper's second example: one arm rises and falls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Count, Positive
from driftbandit.core.errors import real, require, whole
from driftbandit.environments.environment import COIN
from driftbandit.environments.laws import Law
from driftbandit.environments.parameters import rounds_between
from driftbandit.environments.world import World


@dataclass(frozen=True)
class Periodic(World):
    """Two arms: μ_t(0) = centre + amplitude · cos(2π t / period), and μ_t(1) = centre.

    Parameters: `period` in rounds; `centre` and `amplitude` in units of reward, such that
    centre ± amplitude lies in [0, bound]; `horizon`, the world's last round, if it has one.

    >>> world = Periodic(period=4)
    >>> world.mean_rewards(1, 4).round(9).tolist()
    [[0.5, 0.5], [0.1, 0.5], [0.5, 0.5], [0.9, 0.5]]
    """

    period: Positive
    centre: float = 0.5
    amplitude: float = 0.4
    horizon: Count | None = None

    arms = 2

    def validate(self) -> None:
        """Check that centre ± amplitude lies in [0, bound]."""
        self._set(
            centre=real("centre", self.centre, f"[0, {self.bound}]"),
            amplitude=real("amplitude", self.amplitude, f"[0, {self.bound}]"),
        )
        most = min(self.centre, self.bound - self.centre)
        require(self.amplitude <= most, "amplitude", self.amplitude, f"be at most {most:g}")

    def mean_rewards(self, first: int, last: int) -> NDArray[np.float64]:
        """Return the means of rounds `first` to `last`, both included: one row per round."""
        rounds = rounds_between(first, last, self.horizon)
        wave = self.centre + self.amplitude * np.cos(2.0 * np.pi * rounds / self.period)
        return np.column_stack([wave, np.full(rounds.size, self.centre)])


def periodic(horizon: int = 10_000, cycles: float = 3, *, law: Law = COIN) -> Periodic:
    """Return the paper's world of two arms, the first of which oscillates around the other.

    The paper writes p_t(1) = 0.5 + 0.4 cos(6πRt/T) and gives no R; R = cycles / 3, and the three
    cycles of R = 1 are the default.

    Reference: Garivier & Moulines, *On upper-confidence bound policies for non-stationary bandit
    problems*, 2008, section 5.

    >>> periodic(horizon=9_000).period
    3000.0
    """
    rounds = whole("horizon", horizon)
    return Periodic(rounds / real("cycles", cycles, "(0, inf)"), horizon=rounds, law=law)
