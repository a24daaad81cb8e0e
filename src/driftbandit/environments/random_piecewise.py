"""A world that changes abruptly at random rounds, each time in some of its arms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Count, Share, Whole
from driftbandit.core.errors import require, whole
from driftbandit.core.marking import compilable
from driftbandit.core.random import uniform
from driftbandit.core.rounds import LONGEST
from driftbandit.environments.parameters import interval
from driftbandit.environments.sampling import between, rounds_until_first, rows_before
from driftbandit.environments.world import World

NEXT, LEFT, FREE, MEANS = range(4)
"""Places in the memory: the next breakpoint, the breakpoints and spare rounds left, the means."""
CHANGES, SPACING, SPARE, PROBABILITY, LEAST_JUMP, MOST_JUMP, BOUND = range(7)
"""Places among the parameters."""


@dataclass(frozen=True)
class RandomPiecewise(World):
    """Random breakpoints that are far apart; at each one an arm moves or stays.

    All choices of Υ breakpoints that leave at least `spacing` rounds before, between and after
    them are equally likely. The first means are uniform on [0, bound]. At a breakpoint each arm
    moves with `probability`, by a distance uniform on `jump`, up or down with even odds; where that
    would leave [0, bound], it moves the other way. Every run has a problem of its own.

    Parameters: `arms`; `changes`, the paper's Υ; `jump`, in units of reward, up to half the bound;
    `probability`; `spacing`, by default a twentieth of the horizon; `horizon`.

    Reference: Besson, Kaufmann, Maillard & Seznec, *Efficient change-point detection for tackling
    piecewise-stationary bandits*, JMLR 23(77), 2022, the random instances of their experiments.

    >>> world = RandomPiecewise(horizon=2_000)
    >>> world.spacing, [len(world.find_breakpoints(seed=1, run=run)) for run in range(3)]
    (100, [6, 6, 6])
    """

    arms: Count = 5
    changes: Annotated[int, Whole(least=0)] = 6
    jump: tuple[float, float] = (0.05, 0.3)
    probability: Share = 0.5
    spacing: Count | None = None
    horizon: Annotated[int, Whole(most=LONGEST)] = 20_000

    random: ClassVar[bool] = True

    def validate(self) -> None:
        """Check that the jumps fit into the bound, and the breakpoints into the horizon."""
        apart = max(1, self.horizon // 20) if self.spacing is None else self.spacing
        fits = (self.changes + 1) * apart <= self.horizon
        segments = f"{self.changes + 1} segments of {apart} rounds"
        require(fits, "changes", self.changes, f"be such that {segments} fit into {self.horizon}")
        self._set(jump=interval("jump", self.jump, 0.5 * self.bound), spacing=apart)

    @property
    def memory(self) -> int:
        """The next breakpoint, the breakpoints left, the rounds left for them, and the means."""
        return MEANS + self.arms

    def parameters(self) -> NDArray[np.float64]:
        """Return number of breakpoints, spacing, spare rounds, probability, jump and bound."""
        apart = whole("spacing", self.spacing)
        free = self.horizon - (self.changes + 1) * apart + self.changes
        return np.array([self.changes, apart, free, self.probability, *self.jump, self.bound])

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
            memory[LEFT], memory[FREE] = parameters[CHANGES], parameters[SPARE]
            for arm in range(arms):
                memory[MEANS + arm] = between(rng, 0.0, parameters[BOUND])
            memory[NEXT] = 1.0 + _wait(memory, rng, parameters)
        row = 0
        while row < rows:
            t = float(first + row)
            if t == memory[NEXT]:
                for arm in range(arms):
                    memory[MEANS + arm] = _moved(memory[MEANS + arm], rng, parameters)
                memory[NEXT] = t + _wait(memory, rng, parameters)
            end = rows_before(memory[NEXT], first, rows)
            for arm in range(arms):
                means[row:end, arm] = memory[MEANS + arm]
            row = end


@compilable
def _moved(mean: float, rng: NDArray[np.uint64], parameters: NDArray[np.float64]) -> float:
    if uniform(rng) > parameters[PROBABILITY]:
        return mean
    step = between(rng, parameters[LEAST_JUMP], parameters[MOST_JUMP])
    if uniform(rng) < 0.5:
        step = -step
    moved = mean + step
    return mean - step if moved < 0.0 or moved > parameters[BOUND] else moved


@compilable
def _wait(
    memory: NDArray[np.float64], rng: NDArray[np.uint64], parameters: NDArray[np.float64]
) -> float:
    """Draw the length of a segment: the least length, and its share of the spare rounds.

    Without the `spacing` − 1 rounds after every breakpoint, the breakpoints are any distinct rounds
    of those that are left.
    """
    waited = rounds_until_first(rng, memory[LEFT], memory[FREE])
    memory[LEFT] -= 1.0
    memory[FREE] -= waited
    apart: float = parameters[SPACING]
    return apart - 1.0 + waited
