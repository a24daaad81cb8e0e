"""A world in which every mean wanders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Count, NonNegative
from driftbandit.core.errors import real, require
from driftbandit.core.marking import compilable
from driftbandit.core.random import normal_pair, normal_pairs
from driftbandit.environments.sampling import between
from driftbandit.environments.world import World

LONGEST = 9
"""Every normal draw is smaller: the smallest uniform number, 2⁻⁵³, gives 8.6."""

ONCE, OFTEN = (0,), (0,) * LONGEST
"""How often to mirror, as the length of a tuple, which the compiler knows."""


@dataclass(frozen=True)
class Brownian(World):
    """Each mean takes a normal step of size σ per round and is reflected at the borders.

    μ_1 is uniform on [low, high], which is also the law of every later μ_t; then
    μ_{t+1} = fold(μ_t + σ Z_t), where fold reflects at `low` and `high`.
    Arms move independently of each other. The paths differ from run to run.

    Parameters: `arms`; `sigma` σ in [0, high − low], the size of a step, in units of reward;
    `low` and `high`, the borders, by default 0 and the bound; `horizon`, the world's last round, if
    it has one.

    Reference: Slivkins & Upfal, *Adapting to a changing environment: the Brownian restless
    bandits*, 2008.

    >>> world = Brownian(arms=2, sigma=0.01)
    >>> path = world.realise(horizon=1_000, seed=3, run=0).mean_rewards(1, 1_000)
    >>> bool(path.min() >= 0.0 and path.max() <= 1.0)
    True
    """

    arms: Count = 3
    sigma: NonNegative = 0.01
    low: float = 0.0
    high: float | None = None
    horizon: Count | None = None

    random: ClassVar[bool] = True

    def validate(self) -> None:
        """Check the borders, and that a step fits between them."""
        top = self.bound if self.high is None else real("high", self.high, f"(0, {self.bound}]")
        low = real("low", self.low, f"[0, {self.bound})")
        require(low < top, "low", low, f"be below high, {top:g}")
        widest = top - low
        require(self.sigma <= widest, "sigma", self.sigma, f"be at most high − low, {widest:g}")
        self._set(low=low, high=None if self.high is None else top)

    @property
    def memory(self) -> int:
        """The means of the last round, and the normal numbers for the next even round."""
        return 2 * self.arms

    def parameters(self) -> NDArray[np.float64]:
        """Return sigma and the borders."""
        return np.array([self.sigma, self.low, self.bound if self.high is None else self.high])

    @staticmethod
    def path(
        means: NDArray[np.float64],
        memory: NDArray[np.float64],
        rng: NDArray[np.uint64],
        first: int,
        parameters: NDArray[np.float64],
    ) -> None:
        """Fill the means of the rounds from `first` on."""
        for row in range(means.shape[0]):
            _round(means[row], memory, rng, first + row, parameters)

    @staticmethod
    def lockstep(
        means: NDArray[np.float64],
        memory: NDArray[np.float64],
        rng: NDArray[np.uint64],
        first: int,
        parameters: NDArray[np.float64],
    ) -> None:
        """Do for many runs at once what `path` does for one, two rounds per arm at a time."""
        rows, arms, lanes = means.shape
        sigma, low, high = parameters[0], parameters[1], parameters[2]
        row = 0
        while row < rows:
            t = first + row
            if t == 1 or t % 2 == 0 or row + 1 == rows:
                for lane in range(lanes):
                    _round(means[row, :, lane], memory[:, lane], rng[:, lane], t, parameters)
                row += 1
                continue
            for arm in range(arms):
                now, then = means[row, arm], means[row + 1, arm]
                normal_pairs(rng, now, then)
                if LONGEST * sigma <= high - low:  # one reflection is enough
                    _walk(memory[arm], now, then, sigma, low, high, ONCE)
                else:
                    _walk(memory[arm], now, then, sigma, low, high, OFTEN)
            row += 2


@compilable
def _round(
    means: NDArray[np.float64],
    memory: NDArray[np.float64],
    rng: NDArray[np.uint64],
    t: int,
    parameters: NDArray[np.float64],
) -> None:
    """Advance one run to round t; an odd round also draws the steps of the next, even round."""
    sigma, low, high = parameters[0], parameters[1], parameters[2]
    arms = means.shape[0]
    for arm in range(arms):
        luck = memory[arms + arm]
        if t % 2 == 1:
            luck, memory[arms + arm] = normal_pair(rng)
        if t == 1:
            memory[arm] = between(rng, low, high)
        else:
            memory[arm] = _fold(memory[arm] + sigma * luck, low, high, OFTEN)
        means[arm] = memory[arm]


@compilable
def _walk(
    last: NDArray[np.float64],
    now: NDArray[np.float64],
    then: NDArray[np.float64],
    sigma: float,
    low: float,
    high: float,
    times: tuple[int, ...],
) -> None:
    """Turn the normal numbers of two rounds into means that follow on from `last`."""
    for lane in range(last.shape[0]):
        mean = _fold(last[lane] + sigma * now[lane], low, high, times)
        after = _fold(mean + sigma * then[lane], low, high, times)
        now[lane] = mean
        last[lane] = then[lane] = after


@compilable
def _fold(x: float, low: float, high: float, times: tuple[int, ...]) -> float:
    """Reflect x at both borders, `len(times)` times."""
    for _ in range(len(times)):
        x = max(x, (low + low) - x)
        x = min(x, (high + high) - x)
    return x
