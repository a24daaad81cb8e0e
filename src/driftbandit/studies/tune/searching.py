"""Search by successive halving: many candidates with few runs, the better ones with more.

A rung plays all candidates with the same luck and keeps the better half for the next rung, which
adds twice as many runs. The next stage tries new ones in boxes of half the width around the best
few, which may reach beyond the last box; a regret with several valleys is not rare. The last stage
walks along one parameter. Rungs of the same number have the same luck in all stages, so candidates
of different stages compare in pairs, and none is played twice.

Reference: Karnin, Koren & Somekh, *Almost optimal exploration in multi-armed bandits*, 2013;
Jamieson & Talwalkar, *Non-stochastic best arm identification and hyperparameter optimization*,
2016.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.studies.tune.ranges import Choice, Values

Array = NDArray[np.float64]
Candidate = tuple[Any, ...]
Measure = Callable[[Sequence[Candidate], int], Sequence[Array]]
"""Plays candidates on a rung and returns the regrets of its runs."""

RUNGS = 4
KEPT = 3
"""Candidates that are never halved: the next stage looks around them."""

STAGES = 4
"""Stages that fill boxes; one more walks along a parameter."""

EVEN = 17
NEARBY = (0.1, 0.25, 0.5, 1.0, 1.5)
"""A walk along a range: so many values from end to end, and some so many steps from the best."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """How many new candidates each stage has, and how many runs the first rung adds.

    After all rungs a candidate has met about as many runs as were asked for.

    >>> Plan.of(dimensions=2, runs=1_000)
    Plan(sizes=(32, 12, 12, 12, 28), runs=67)
    """

    sizes: tuple[int, ...]
    runs: int

    @classmethod
    def of(cls, dimensions: int, runs: int) -> Plan:
        """Return a plan for a box of some dimensions; from the third on each doubles the work."""
        first = 32 * 2 ** min(max(dimensions - 2, 0), 2)
        sizes = (first, *[first * 3 // 8] * (STAGES - 1), EVEN + 2 * len(NEARBY) + 1)
        return cls(sizes, -(-runs // (2**RUNGS - 1)))

    def added(self, rung: int) -> int:
        """Return the runs that a rung adds."""
        return self.runs << rung

    def plays(self) -> int:
        """Return the largest number of runs that the search can play."""
        total = 0
        for stage, size in enumerate(self.sizes):
            left = size + (1 if stage == 0 else KEPT)
            for rung in range(RUNGS):
                total += left * self.added(rung)
                left = _kept(left)
        return total


class Ladder:
    """The regrets of all candidates so far, rung by rung, and a log of what was kept."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self.regrets: dict[Candidate, list[Array]] = {}
        self.log: list[dict[str, Any]] = []

    def climb(self, candidates: Sequence[Candidate], stage: int) -> list[Candidate]:
        """Halve the candidates rung by rung; return those left, the best first."""
        left = list(dict.fromkeys(candidates))
        for rung in range(RUNGS):
            new = [one for one in left if len(self.regrets.get(one, [])) <= rung]
            if new:
                for one, regret in zip(new, self.measure(new, rung), strict=True):
                    self.regrets.setdefault(one, []).append(regret)
            left.sort(key=lambda one: self._met(one, rung).mean())
            going = left[: _kept(len(left))] if rung + 1 < RUNGS else left[:KEPT]
            self.log += [self._line(one, stage, rung, one in going) for one in left]
            left = going
        return left

    @property
    def best(self) -> Candidate:
        """The best of the candidates that climbed all rungs."""
        top = [one for one, met in self.regrets.items() if len(met) == RUNGS]
        return min(top, key=lambda one: self._met(one, RUNGS - 1).mean())

    def _met(self, candidate: Candidate, rung: int) -> Array:
        return np.concatenate(self.regrets[candidate][: rung + 1])

    def _line(self, candidate: Candidate, stage: int, rung: int, kept: bool) -> dict[str, Any]:
        regret = self._met(candidate, rung)
        return {
            "candidate": candidate,
            "stage": stage,
            "rung": rung,
            "regret": regret,
            "kept": kept,
        }


def search(
    space: Mapping[str, Choice],
    plan: Plan,
    measure: Measure,
    along: str,
    first: Sequence[Candidate] = (),
) -> Ladder:
    """Search the box of all parameters, then along one of them; return all that was played.

    `first` are candidates that begin beside those that fill the box.

    >>> def measure(tried, rung):
    ...     return [np.full(2, (x - 0.3) ** 2) for x, in tried]
    >>> from driftbandit.studies.tune.ranges import Range
    >>> search({"x": Range(0, 1, "linear")}, Plan.of(1, 30), measure, "x").best
    (0.298,)
    """
    choices, ladder = list(space.values()), Ladder(measure)
    boxes = [np.array([[0.0, 1.0]] * len(choices))]
    left: list[Candidate] = list(first)
    for stage, size in enumerate(plan.sizes[:STAGES]):
        points = [u for box in boxes for u in spread(size // len(boxes), box)]
        left = ladder.climb([*left, *(_candidate(choices, u) for u in points)], stage)
        boxes = [_around(choices, one, 0.5 ** (stage + 2)) for one in left]
    place = list(space).index(along)
    best = ladder.best
    walk = [(*best[:place], x, *best[place + 1 :]) for x in walked(choices[place], best[place])]
    ladder.climb([*left, *walk], STAGES)
    return ladder


def walked(choice: Choice, best: float) -> list[float]:
    """Return values along a parameter: all of a list, or a range from end to end.

    >>> walked(Values((5, 2, 9)), 5)
    [2, 5, 9]
    """
    if isinstance(choice, Values):
        return sorted(choice.values)
    step, here = 1.0 / (EVEN - 1), choice.place(best)
    near = [here + sign * far * step for far in NEARBY for sign in (-1.0, 1.0)]
    places = [*(n * step for n in range(EVEN)), *(place for place in near if 0.0 < place < 1.0)]
    return sorted({best, *(choice.at(place) for place in places)})


def spread(size: int, box: Array) -> Iterator[Array]:
    """Yield points that fill a box evenly: multiples of powers of a generalised golden ratio.

    Reference: Roberts, *The unreasonable effectiveness of quasirandom sequences*, 2018.

    >>> [round(float(u[0]), 3) for u in spread(4, np.array([[0.0, 1.0]]))]
    [0.118, 0.736, 0.354, 0.972]
    """
    dimensions = len(box)
    ratio = 2.0
    for _ in range(60):  # the root of x^(d+1) = x + 1
        ratio = (1.0 + ratio) ** (1.0 / (dimensions + 1))
    steps = ratio ** -np.arange(1.0, dimensions + 1)
    for n in range(1, size + 1):
        yield box[:, 0] + (0.5 + n * steps) % 1.0 * (box[:, 1] - box[:, 0])


def _candidate(choices: Sequence[Choice], point: Array) -> Candidate:
    inside = np.clip(point, 0.0, 1.0)  # beyond an end, the end itself is tried
    return tuple(choice.at(float(u)) for choice, u in zip(choices, inside, strict=True))


def _around(choices: Sequence[Choice], candidate: Candidate, half: float) -> Array:
    """Return the box of that half width around a candidate."""
    places = [choice.place(x) for choice, x in zip(choices, candidate, strict=True)]
    return np.array([[place - half, place + half] for place in places])


def _kept(number: int) -> int:
    return max(min(KEPT, number), -(-number // 2))
