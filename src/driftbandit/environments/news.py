"""A news feed whose articles fade and are replaced."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Count, Positive, Rate
from driftbandit.core.marking import compilable
from driftbandit.core.random import uniform, uniforms
from driftbandit.environments.parameters import interval
from driftbandit.environments.sampling import between, rounds_until_event
from driftbandit.environments.world import World

RATE, LOSS, LEFT, LOW, HIGH, SLOPE = range(6)
"""Places among the parameters."""


@dataclass(frozen=True)
class NewsFeed(World):
    """Every arm is a slot that shows an article; interest in it fades until a new one replaces it.

    A new article has a popularity p uniform on `popularity`; n rounds later its mean is
    p · 2^(−n / half_life). In each round a new article replaces it with probability `rate`. The
    feed has been running before round 1: the first articles already have an age, so that the law of
    the means is the same in every round. The paths differ from run to run.

    Parameters: `arms`, the slots; `popularity`, a range (least, most) in [0, bound]; `half_life`
    in rounds; `rate` in [0, 1].

    Reference for rewards that fade with an arm's age: Chakrabarti, Kumar, Radlinski & Upfal,
    *Mortal multi-armed bandits*, 2008.

    >>> world = NewsFeed(arms=2, popularity=(0.2, 0.8), half_life=500, rate=0.001)
    >>> path = world.realise(horizon=1_000, seed=0).mean_rewards(1, 1_000)
    >>> bool(path.max() <= 0.8)
    True
    """

    arms: Count = 4
    popularity: tuple[float, float] = (0.1, 0.9)
    half_life: Positive = 1_000.0
    rate: Rate = 0.001

    random: ClassVar[bool] = True

    def validate(self) -> None:
        """Check that popularity lies in [0, bound]."""
        self._set(popularity=interval("popularity", self.popularity, self.bound))

    @property
    def memory(self) -> int:
        """The means of the last round."""
        return self.arms

    def parameters(self) -> NDArray[np.float64]:
        """Return the rate, the loss of log interest per round, and what else `_next` needs."""
        low, high = self.popularity
        loss = math.log(2.0) / self.half_life
        slope = (high - low) / self.rate if self.rate > 0.0 else 0.0
        return np.array([self.rate, loss, math.exp(-loss), low, high, slope])

    @staticmethod
    def path(
        means: NDArray[np.float64],
        memory: NDArray[np.float64],
        rng: NDArray[np.uint64],
        first: int,
        parameters: NDArray[np.float64],
    ) -> None:
        """Fill the means of the rounds from `first` on."""
        rate, left, low, high, slope = _numbers(parameters)
        for row in range(means.shape[0]):
            for arm in range(means.shape[1]):
                if first + row == 1:
                    memory[arm] = _first(rng, parameters)
                else:
                    memory[arm] = _next(memory[arm], uniform(rng), rate, left, low, high, slope)
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
        rate, left, low, high, slope = _numbers(parameters)
        for row in range(means.shape[0]):
            for arm in range(means.shape[1]):
                last, now = memory[arm], means[row, arm]
                if first + row == 1:
                    for lane in range(now.shape[0]):
                        last[lane] = now[lane] = _first(rng[:, lane], parameters)
                    continue
                uniforms(rng, now)
                for lane in range(now.shape[0]):
                    mean = _next(last[lane], now[lane], rate, left, low, high, slope)
                    last[lane] = now[lane] = mean


@compilable
def _numbers(parameters: NDArray[np.float64]) -> tuple[float, float, float, float, float]:
    return parameters[RATE], parameters[LEFT], parameters[LOW], parameters[HIGH], parameters[SLOPE]


@compilable
def _first(rng: NDArray[np.uint64], parameters: NDArray[np.float64]) -> float:
    """Draw the mean of an article in round 1, which may be old already."""
    popularity, rate = between(rng, parameters[LOW], parameters[HIGH]), parameters[RATE]
    age = rounds_until_event(rng, rate) - 1.0 if rate > 0.0 else 0.0
    return popularity * math.exp(-parameters[LOSS] * age)


@compilable
def _next(
    mean: float, luck: float, rate: float, left: float, low: float, high: float, slope: float
) -> float:
    """Return the mean one round later: what is left of it, or that of a new article.

    Luck below the rate is uniform on that range, so it also sets how popular the new article is.
    """
    new = low + slope * luck
    new = new if new < high else high  # rounding may exceed it
    return new if luck < rate else left * mean
