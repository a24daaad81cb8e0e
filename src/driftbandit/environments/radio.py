"""Radio channels that are free or busy, with users who come and go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.environments.draws import between, rows_until, waiting
from driftbandit.environments.given import increasing, range_of
from driftbandit.environments.world import World
from driftbandit.errors import real, require, whole
from driftbandit.marking import compilable
from driftbandit.random import uniform


@dataclass(frozen=True)
class Radio(World):
    """Every arm is a channel that its owners seize and release; a free one serves better.

    A free channel becomes busy with probability `seize` a round, a busy one free with probability
    `release`: a Markov chain, free for a share release / (seize + release) of the time. Now and
    then a channel's owners change and both probabilities are drawn anew from their ranges. The
    player chooses without sensing first, so the mean of an arm is that of its present state:
    `free_reward` or `busy_reward`. The paths differ from run to run.

    Parameters: `arms`; `seize` and `release`, ranges (least, most) in (0, 1]; `switch_rate`, the
    probability a round that the owners of a channel change; or `switches`, the rounds at which
    those of all channels do; `free_reward` and `busy_reward` in [0, bound].

    Reference: Liu & Zhao, *Indexability of restless bandit problems and optimality of Whittle
    index for dynamic multichannel access*, 2010 (the channel model).

    >>> world = Radio(arms=2, switches=(500,))
    >>> sorted(set(world.realise(horizon=1_000).means(1, 1_000).ravel().tolist()))
    [0.1, 0.9]
    """

    arms: int = 4
    seize: tuple[float, float] = (0.002, 0.02)
    release: tuple[float, float] = (0.002, 0.02)
    switch_rate: float = 0.0005
    switches: Sequence[int] | None = None
    free_reward: float = 0.9
    busy_reward: float = 0.1

    random: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the rates and rewards."""
        super().__post_init__()
        seize, release = range_of("seize", self.seize, 1.0), range_of("release", self.release, 1.0)
        require(seize[0] > 0.0, "seize", seize, "begin above 0")
        require(release[0] > 0.0, "release", release, "begin above 0")
        self._set(
            arms=whole("arms", self.arms),
            seize=seize,
            release=release,
            switch_rate=real("switch_rate", self.switch_rate, "[0, 1]"),
            switches=None if self.switches is None else increasing("switches", self.switches),
            free_reward=real("free_reward", self.free_reward, f"[0, {self.bound}]"),
            busy_reward=real("busy_reward", self.busy_reward, f"[0, {self.bound}]"),
        )

    @property
    def memory(self) -> int:
        """Of each channel the next event; then free or not, next flip, next owners, two rates."""
        return 6 * self.arms

    def parameters(self) -> NDArray[np.float64]:
        """Return rewards, ranges, the rate of new owners (−1 if their rounds are given), rounds."""
        rate = self.switch_rate if self.switches is None else -1.0
        rewards = (self.free_reward, self.busy_reward)
        return np.array([*rewards, *self.seize, *self.release, rate, *(self.switches or ())])

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
            memory[:arms] = 1.0  # all channels begin
        for arm in range(arms):
            _fill(means, memory, first, 0, arm, parameters)
        arm = int(np.argmin(memory[:arms]))  # channels draw in the order of their events
        while memory[arm] < first + rows:
            t = memory[arm]
            channel = memory[arms + 5 * arm : arms + 5 * arm + 5]
            _advance(channel, rng, t, parameters)
            memory[arm] = min(channel[1], channel[2])
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
    """Fill an arm's means from a row on, until the next event of its channel."""
    rows, arms = means.shape
    free = memory[arms + 5 * arm] == 1.0
    end = rows_until(memory[arm], first, rows)
    means[row:end, arm] = parameters[0] if free else parameters[1]


@compilable
def _advance(
    channel: NDArray[np.float64],
    rng: NDArray[np.uint64],
    t: float,
    parameters: NDArray[np.float64],
) -> None:
    """Bring one channel, kept as (free, next flip, next owners, seize, release), to round t."""
    started, flips = t == 1.0, t == channel[1]
    if flips:
        channel[0] = 1.0 - channel[0]
    owners = started or t == channel[2]
    if owners:
        channel[2] = _next_owners(rng, t, parameters)
        channel[3] = between(rng, parameters[2], parameters[3])
        channel[4] = between(rng, parameters[4], parameters[5])
    if started:
        channel[0] = 1.0 if uniform(rng) * (channel[3] + channel[4]) < channel[4] else 0.0
    if flips or owners:
        channel[1] = t + waiting(rng, channel[3] if channel[0] == 1.0 else channel[4])


@compilable
def _next_owners(rng: NDArray[np.uint64], t: float, parameters: NDArray[np.float64]) -> float:
    if parameters[6] >= 0.0:
        return t + waiting(rng, parameters[6])
    for place in range(7, parameters.size):
        if parameters[place] > t:
            return float(parameters[place])
    return np.inf
