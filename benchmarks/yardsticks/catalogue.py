"""The yardsticks that are on this machine."""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Callable

from benchmarks.yardsticks import native, peers, vectorised
from benchmarks.yardsticks.recipe import recipe
from benchmarks.yardsticks.yardstick import Absent, Means, Yardstick
from driftbandit import Strategy
from driftbandit.environments import two_swaps
from driftbandit.studies.paper import experiments


def yardsticks() -> list[Yardstick | Absent]:
    """Return NumPy, the native program and other libraries, or why they are absent."""
    absent = Absent("native", "not built (make bench-native)")
    return [NumPy(), Native() if native.built() else absent, *peers.libraries()]


@dataclasses.dataclass(frozen=True)
class NumPy:
    """The vectorised program, with three arms."""

    name: str = "NumPy, 500 runs"

    def knows(self, policy: Strategy, means: Means) -> bool:
        return recipe(policy) is not None and means.shape[1] == 3

    def seconds(
        self,
        policy: Strategy,
        means: Means,
        rewards: vectorised.Rewards = vectorised.coins,
        clock: Callable[[], float] = time.perf_counter,
    ) -> float:
        mine = recipe(policy)
        assert mine is not None  # only policies that it knows are timed
        make = functools.partial(vectorised.KINDS[mine.kind], **mine.numbers)
        start = clock()
        vectorised.regrets(make, means, runs=500, seed=1, rewards=rewards)
        return (clock() - start) / (len(means) * 500)


@dataclasses.dataclass(frozen=True)
class Native:
    """The C++ program. It plays the whole first experiment and nothing else."""

    name: str = "native (C++, AVX2)"

    def knows(self, policy: Strategy, means: Means) -> bool:
        first = two_swaps(experiments.HORIZON).mean_rewards(1, len(means))
        mine = recipe(policy)
        return (
            mine is not None
            and mine.kind != "thompson"
            and means.shape == first.shape
            and bool((means == first).all())
        )

    def seconds(self, policy: Strategy, means: Means) -> float:
        played = native.play(policy, runs=1280)
        return played["seconds"] / (played["horizon"] * played["runs"])
