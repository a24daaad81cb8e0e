"""Before and after, by turns: both sides meet the same machine.

Times are processor time, so that a neighbour who takes the core away does not count. A ratio is
after / before of the smallest times; its range is that of the ratios of single turns.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchmarks.compare.side import COLD, Side
from benchmarks.compare.worker import POLICIES

ARMS = (3, 10, 1000)
LIVE_ARMS = (3, 10)
RUNS = (4, 2_048)
"""The fewest and the most runs of a simulation."""
LIVE_ROUNDS = (1_000, 32_000)
SECONDS = 0.25
"""What one turn should take: the number of runs or rounds follows from it."""

Timer = Callable[[Side], float]

PROCESSES: dict[str, Timer] = {
    "import driftbandit": Side.import_seconds,
    "driftbandit --help": Side.help_seconds,
    "driftbandit simulate --help": lambda side: side.help_seconds("simulate"),
}


@dataclasses.dataclass(frozen=True)
class Row:
    """The times of one thing in seconds, turn by turn."""

    group: str
    name: str
    before: tuple[float, ...]
    after: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """How many times as long it takes after as before, the smallest times compared.

        >>> Row("simulate", "UCB-1", (2.0, 4.0), (3.0, 5.0)).ratio
        1.5
        """
        return min(self.after) / min(self.before)

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest ratio of a turn."""
        ratios = [after / before for before, after in zip(self.before, self.after, strict=True)]
        return min(ratios), max(ratios)

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers as plain data."""
        return {**dataclasses.asdict(self), "ratio": self.ratio, "range": self.range}


def compare(
    before: Side,
    after: Side,
    policies: Sequence[str] = tuple(POLICIES),
    arms: Sequence[int] = ARMS,
    turns: int = 9,
    cold: int = 0,
    live_only: bool = False,
) -> Iterator[Row]:
    """Yield one row per thing that is timed; `cold` is the number of turns of cold compiles."""
    with before.working(), after.working():
        for number, policy in itertools.product(() if live_only else arms, policies):
            name = _note("simulate", f"{policy}, K = {number:,}")
            timer = simulation((before, after), policy, number)
            yield Row("simulate", name, *by_turns(before, after, timer, turns))
        for number, policy in itertools.product(LIVE_ARMS, policies):
            name = _note("live agent", f"{policy}, K = {number:,}")
            timer = live((before, after), policy, number)
            yield Row("live agent", name, *by_turns(before, after, timer, turns))
    if live_only:
        return
    for what, timer in PROCESSES.items():
        name = _note("process", what)
        yield Row("process", name, *by_turns(before, after, timer, 2 * turns))
    for what in COLD if cold else ():
        name = _note("cold compile", what)
        yield Row("cold compile", name, *by_turns(before, after, _cold(what), cold, warm=False))


def simulation(sides: Sequence[Side], policy: str, arms: int) -> Timer:
    """Return what times a simulation that both sides have compiled already."""
    horizon = 10_000 if arms <= 100 else 2 * arms
    request = {"task": "simulate", "policy": policy, "arms": arms, "horizon": horizon}
    first = _request(request, runs=RUNS[0])
    for side in sides:
        first(side)
    return _request(request, runs=size(RUNS, horizon * max(map(first, sides))))


def live(sides: Sequence[Side], policy: str, arms: int) -> Timer:
    """Return what times a live agent."""
    request = {"task": "live", "policy": policy, "arms": arms}
    first = _request(request, horizon=LIVE_ROUNDS[0])
    return _request(request, horizon=size(LIVE_ROUNDS, max(map(first, sides))))


def size(limits: tuple[int, int], seconds: float) -> int:
    """Return how many pieces of so many seconds make one turn: twice the fewest, four times, …

    It is the same on both sides, so the slower one decides.

    >>> size((4, 256), 0.01), size((4, 256), 3.0)
    (16, 4)
    """
    fewest, most = limits
    pieces = min(most, max(fewest, SECONDS / seconds))
    return int(fewest * 2 ** int(math.log2(pieces / fewest)))


def by_turns(
    before: Side, after: Side, timer: Timer, turns: int, warm: bool = True
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Time both sides `turns` times, each of them first in every other turn."""
    for side in (before, after) if warm else ():
        timer(side)
    times: dict[Side, list[float]] = {before: [], after: []}
    for turn in range(turns):
        for side in (before, after) if turn % 2 == 0 else (after, before):
            times[side].append(timer(side))
    return tuple(times[before]), tuple(times[after])


def geometric_mean(ratios: Sequence[float]) -> float:
    """Return the geometric mean.

    >>> round(geometric_mean([0.5, 2.0, 1.0]), 6)
    1.0
    """
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def _request(request: dict[str, Any], **more: int) -> Timer:
    return lambda side: side.seconds(**request, **more)


def _cold(name: str) -> Timer:
    return lambda side: side.cold_seconds(name)


def _note(group: str, name: str) -> str:
    print(f"{group}: {name}", file=sys.stderr, flush=True)
    return name
