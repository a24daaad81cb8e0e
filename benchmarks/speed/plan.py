"""What to measure, and how much of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

from driftbandit.environments import Stationary, World, two_swaps
from driftbandit.policies import Strategy
from driftbandit.studies.paper import experiments

FEWEST_RUNS = 128
"""Runs with however many arms: enough for wide blocks."""


def paper_policies(arms: int) -> Sequence[Strategy]:
    """Return the paper's four policies for a number of arms."""
    return experiments.policies(arms)[:4]


@dataclasses.dataclass(frozen=True)
class Plan:
    """Numbers of arms and threads, the size of a simulation, and how often each is timed."""

    policies: Callable[[int], Sequence[Strategy]] = paper_policies
    arms: tuple[int, ...] = (3, 10, 100, 1000)
    threads: tuple[int, ...] = (1, 2)
    runs: int = 1280
    horizon: int = experiments.HORIZON
    repeats: int = 5
    start: bool = True
    long: float = 1.0
    """Seconds that the job must take from which the gain of threads is read; 0 leaves it out."""
    memory: bool = False

    def runs_with(self, arms: int) -> int:
        """Return the runs of a simulation: fewer with many arms, so that all take a similar time.

        >>> [Plan().runs_with(arms) for arms in (3, 10, 100, 1000)]
        [1280, 1280, 512, 128]
        """
        return min(self.runs, max(FEWEST_RUNS, 40 * self.runs // arms))

    def steps(self, arms: int) -> int:
        """Return the rounds that a yardstick plays after the first play of every arm.

        >>> [Plan().steps(arms) for arms in (3, 10, 100, 1000)]
        [4000, 4000, 1000, 300]
        """
        return min(self.horizon, max(300, min(4_000, 100_000 // arms)))

    def world(self, arms: int) -> World:
        """Return the paper's first world for three arms, else a stationary one with spread means.

        >>> Plan().world(5).mean_rewards(1, 1).tolist()
        [[0.1, 0.3, 0.5, 0.7, 0.9]]
        """
        if arms == 3:
            return two_swaps(self.horizon)
        return Stationary(np.linspace(0.1, 0.9, arms).round(12))


QUICK = Plan(arms=(3, 100), runs=256, repeats=3, start=False, long=0.0)
"""Some seconds, for a first look."""
