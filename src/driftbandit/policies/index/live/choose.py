"""Index policies, one step at a time: how an arm is chosen from what is remembered."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import repeat
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.errors import InputError
from driftbandit.core.filled import filled
from driftbandit.policies.index.live.decide import DecidingMemory
from driftbandit.policies.learner import Draw, only, total_of
from driftbandit.rules.force import Unforced

if TYPE_CHECKING:
    from driftbandit.policies.index.policy import Policy

LEAST = -math.inf

FEW = 24
"""Up to so many arms, going through lists is quicker than arithmetic on arrays."""


class IndexLearner(DecidingMemory):
    """Any index, and a clock for every arm if there are restarts."""

    def __init__(self, policy: Policy, arms: int) -> None:
        super().__init__(policy, arms)
        self._exploring = policy.explore.arguments(arms)
        self._forces, self._forcing = policy.force != Unforced(), policy.force.numbers()
        self._trusted, self._force = policy.explore.trusted, policy.force.plain("arm")
        self._index, self._width_of = policy.explore.plain("index"), policy.explore.plain("width")
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
        return self._largest(indices, range(len(indices))) if forced < 0 else forced

    def _largest(self, indices: Sequence[float] | NDArray[np.float64], arms: Sequence[int]) -> int:
        """Return the arm with the largest index, the lowest of equals; of `arms` alone.

        Where all await their first reward, it is the one with the fewest plays.
        """
        best = max(arms, key=indices.__getitem__)
        if indices[best] > -math.inf:
            return best
        return min(arms, key=self.awaited.__getitem__)

    def law(self, eligible: Sequence[int]) -> list[float]:
        """Return the law of the choice: certain, or that of random indices or forced plays."""
        for arm in self.untried:
            if arm in eligible:
                return only(arm, eligible)
        if not self._forces:
            return self._free_law(eligible)
        force, arms = self.policy.force, len(eligible)
        since, restarts = float(self.rounds + 1 - self.restarted), float(self.restarts)
        if not force.noise:
            idle = self._idle(eligible)
            place = force.arm(since, restarts, float(len(idle)), *self._forcing)
            return self._free_law(eligible) if place < 0 else only(idle[place], eligible)
        if force.law is None:
            raise no_law(type(force).__name__, "since, restarts, arms")
        forced = force.law(since, restarts, float(arms), *self._forcing)
        free = 1.0 - total_of(forced)
        terms = zip(forced, self._free_law(eligible), strict=True)
        return [chance + free * share for chance, share in terms]

    def _idle(self, eligible: Sequence[int]) -> Sequence[int]:
        """Return the arms that are played by force, in turn.

        Where every arm awaits a reward, as it does when several sweeps are under way, the one that
        awaits most needs no force, and the others come round sooner.
        """
        if len(eligible) == 1 or not all(self.open[arm] for arm in eligible):
            return eligible
        busy = max(eligible, key=self.awaited.__getitem__)
        return [arm for arm in eligible if arm != busy]

    def _free_law(self, eligible: Sequence[int]) -> list[float]:
        """Return the law of the arm with the largest index."""
        explore = self.policy.explore
        if not explore.noise:
            indices = self.indices(nothing_drawn)
            if not self._trusted:
                self._check(indices)
            return only(self._largest(indices, eligible), eligible)
        if explore.law is None:
            raise no_law(type(explore).__name__, "means, counts, clocks")
        unknown = [arm for arm in eligible if not self.counts[arm]] if not explore.prior else []
        if unknown:
            return self._unknown_law(unknown, eligible)
        means, counts, clocks = (
            [column[arm] for arm in eligible] for column in self._drawn_columns()
        )
        return list(explore.law(means, counts, clocks, *self._arguments(len(eligible))))

    def _unknown_law(self, unknown: Sequence[int], eligible: Sequence[int]) -> list[float]:
        """Return the law where arms have no reward: a new one first, one that awaits it last."""
        fresh = [arm for arm in unknown if not self.open[arm]]
        known = [arm for arm in eligible if arm not in unknown]
        if fresh or not known:
            return only(min(fresh or unknown, key=self.awaited.__getitem__), eligible)
        law = dict(zip(known, self._free_law(known), strict=True))
        return [law.get(arm, 0.0) for arm in eligible]

    def _drawn_columns(self) -> tuple[list[float], list[float], list[float]]:
        """Return means, counts and clocks for the law of a random index."""
        means = [mean if math.isfinite(mean) else 0.0 for mean in self.means]
        return means, [count / self.weight for count in self.counts], list(self._clocks())

    def _arguments(self, eligible: int) -> tuple[float, ...]:
        return self.policy.explore.arguments(eligible)

    def add_arm(self) -> None:
        """Make place for one more arm; an index that knows the number of arms learns of it."""
        super().add_arm()
        self._exploring = self.policy.explore.arguments(len(self.counts))

    def knowledge(self, arm: int) -> dict[str, float | None]:
        """Return what the memory knows, and the index of a policy that draws nothing."""
        index = None if self.policy.explore.noise else self.indices(nothing_drawn)[arm]
        finite = index is not None and math.isfinite(index)
        return {**super().knowledge(arm), "index": float(index) if finite and index else None}

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
        arm = self._force(float(since), float(restarts), float(arms), *noise, *self._forcing)
        return arm if force.trusted else force.check_arm(arm, arms)

    def indices(self, draw: Draw) -> list[float]:
        """Return the index of every arm; infinite, but for a prior, where no play is remembered."""
        clocks, index = self._clocks(), self._index
        if index is None:
            terms = zip(self.means, map(self._slope, clocks), self.roots, strict=True)
            return [mean + slope * root for mean, slope, root in terms]
        columns = self._columns(clocks, draw)
        if self.policy.explore.prior or all(self.counts):
            return list(map(index, *columns))
        rows = zip(self.counts, *columns, strict=False)  # the rule's numbers repeat without end
        return [index(*row[1:]) if row[0] > 0.0 else row[1] for row in rows]

    def _clocks(self) -> Iterable[float]:
        """Return the clock of every arm, at least 1."""
        if self._restarts:
            return [max(clock, 1.0) for clock in self.arm_clocks()]
        return repeat(max(self.clock, 1.0), len(self.counts))

    def _slope(self, clock: float) -> float:
        """Return what 1/√count is multiplied by in the index mean + width/√count."""
        assert self._width_of is not None
        width: float = self._width_of(clock, *self._exploring)
        return width * self.stretch

    def _columns(self, clocks: Iterable[float], draw: Draw) -> list[Iterable[Any]]:
        """Return the arguments of an index, each as one column over the arms."""
        explore = self.policy.explore
        columns: list[Iterable[Any]] = [
            [mean if math.isfinite(mean) else 0.0 for mean in self.means]
            if explore.prior
            else self.means,
            [count / self.weight for count in self._plays_counted()],
            clocks,
        ]
        if explore.variance:
            columns.append(self.variances)
        if explore.noise:
            columns.append(self._noise(draw, len(self.counts)))
        return [*columns, *map(repeat, self._exploring)]

    def _plays_counted(self) -> list[float]:
        """Return the counts that an index sees: with awaited plays, unless it draws.

        An upper bound shrinks as plays are under way, so the next ones go elsewhere. A draw spreads
        the plays by itself, and must not be surer than the rewards that have come.
        """
        if not self.waiting or self.policy.explore.noise:
            return self.counts
        return [count + awaited for count, awaited in zip(self.counts, self.awaited, strict=True)]

    def _noise(self, draw: Draw, arms: int) -> list[float] | list[list[float]]:
        """Return the random numbers of every arm; the engine draws the first of all arms first."""
        drawn = [draw() for _ in range(arms * self.policy.explore.noise)]
        return drawn if len(drawn) == arms else [drawn[arm::arms] for arm in range(arms)]


class WidthLearner(IndexLearner):
    """The index mean + width/√count with one clock, so that all arms have the same slope."""

    def __init__(self, policy: Policy, arms: int) -> None:
        super().__init__(policy, arms)
        self._places = list(range(arms))
        self._renew_rule()

    def _renew_rule(self) -> None:
        """Take the rule's numbers as they are now; its width was never asked for."""
        self._width_at = filled(self._width_of, self._exploring)
        self._width, self._width_clock = 0.0, math.nan

    def __getstate__(self) -> dict[str, Any]:
        """Return all but a function that no module has."""
        return {name: value for name, value in vars(self).items() if name != "_width_at"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over what was copied."""
        vars(self).update(state)
        self._renew_rule()

    def choose(self, draw: Draw, arms: Sequence[int] | None = None) -> int:
        """Return an arm never tried, or the one with the largest index, the lowest of equals.

        With `arms`, those alone may be played, and all of them were tried.
        """
        if arms is None:
            if self.untried:
                return self.untried[0]
            arms = self._places
        if self.clock != self._width_clock:
            self._renew_width()
        slope, means, roots = self._width * self.stretch, self.means, self.roots
        best, top = -1, LEAST
        for arm in arms:
            index = means[arm] + slope * roots[arm]
            if index > top:
                best, top = arm, index
        return best if best >= 0 else self._largest(means, arms)

    def _free_law(self, eligible: Sequence[int]) -> list[float]:
        """Return the law of the arm with the largest index, which is certain."""
        return only(self.choose(nothing_drawn, eligible), eligible)

    def add_arm(self) -> None:
        """Make place for one more arm."""
        super().add_arm()
        self._places.append(len(self._places))
        self._renew_rule()

    def _renew_width(self) -> None:
        """Ask for the width that all arms have in common, since the clock has moved."""
        clock = self.clock
        width: float = self._width_at(clock)
        if isnan(width):
            raise self.policy.explore.nan_index(0)
        self._width, self._width_clock = width, clock


class ManyArmsLearner(WidthLearner):
    """The same with arrays, whose arithmetic takes about as long for a hundred arms as for ten."""

    means: NDArray[np.float64]
    roots: NDArray[np.float64]

    def __init__(self, policy: Policy, arms: int) -> None:
        super().__init__(policy, arms)
        self.means, self.roots = np.array(self.means), np.array(self.roots)

    def choose(self, draw: Draw, arms: Sequence[int] | None = None) -> int:
        """Return an arm never tried, or the one with the largest index, the lowest of equals."""
        if self.untried and arms is None:
            return self.untried[0]
        if arms is not None and len(arms) < len(self._places):
            return super().choose(draw, arms)
        if self.clock != self._width_clock:
            self._renew_width()
        indices = self.means + self._width * self.stretch * self.roots
        best = int(indices.argmax())
        return best if indices[best] > -math.inf else self._largest(indices, self._places)


def nothing_drawn() -> float:
    """Stand for the draws of an index that draws nothing."""
    raise AssertionError


def no_law(name: str, arguments: str) -> InputError:
    """Return the error of a random rule that does not say its law."""
    return InputError(
        f"{name} must have a staticmethod law({arguments}, …) for decisions with a probability; "
        "choose and learn need none"
    )
