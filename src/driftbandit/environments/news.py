"""A news feed whose articles fade and are replaced."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.environments.draws import between, rows_until, waiting
from driftbandit.environments.given import range_of
from driftbandit.environments.world import World
from driftbandit.errors import real, whole
from driftbandit.marking import compilable

STRETCH = 256
"""Rounds of an article's life over which its fading is looked up in a table."""


@dataclass(frozen=True)
class NewsFeed(World):
    """Every arm is a slot that shows an article; interest in it fades until a new one comes.

    An article is born with a popularity p uniform on `popularity`; n rounds later its mean is
    p · 2^(−n / half_life). In each round it is replaced by a new one with probability `rate`. The
    feed has been running before round 1: the first articles have the age a running feed's have,
    so that the law of the means is the same in every round. The paths differ from run to run.

    Parameters: `arms`, the slots; `popularity`, a range (least, most) in [0, bound]; `half_life`
    in rounds; `rate` in [0, 1].

    Reference for rewards that fade with an arm's age: Chakrabarti, Kumar, Radlinski & Upfal,
    *Mortal multi-armed bandits*, 2008.

    >>> world = NewsFeed(arms=2, popularity=(0.2, 0.8), half_life=500, rate=0.001)
    >>> path = world.realise(horizon=1_000, seed=0).means(1, 1_000)
    >>> bool(path.max() <= 0.8)
    True
    """

    arms: int = 4
    popularity: tuple[float, float] = (0.1, 0.9)
    half_life: float = 1_000.0
    rate: float = 0.001

    random: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        self._set(
            arms=whole("arms", self.arms),
            popularity=range_of("popularity", self.popularity, self.bound),
            half_life=real("half_life", self.half_life, "(0, inf)"),
            rate=real("rate", self.rate, "[0, 1]"),
        )

    @property
    def memory(self) -> int:
        """Of each slot the next article's first round; then this one's popularity and its first."""
        return 3 * self.arms

    def parameters(self) -> NDArray[np.float64]:
        """Return the popularity's range, the loss of log interest a round, the rate, and a table.

        It says what is left of interest after 0, 1, …, STRETCH − 1 rounds.
        """
        loss = math.log(2.0) / self.half_life
        left = [math.exp(-loss * age) for age in range(STRETCH)]
        return np.array([*self.popularity, loss, self.rate, *left])

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
        if first == 1:
            memory[:arms] = 1.0  # all slots get an article
        for arm in range(arms):
            _fill(means, memory, first, 0, arm, parameters)
        arm = int(np.argmin(memory[:arms]))  # articles draw in the order in which they come
        while memory[arm] < first + rows:
            t, rate = memory[arm], parameters[3]
            article = memory[arms + 2 * arm : arms + 2 * arm + 2]
            article[0], article[1] = between(rng, parameters[0], parameters[1]), t
            memory[arm] = t + waiting(rng, rate)
            if t == 1.0 and rate > 0.0:
                article[1] = 2.0 - waiting(rng, rate)
            _fill(means, memory, first, int(t) - first, arm, parameters)
            arm = int(np.argmin(memory[:arms]))


@compilable
def _fill(
    means: NDArray[np.float64],
    memory: NDArray[np.float64],
    first: int,
    row: int,
    arm: int,
    parameters: NDArray[np.float64],
) -> None:
    """Fill a slot's means from a row on, until its next article; one exponential a stretch."""
    rows, arms = means.shape
    popularity, born = memory[arms + 2 * arm], memory[arms + 2 * arm + 1]
    last = rows_until(memory[arm], first, rows)
    while row < last:
        age = first + row - born
        beyond = int(age % STRETCH)
        part = means[row : min(last, row + STRETCH - beyond), arm]
        left = parameters[4 + beyond : 4 + STRETCH]
        mean = popularity * math.exp(-parameters[2] * (age - beyond))
        for place in range(part.shape[0]):
            part[place] = mean * left[place]
        row += part.shape[0]
