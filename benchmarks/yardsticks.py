"""What `driftbandit bench` compares with; the plain Python loop comes with the package."""

from __future__ import annotations

import dataclasses
import functools
import time

from benchmarks import native, peers, vectorised
from driftbandit import Strategy
from driftbandit.bench.recipe import recipe
from driftbandit.bench.yardstick import Absent, Means, Yardstick
from driftbandit.environments import two_swaps
from driftbandit.studies.paper import experiments


def yardsticks() -> list[Yardstick | Absent]:
    here: list[Yardstick | Absent] = [NumPy()]
    here.append(Native() if native.built() else Absent("native", "not built (make bench-native)"))
    return here + peers.found()


@dataclasses.dataclass(frozen=True)
class NumPy:
    name: str = "NumPy, 500 runs"

    def knows(self, policy: Strategy, means: Means) -> bool:
        return recipe(policy) is not None and means.shape[1] == 3

    def seconds(self, policy: Strategy, means: Means) -> float:
        found = recipe(policy)
        assert found is not None  # asked only for policies it knows
        make = functools.partial(vectorised.KINDS[found.kind], **found.numbers)
        start = time.perf_counter()
        vectorised.regrets(make, means, runs=500, seed=1)
        return (time.perf_counter() - start) / (len(means) * 500)


@dataclasses.dataclass(frozen=True)
class Native:
    """Plays the whole first experiment and nothing else, so the number of rounds is its own."""

    name: str = "native (C++, AVX2)"

    def knows(self, policy: Strategy, means: Means) -> bool:
        first = two_swaps(experiments.HORIZON).means(1, len(means))
        return (
            recipe(policy) is not None
            and means.shape == first.shape
            and bool((means == first).all())
        )

    def seconds(self, policy: Strategy, means: Means) -> float:
        played = native.play(policy, runs=1280)
        return played["seconds"] / (played["horizon"] * played["runs"])
