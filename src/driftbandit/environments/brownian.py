"""A world in which every mean wanders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.environments.draws import between
from driftbandit.environments.world import World
from driftbandit.errors import real, require, whole
from driftbandit.marking import compilable
from driftbandit.random import normal, normals

LONGEST = 9.0
"""No normal draw is as large: the smallest uniform number, 2⁻⁵³, gives −8.2."""


@dataclass(frozen=True)
class Brownian(World):
    """Each mean takes a normal step of size σ a round and is reflected at the borders.

    μ_1 is uniform on [low, high], which is also the law of every later μ_t; then
    μ_{t+1} = fold(μ_t + σ Z_t), where fold mirrors at `low` and `high` what goes beyond them.
    Arms move independently of each other. The paths differ from run to run.

    Parameters: `arms`; `sigma` σ in [0, high − low], the size of a step, in units of reward;
    `low` and `high`, the borders, by default 0 and the bound.

    Reference: Slivkins & Upfal, *Adapting to a changing environment: the Brownian restless
    bandits*, 2008.

    >>> world = Brownian(arms=2, sigma=0.01)
    >>> path = world.realise(horizon=1_000, seed=3, run=0).means(1, 1_000)
    >>> bool(path.min() >= 0.0 and path.max() <= 1.0)
    True
    """

    arms: int = 3
    sigma: float = 0.01
    low: float = 0.0
    high: float | None = None

    random: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check borders and step."""
        super().__post_init__()
        top = self.bound if self.high is None else real("high", self.high, f"(0, {self.bound}]")
        low = real("low", self.low, f"[0, {self.bound})")
        require(low < top, "low", low, f"be below high, {top:g}")
        sigma = real("sigma", self.sigma, "[0, inf)")
        require(sigma <= top - low, "sigma", sigma, f"be at most high − low, {top - low:g}")
        high = None if self.high is None else top
        self._set(arms=whole("arms", self.arms), sigma=sigma, low=low, high=high)

    @property
    def memory(self) -> int:
        """The means of the last round."""
        return self.arms

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
        sigma, low, high = parameters[0], parameters[1], parameters[2]
        for row in range(means.shape[0]):
            for arm in range(means.shape[1]):
                if first + row == 1:
                    memory[arm] = between(rng, low, high)
                else:
                    memory[arm] = _fold(memory[arm] + sigma * normal(rng), low, high)
                means[row, arm] = memory[arm]

    @staticmethod
    def lockstep(
        means: NDArray[np.float64],
        memory: NDArray[np.float64],
        rng: NDArray[np.uint64],
        first: int,
        parameters: NDArray[np.float64],
    ) -> None:
        """Do for many runs at once what `path` does for one."""
        sigma, low, high = parameters[0], parameters[1], parameters[2]
        luck = np.empty(means.shape[2])
        for row in range(means.shape[0]):
            for arm in range(means.shape[1]):
                if first + row == 1:
                    _start(memory[arm], means[row, arm], rng, low, high)
                else:
                    normals(rng, luck, means[row, arm])
                    _walk(memory[arm], means[row, arm], sigma, low, high)


@compilable
def _start(
    last: NDArray[np.float64],
    now: NDArray[np.float64],
    rng: NDArray[np.uint64],
    low: float,
    high: float,
) -> None:
    """Draw the first means."""
    for lane in range(now.shape[0]):
        last[lane] = now[lane] = between(rng[:, lane], low, high)


@compilable
def _walk(
    last: NDArray[np.float64], now: NDArray[np.float64], sigma: float, low: float, high: float
) -> None:
    """Turn the normal numbers in `now` into means, given the last ones."""
    if LONGEST * sigma > high - low:
        for lane in range(now.shape[0]):
            last[lane] = now[lane] = _fold(last[lane] + sigma * now[lane], low, high)
    else:  # a mean that leaves the borders is inside again once it has been mirrored
        for lane in range(now.shape[0]):
            x = last[lane] + sigma * now[lane]
            below, above = low + (low - x), high - (x - high)
            inside = above if x > high else x
            last[lane] = now[lane] = below if x < low else inside


@compilable
def _fold(x: float, low: float, high: float) -> float:
    """Mirror x at the borders until it lies between them."""
    while x < low or x > high:
        x = low + (low - x) if x < low else high - (x - high)
    return x
