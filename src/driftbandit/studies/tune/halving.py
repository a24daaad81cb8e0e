"""Successive halving: many candidates with few runs, the better ones with more.

A rung plays all candidates with the same luck and keeps the better half for the next rung, which
adds twice as many runs. The next stage tries new candidates in boxes of half the width around the
best few; these boxes may reach beyond the last one, for a regret with several valleys is not rare.
The last stage walks along one parameter. Rungs with the same number have the same luck in all
stages, so candidates of different stages compare in pairs, and none is played twice.

Reference: Karnin, Koren & Somekh, *Almost optimal exploration in multi-armed bandits*, 2013;
Jamieson & Talwalkar, *Non-stochastic best arm identification and hyperparameter optimization*,
2016.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from driftbandit.studies.tune.ranges import Domain, Values

Array = NDArray[np.float64]
Candidate = tuple[Any, ...]
Measure = Callable[[Sequence[Candidate], int], Sequence[Array]]
"""Plays candidates on a rung and returns the regrets of its runs."""

RUNGS = 4
SURVIVORS = 3
"""Candidates that are never halved: the next stage looks around them."""

STAGES = 4
"""Stages that fill boxes; one more walks along a parameter."""

EVEN = 17
NEARBY = (0.1, 0.25, 0.5, 1.0, 1.5)
"""A walk along a range: `EVEN` values from end to end, and some at these steps from the best."""


@dataclasses.dataclass(frozen=True)
class Budget:
    """The number of new candidates per stage, and of runs that the first rung adds.

    After all rungs a candidate has played about the requested number of runs.

    >>> Budget.of(dimensions=2, runs=1_000)
    Budget(sizes=(32, 12, 12, 12, 28), runs=67)
    """

    sizes: tuple[int, ...]
    runs: int

    @classmethod
    def of(cls, dimensions: int, runs: int) -> Budget:
        """Return the budget of a box; from the third on, each dimension doubles the work."""
        first = 32 * 2 ** min(max(dimensions - 2, 0), 2)
        sizes = (first, *[first * 3 // 8] * (STAGES - 1), EVEN + 2 * len(NEARBY) + 1)
        return cls(sizes, -(-runs // (2**RUNGS - 1)))

    def added(self, rung: int) -> int:
        """Return the number of runs that a rung adds."""
        return self.runs << rung

    def plays(self) -> int:
        """Return the largest number of runs that the search can play."""
        total = 0
        for stage, size in enumerate(self.sizes):
            left = size + (1 if stage == 0 else SURVIVORS)
            for rung in range(RUNGS):
                total += left * self.added(rung)
                left = _survivors(left)
        return total


class Trial(NamedTuple):
    """A candidate on a rung: its regret per run so far, and whether it went on to the next."""

    candidate: Candidate
    stage: int
    rung: int
    regret: Array
    survived: bool


class Ladder:
    """The regrets of all candidates so far, rung by rung, and a log of all trials."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self.regrets: dict[Candidate, list[Array]] = {}
        self.log: list[Trial] = []

    def climb(self, candidates: Sequence[Candidate], stage: int) -> list[Candidate]:
        """Halve the candidates rung by rung; return the survivors, the best first."""
        left = list(dict.fromkeys(candidates))
        for rung in range(RUNGS):
            new = [one for one in left if len(self.regrets.get(one, [])) <= rung]
            if new:
                for one, regret in zip(new, self.measure(new, rung), strict=True):
                    self.regrets.setdefault(one, []).append(regret)
            left.sort(key=lambda one: self._regret(one, rung).mean())
            best = left[: _survivors(len(left))] if rung + 1 < RUNGS else left[:SURVIVORS]
            self.log += [
                Trial(one, stage, rung, self._regret(one, rung), one in best) for one in left
            ]
            left = best
        return left

    @property
    def best(self) -> Candidate:
        """The best of the candidates that climbed all rungs."""
        top = [one for one, parts in self.regrets.items() if len(parts) == RUNGS]
        return min(top, key=lambda one: self._regret(one, RUNGS - 1).mean())

    def _regret(self, candidate: Candidate, rung: int) -> Array:
        return np.concatenate(self.regrets[candidate][: rung + 1])


def successive_halving(
    space: Mapping[str, Domain],
    budget: Budget,
    measure: Measure,
    along: str,
    first: Sequence[Candidate] = (),
) -> Ladder:
    """Search the box of all parameters, then along one of them; return all trials.

    `first` are candidates that start beside those that fill the box.

    >>> def measure(candidates, rung):
    ...     return [np.full(2, (x - 0.3) ** 2) for x, in candidates]
    >>> from driftbandit.studies.tune.ranges import Range
    >>> successive_halving({"x": Range(0, 1, "linear")}, Budget.of(1, 30), measure, "x").best
    (0.298,)
    """
    domains, ladder = list(space.values()), Ladder(measure)
    boxes = [np.array([[0.0, 1.0]] * len(domains))]
    left: list[Candidate] = list(first)
    for stage, size in enumerate(budget.sizes[:STAGES]):
        points = [u for box in boxes for u in fill_box(size // len(boxes), box)]
        left = ladder.climb([*left, *(_candidate(domains, u) for u in points)], stage)
        boxes = [_around(domains, one, 0.5 ** (stage + 2)) for one in left]
    place = list(space).index(along)
    best = ladder.best
    line = [(*best[:place], x, *best[place + 1 :]) for x in walk(domains[place], best[place])]
    ladder.climb([*left, *line], STAGES)
    return ladder


def walk(domain: Domain, best: float) -> list[float]:
    """Return values along a parameter: all of a list, or a range from end to end.

    >>> walk(Values((5, 2, 9)), 5)
    [2, 5, 9]
    """
    if isinstance(domain, Values):
        return sorted(domain.values)
    step, here = 1.0 / (EVEN - 1), domain.place(best)
    near = [here + sign * far * step for far in NEARBY for sign in (-1.0, 1.0)]
    places = [*(n * step for n in range(EVEN)), *(place for place in near if 0.0 < place < 1.0)]
    return sorted({best, *(domain.at(place) for place in places)})


def fill_box(size: int, box: Array) -> Iterator[Array]:
    """Yield points that fill a box evenly: multiples of powers of a generalised golden ratio.

    Reference: Roberts, *The unreasonable effectiveness of quasirandom sequences*, 2018.

    >>> [round(float(u[0]), 3) for u in fill_box(4, np.array([[0.0, 1.0]]))]
    [0.118, 0.736, 0.354, 0.972]
    """
    dimensions = len(box)
    ratio = 2.0
    for _ in range(60):  # the root of x^(d+1) = x + 1
        ratio = (1.0 + ratio) ** (1.0 / (dimensions + 1))
    steps = ratio ** -np.arange(1.0, dimensions + 1)
    for n in range(1, size + 1):
        yield box[:, 0] + (0.5 + n * steps) % 1.0 * (box[:, 1] - box[:, 0])


def _candidate(domains: Sequence[Domain], point: Array) -> Candidate:
    inside = np.clip(point, 0.0, 1.0)  # beyond an end, the end itself is tried
    return tuple(domain.at(float(u)) for domain, u in zip(domains, inside, strict=True))


def _around(domains: Sequence[Domain], candidate: Candidate, half: float) -> Array:
    """Return the box of this half width around a candidate."""
    places = [domain.place(x) for domain, x in zip(domains, candidate, strict=True)]
    return np.array([[place - half, place + half] for place in places])


def _survivors(number: int) -> int:
    return max(min(SURVIVORS, number), -(-number // 2))
