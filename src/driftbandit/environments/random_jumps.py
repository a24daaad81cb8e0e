"""A world whose means jump at random rounds, of all arms or of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Count, Flag, Rate
from driftbandit.core.errors import real, require
from driftbandit.environments.sampling import between, pick, rounds_until_event, rows_before
from driftbandit.environments.world import World

NEXT, MEANS = range(2)
"""Places in the memory: the round of the next jump, the means."""


@dataclass(frozen=True)
class RandomJumps(World):
    """Means uniform on [low, high]; with probability `rate` per round, new ones are drawn.

    If `together`, all arms draw a new mean; otherwise one arm does, each as likely as the others.
    The means have the same law in every round, and the best arm may stay the best. The draws differ
    from run to run.

    Parameters: `arms`; `rate` in [0, 1]; `together`; `low` and `high`, the range of the means, by
    default 0 and the bound; `horizon`, the world's last round, if it has one.

    Reference for global and per-arm switching: Mellor & Shapiro, *Thompson sampling in switching
    environments with Bayesian online change detection*, 2013.

    >>> world = RandomJumps(arms=3, rate=0.01, together=False, horizon=1_000)
    >>> moved = np.diff(world.realise(seed=1).mean_rewards(1, 1_000), axis=0) != 0.0
    >>> int(moved.any(axis=1).sum()), int(moved.sum(axis=1).max())
    (6, 1)
    """

    arms: Count = 3
    rate: Rate = 0.001
    together: Annotated[bool, Flag()] = True
    low: float = 0.0
    high: float | None = None
    horizon: Count | None = None

    random: ClassVar[bool] = True

    def validate(self) -> None:
        """Check the range of the means."""
        top = self.bound if self.high is None else real("high", self.high, f"[0, {self.bound}]")
        low = real("low", self.low, f"[0, {self.bound}]")
        require(low <= top, "low", low, f"be at most high, {top:g}")
        self._set(low=low, high=None if self.high is None else top)

    @property
    def memory(self) -> int:
        """The round of the next jump, and the means."""
        return MEANS + self.arms

    def parameters(self) -> NDArray[np.float64]:
        """Return rate, whether all arms jump, and the range."""
        high = self.bound if self.high is None else self.high
        return np.array([self.rate, self.together, self.low, high])

    @staticmethod
    def path(
        means: NDArray[np.float64],
        memory: NDArray[np.float64],
        rng: NDArray[np.uint64],
        first: int,
        parameters: NDArray[np.float64],
    ) -> None:
        """Fill the means of the rounds from `first` on."""
        rows, arms = means.shape
        rate, together, low, high = parameters[0], parameters[1], parameters[2], parameters[3]
        if first == 1:
            memory[NEXT] = 1.0
        row = 0
        while row < rows:
            t = float(first + row)
            if t == memory[NEXT]:
                if t == 1.0 or together == 1.0:
                    for arm in range(arms):
                        memory[MEANS + arm] = between(rng, low, high)
                else:
                    memory[MEANS + pick(rng, arms)] = between(rng, low, high)
                memory[NEXT] = t + rounds_until_event(rng, rate)
            end = rows_before(memory[NEXT], first, rows)
            for arm in range(arms):
                means[row:end, arm] = memory[MEANS + arm]
            row = end
