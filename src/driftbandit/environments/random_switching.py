"""A world that changes abruptly, at random rounds and to random means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import SMALLEST, Real
from driftbandit.core.errors import InputError, require, whole
from driftbandit.core.marking import compilable
from driftbandit.core.rounds import LONGEST
from driftbandit.environments.environment import COIN
from driftbandit.environments.laws import Law
from driftbandit.environments.parameters import interval
from driftbandit.environments.sampling import (
    between,
    pick_other,
    rounds_until_event,
    rounds_until_first,
    rows_before,
)
from driftbandit.environments.world import World

NEXT, LEFT, BEST, MEANS = range(4)
"""Places in the memory: the next breakpoint, the breakpoints left, the best arm, the means."""
PROBABILITY, LAST, COUNT, LEAST_GAP, MOST_GAP, BOUND = range(6)
"""Places among the parameters."""

RATE = Real("[0, 1]", SMALLEST)


@dataclass(frozen=True, init=False)
class RandomSwitching(World):
    """Random breakpoints; at each one all arms draw new means and another arm becomes best.

    New means: the lead Δ of the best arm over the second is uniform on `gap`, the best mean m is
    uniform on [Δ, bound]. The best arm is any but the last best one; a random other arm has m − Δ,
    and the rest are uniform on [0, m − Δ]. The draws differ from run to run.

    Parameters: `arms` of at least 2; `gap`, the range of Δ, in units of reward. Either `rate`, the
    probability of a breakpoint per round from round 2 on (by default 0.001); or `breakpoints` and
    `horizon`: exactly that many, in rounds drawn from 2, …, horizon. The world then stores the
    horizon and rate = breakpoints / (horizon − 1). Where there is a horizon, all runs have the same
    number of breakpoints: rate · (horizon − 1), rounded.

    Reference for a change of the world at random rounds: Mellor & Shapiro, *Thompson sampling in
    switching environments with Bayesian online change detection*, 2013.

    >>> world = RandomSwitching(arms=3, breakpoints=4, horizon=1_000)
    >>> [len(world.find_breakpoints(seed=1, run=run)) for run in range(3)]
    [4, 4, 4]
    >>> RandomSwitching(arms=2, rate=0.01).horizon is None
    True
    """

    arms: int
    rate: float
    gap: tuple[float, float]
    horizon: int | None

    random: ClassVar[bool] = True

    def __init__(
        self,
        arms: int = 3,
        rate: float | None = None,
        gap: tuple[float, float] = (0.1, 0.5),
        *,
        breakpoints: int | None = None,
        horizon: int | None = None,
        law: Law = COIN,
        bound: float = 1.0,
    ) -> None:
        """Check the parameters, and turn a number of breakpoints into a rate."""
        super().__init__(law=law, bound=bound)
        last = None if horizon is None else whole("horizon", horizon, 2, LONGEST)
        if breakpoints is not None:
            require(rate is None, "rate", rate, "be left out where breakpoints are given")
            rate = _rate(breakpoints, last)
        span = interval("gap", gap, self.bound)
        require(span[0] > 0.0, "gap", gap, "begin above 0")
        self._set(
            arms=whole("arms", arms, least=2),
            rate=0.001 if rate is None else RATE("rate", rate),
            gap=span,
            horizon=last,
        )

    @property
    def memory(self) -> int:
        """The next breakpoint, the breakpoints left, the best arm, and the means."""
        return MEANS + self.arms

    def parameters(self) -> NDArray[np.float64]:
        """Return rate, last round and number of breakpoints (0 if there are none), gap, bound."""
        last = self.horizon or 0
        count = round(self.rate * (last - 1)) if last else 0
        return np.array([self.rate, last, count, *self.gap, self.bound])

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
            memory[NEXT], memory[LEFT], memory[BEST] = 1.0, parameters[COUNT], -1.0
        row = 0
        while row < rows:
            t = float(first + row)
            if t == memory[NEXT]:
                _new_means(memory, rng, arms, parameters)
                memory[NEXT] = t + _wait(memory, rng, t, parameters)
            end = rows_before(memory[NEXT], first, rows)
            for arm in range(arms):
                means[row:end, arm] = memory[MEANS + arm]
            row = end


@compilable
def _new_means(
    memory: NDArray[np.float64],
    rng: NDArray[np.uint64],
    arms: int,
    parameters: NDArray[np.float64],
) -> None:
    best = pick_other(rng, arms, int(memory[BEST]))
    second = pick_other(rng, arms, best)
    lead = between(rng, parameters[LEAST_GAP], parameters[MOST_GAP])
    top = between(rng, lead, parameters[BOUND])
    for arm in range(arms):
        if arm == best:
            memory[MEANS + arm] = top
        elif arm == second:
            memory[MEANS + arm] = top - lead
        else:
            memory[MEANS + arm] = between(rng, 0.0, top - lead)
    memory[BEST] = best


@compilable
def _wait(
    memory: NDArray[np.float64],
    rng: NDArray[np.uint64],
    t: float,
    parameters: NDArray[np.float64],
) -> float:
    if parameters[LAST] == 0.0:
        return rounds_until_event(rng, parameters[PROBABILITY])
    left = memory[LEFT]
    memory[LEFT] = left - 1.0
    return rounds_until_first(rng, left, parameters[LAST] - t)


def _rate(breakpoints: int, horizon: int | None) -> float:
    if horizon is None:
        raise InputError("horizon must be given with a number of breakpoints")
    count = whole("breakpoints", breakpoints, least=0)
    require(count < horizon, "breakpoints", count, f"be below the horizon {horizon}")
    return count / (horizon - 1)
