"""A news feed whose articles fade and are replaced."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.environments.draws import between, waiting
from driftbandit.environments.given import range_of
from driftbandit.environments.world import World
from driftbandit.errors import real, whole


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
        """Of each slot: the article's popularity, its first round, the next one's first round."""
        return 3 * self.arms

    def parameters(self) -> NDArray[np.float64]:
        """Return the popularity's range, the loss of log interest a round, and the rate."""
        return np.array([*self.popularity, math.log(2.0) / self.half_life, self.rate])

    @staticmethod
    def path(
        means: NDArray[np.float64],
        memory: NDArray[np.float64],
        rng: NDArray[np.uint64],
        first: int,
        parameters: NDArray[np.float64],
    ) -> None:
        """Fill the means of the rounds from `first` on."""
        loss, rate = parameters[2], parameters[3]
        for row in range(means.shape[0]):
            t = float(first + row)
            for arm in range(means.shape[1]):
                slot = memory[3 * arm : 3 * arm + 3]
                if t == 1.0 or t == slot[2]:
                    slot[0] = between(rng, parameters[0], parameters[1])
                    slot[1] = t
                    slot[2] = t + waiting(rng, rate)
                    if t == 1.0 and rate > 0.0:
                        slot[1] = 2.0 - waiting(rng, rate)
                means[row, arm] = slot[0] * math.exp(-loss * (t - slot[1]))
