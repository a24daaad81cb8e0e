"""Index policies, one step at a time: how an arm is chosen from what is remembered."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.policies.index.live.memory import Memory
from driftbandit.policies.learner import Draw
from driftbandit.rules.force import Unforced

if TYPE_CHECKING:
    from driftbandit.policies.index.policy import Policy

FEW = 24
"""Up to so many arms, going through lists is quicker than arithmetic on arrays."""


class IndexLearner(Memory):
    """Any index, and a clock for every arm if there are restarts."""

    def __init__(self, policy: Policy, arms: int) -> None:
        super().__init__(policy, arms)
        self._exploring = policy.explore.arguments(arms)
        self._forces, self._forcing = policy.force != Unforced(), policy.force.numbers()
        self._trusted = policy.explore.trusted
        if policy.explore.prior:
            self.untried.clear()

    def choose(self, draw: Draw) -> int:
        """Return an arm never tried, or a forced one, or that with the largest index."""
        if self.untried:
            return self.untried[0]
        indices = self.indices(draw)
        if not self._trusted:
            self._check(indices)
        forced = self.forced(draw) if self._forces else -1
        return indices.index(max(indices)) if forced < 0 else forced  # the lowest of equals

    def _check(self, indices: list[float]) -> None:
        """Raise if an index is not a number."""
        for arm, index in enumerate(indices):
            if math.isnan(index):
                raise self.policy.explore.nan_index(arm)

    def forced(self, draw: Draw) -> int:
        """Return the arm that must be played now, or −1 for a free choice."""
        force, since = self.policy.force, self.rounds + 1 - self.restarted
        noise = (draw(),) if force.noise else ()
        arms, restarts = len(self.counts), self.restarts
        return force.arm(float(since), float(restarts), float(arms), *noise, *self._forcing)

    def indices(self, draw: Draw) -> list[float]:
        """Return the index of every arm; infinite, but for a prior, where no play is remembered."""
        clocks: Iterable[float] = repeat(max(self.clock, 1.0), len(self.counts))
        if self._restarts:
            clocks = [max(clock, 1.0) for clock in self.arm_clocks()]
        index = self.policy.explore.index
        if index is None:
            terms = zip(self.means, map(self._slope, clocks), self.roots, strict=True)
            return [mean + slope * root for mean, slope, root in terms]
        columns = self._columns(clocks, draw)
        if self.policy.explore.prior or all(self.counts):
            return list(map(index, *columns))
        rows = zip(*columns, strict=False)  # the rule's numbers repeat without end
        return [index(*row) if row[1] > 0.0 else math.inf for row in rows]

    def _slope(self, clock: float) -> float:
        """Return what 1/√count is multiplied by in the index mean + width/√count."""
        width = self.policy.explore.width
        assert width is not None
        return width(clock, *self._exploring) * self.stretch

    def _columns(self, clocks: Iterable[float], draw: Draw) -> list[Iterable[Any]]:
        """Return the arguments of an index, each as one column over the arms."""
        explore = self.policy.explore
        columns: list[Iterable[Any]] = [
            [mean if mean < math.inf else 0.0 for mean in self.means]
            if explore.prior
            else self.means,
            [count / self.weight for count in self.counts],
            clocks,
        ]
        if explore.variance:
            columns.append(self.variances)
        if explore.noise:
            columns.append(self._noise(draw, len(self.counts)))
        return [*columns, *map(repeat, self._exploring)]

    def _noise(self, draw: Draw, arms: int) -> list[float] | list[list[float]]:
        """Return the random numbers of every arm; the engine draws the first of all arms first."""
        drawn = [draw() for _ in range(arms * self.policy.explore.noise)]
        return drawn if len(drawn) == arms else [drawn[arm::arms] for arm in range(arms)]


class WidthLearner(IndexLearner):
    """The index mean + width/√count with one clock, so that all arms have the same slope."""

    def __init__(self, policy: Policy, arms: int) -> None:
        super().__init__(policy, arms)
        self._places = list(range(arms))
        self._width, self._width_clock = 0.0, math.nan

    def choose(self, draw: Draw) -> int:
        """Return an arm never tried, or the one with the largest index, the lowest of equals."""
        if self.untried:
            return self.untried[0]
        slope, means, roots = self._common_slope(), self.means, self.roots
        best, top = 0, -math.inf
        for arm in self._places:
            index = means[arm] + slope * roots[arm]
            if index > top:
                best, top = arm, index
        return best

    def _common_slope(self) -> float:
        """Return the slope of all arms; the width is asked for only when the clock has moved."""
        clock = self.clock
        if clock != self._width_clock:
            width = self.policy.explore.width
            assert width is not None
            self._width, self._width_clock = width(clock, *self._exploring), clock
            if math.isnan(self._width):
                raise self.policy.explore.nan_index(0)
        return self._width * self.stretch


class ManyArmsLearner(WidthLearner):
    """The same with arrays, whose arithmetic takes about as long for a hundred arms as for ten."""

    means: NDArray[np.float64]
    roots: NDArray[np.float64]

    def __init__(self, policy: Policy, arms: int) -> None:
        super().__init__(policy, arms)
        self.means, self.roots = np.array(self.means), np.array(self.roots)

    def choose(self, draw: Draw) -> int:
        """Return an arm never tried, or the one with the largest index, the lowest of equals."""
        if self.untried:
            return self.untried[0]
        return int((self.means + self._common_slope() * self.roots).argmax())
