"""Radio channels that are free or busy, with users who come and go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Checked, Count, Share
from driftbandit.core.errors import real, require
from driftbandit.core.marking import compilable
from driftbandit.core.random import uniform, uniforms
from driftbandit.core.rounds import increasing_rounds
from driftbandit.environments.parameters import interval
from driftbandit.environments.sampling import between
from driftbandit.environments.world import World

FREE, SEIZE, RELEASE, CHANNEL = range(4)
"""Fields of a channel in the memory: whether it is free, its two rates; and how many there are."""
(
    FREE_REWARD,
    BUSY_REWARD,
    LEAST_SEIZE,
    MOST_SEIZE,
    LEAST_RELEASE,
    MOST_RELEASE,
    SWITCH_RATE,
    SWITCHES,
) = range(8)
"""Places among the parameters."""


@dataclass(frozen=True)
class Radio(World):
    """Every arm is a channel that its owners seize and release; a free channel pays more.

    A free channel becomes busy with probability `seize` per round, a busy one becomes free with
    probability `release`: a Markov chain that is free for a share release / (seize + release) of
    the time. From time to time the owners of a channel change, and both probabilities are drawn
    anew from their ranges. The player chooses without sensing first, so the mean of an arm is that
    of its present state: `free_reward` or `busy_reward`. The paths differ from run to run.

    Parameters: `arms`; `seize` and `release`, ranges (least, most) in (0, 1]; `switch_rate`, the
    probability per round that the owners of a channel change; or `switches`, the rounds at which
    the owners of all channels change; `free_reward` and `busy_reward` in [0, bound].

    Reference: Liu & Zhao, *Indexability of restless bandit problems and optimality of Whittle
    index for dynamic multichannel access*, 2010 (the channel model).

    >>> world = Radio(arms=2, switches=(500,))
    >>> sorted(set(world.realise(horizon=1_000).mean_rewards(1, 1_000).ravel().tolist()))
    [0.1, 0.9]
    """

    arms: Count = 4
    seize: tuple[float, float] = (0.002, 0.02)
    release: tuple[float, float] = (0.002, 0.02)
    switch_rate: Share = 0.0005
    switches: Annotated[Sequence[int], Checked(increasing_rounds)] | None = None
    free_reward: float = 0.9
    busy_reward: float = 0.1

    random: ClassVar[bool] = True

    def validate(self) -> None:
        """Check the ranges, and that rewards lie in [0, bound]."""
        seize, release = interval("seize", self.seize, 1.0), interval("release", self.release, 1.0)
        require(seize[0] > 0.0, "seize", seize, "begin above 0")
        require(release[0] > 0.0, "release", release, "begin above 0")
        self._set(
            seize=seize,
            release=release,
            free_reward=real("free_reward", self.free_reward, f"[0, {self.bound}]"),
            busy_reward=real("busy_reward", self.busy_reward, f"[0, {self.bound}]"),
        )

    @property
    def memory(self) -> int:
        """Per channel: is it free, and its two rates; then room for the events of a round."""
        return CHANNEL * self.arms + 1

    def parameters(self) -> NDArray[np.float64]:
        """Return rewards, ranges, the rate of new owners (0 with `switches`), and `switches`."""
        rate = self.switch_rate if self.switches is None else 0.0
        rewards = (self.free_reward, self.busy_reward)
        return np.array([*rewards, *self.seize, *self.release, rate, *(self.switches or ())])

    def levels(self) -> NDArray[np.float64]:
        """Return the means of a free channel and of a busy one."""
        return np.array([self.free_reward, self.busy_reward])

    @staticmethod
    def path(
        means: NDArray[np.float64],
        memory: NDArray[np.float64],
        rng: NDArray[np.uint64],
        first: int,
        parameters: NDArray[np.float64],
    ) -> None:
        """Fill the means of the rounds from `first` on."""
        free_reward, busy_reward, switch_rate = (
            parameters[FREE_REWARD],
            parameters[BUSY_REWARD],
            parameters[SWITCH_RATE],
        )
        for t in range(first, first + means.shape[0]):
            switch = _switches(t, parameters)
            for arm in range(means.shape[1]):
                channel = memory[CHANNEL * arm : CHANNEL * (arm + 1)]
                if t == 1:
                    _start(channel, rng, parameters)
                else:
                    free, new = _event(
                        uniform(rng), channel[FREE], channel[SEIZE], channel[RELEASE], switch_rate
                    )
                    channel[FREE] = free
                    if switch or new == 1.0:
                        _new_owners(channel, rng, parameters)
                means[t - first, arm] = free_reward if channel[FREE] == 1.0 else busy_reward

    @staticmethod
    def lockstep(
        means: NDArray[np.float64],
        memory: NDArray[np.float64],
        rng: NDArray[np.uint64],
        first: int,
        parameters: NDArray[np.float64],
    ) -> None:
        """Do for many runs at once what `path` does for one."""
        free_reward, busy_reward, switch_rate = (
            parameters[FREE_REWARD],
            parameters[BUSY_REWARD],
            parameters[SWITCH_RATE],
        )
        lanes, news = means.shape[2], memory[CHANNEL * means.shape[1]]
        for t in range(first, first + means.shape[0]):
            switch = _switches(t, parameters)
            for arm in range(means.shape[1]):
                channels, now = memory[CHANNEL * arm : CHANNEL * (arm + 1)], means[t - first, arm]
                if t == 1:
                    for lane in range(lanes):
                        _start(channels[:, lane], rng[:, lane], parameters)
                elif _advance(channels, news, rng, switch_rate) > 0 or switch:
                    for lane in range(lanes):
                        if switch or news[lane] == 1.0:
                            _new_owners(channels[:, lane], rng[:, lane], parameters)
                state = channels[FREE]
                for lane in range(lanes):
                    now[lane] = free_reward if state[lane] == 1.0 else busy_reward


@compilable
def _switches(t: int, parameters: NDArray[np.float64]) -> bool:
    """Return whether the owners of all channels change in round t."""
    return bool(np.any(parameters[SWITCHES:] == t))


@compilable
def _start(
    channel: NDArray[np.float64], rng: NDArray[np.uint64], parameters: NDArray[np.float64]
) -> None:
    """Draw the first owners and the first state of a channel, stored as (free, seize, release)."""
    _new_owners(channel, rng, parameters)
    channel[FREE] = (
        1.0 if uniform(rng) * (channel[SEIZE] + channel[RELEASE]) < channel[RELEASE] else 0.0
    )


@compilable
def _new_owners(
    channel: NDArray[np.float64], rng: NDArray[np.uint64], parameters: NDArray[np.float64]
) -> None:
    channel[SEIZE] = between(rng, parameters[LEAST_SEIZE], parameters[MOST_SEIZE])
    channel[RELEASE] = between(rng, parameters[LEAST_RELEASE], parameters[MOST_RELEASE])


@compilable
def _event(
    luck: float, free: float, seize: float, release: float, switch_rate: float
) -> tuple[float, float]:
    """Return whether a channel is free one round later, and whether it has new owners: 1 or 0.

    One uniform number decides both: given the first decision, it is uniform on what is left.
    """
    rate = seize if free == 1.0 else release
    flips = luck < rate
    rest, room = (luck, rate) if flips else (luck - rate, 1.0 - rate)
    return (1.0 - free if flips else free), (1.0 if rest < switch_rate * room else 0.0)


@compilable
def _advance(
    channels: NDArray[np.float64],
    news: NDArray[np.float64],
    rng: NDArray[np.uint64],
    switch_rate: float,
) -> int:
    """Advance a channel of many runs by one round; mark and count the runs with new owners."""
    uniforms(rng, news)
    free, seize, release, count = channels[FREE], channels[SEIZE], channels[RELEASE], 0
    for lane in range(news.shape[0]):
        free[lane], news[lane] = _event(
            news[lane], free[lane], seize[lane], release[lane], switch_rate
        )
        count += int(news[lane] == 1.0)
    return count
