"""How often the means change, and the memory that follows by the paper's rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from driftbandit.core.duration import UNITS
from driftbandit.logs.drift.result import Change, Pace
from driftbandit.logs.evidence import Evidence
from driftbandit.policies.tuning import discount_rule, window_rule
from driftbandit.rules.forget import HalfLife, TimeWindow


def pace_of(changes: Sequence[Change], evidence: Evidence, level: float) -> Pace:
    """Return the pace of the changes, with the exact interval of a Poisson law."""
    span, count = evidence.end - evidence.start, len(breakpoints(changes))
    if span <= 0.0:
        return Pace(count, math.nan, math.nan, math.nan, None, None)
    low, high = poisson_interval(count, level)
    days = span / UNITS["d"]
    rates = count / days, low / days, high / days
    density = count / evidence.size
    if count == 0:
        return Pace(count, *rates, None, None)
    seconds = span / evidence.size
    half_life = math.log(2.0) / -math.log(discount_rule(density=density))
    window = window_rule(density=density)
    return Pace(count, *rates, HalfLife(half_life * seconds), TimeWindow(window * seconds))


def breakpoints(changes: Sequence[Change]) -> list[list[Change]]:
    """Return the changes that may be one breakpoint, together: the fewest that are possible.

    Intervals that have a time in common are one.

    >>> one = Change("a", 5.0, 4.0, 6.0, 0.1, 0.0, 0.2, 0.1, 0.2)
    >>> len(breakpoints([one, one._replace(arm="b", earliest=5.5, latest=8.0)]))
    1
    >>> len(breakpoints([one, one._replace(arm="b", earliest=6.5, latest=8.0)]))
    2
    """
    groups: list[list[Change]] = []
    latest = -math.inf
    for change in sorted(changes, key=lambda each: each.latest):
        if change.earliest > latest:
            groups.append([])
            latest = change.latest
        groups[-1].append(change)
    return groups


def poisson_interval(count: int, level: float) -> tuple[float, float]:
    """Return the exact interval of the mean of a Poisson law after one number from it.

    Reference: Garwood, *Fiducial limits for the Poisson distribution*, Biometrika 28, 1936.

    >>> [round(end, 2) for end in poisson_interval(0, 0.95)]
    [0.0, 3.69]
    >>> [round(end, 2) for end in poisson_interval(10, 0.95)]
    [4.8, 18.39]
    """
    tail = 0.5 * (1.0 - level)
    low = 0.0 if count == 0 else _mean_at(lambda mean: 1.0 - _below(count - 1, mean), tail)
    return low, _mean_at(lambda mean: 1.0 - _below(count, mean), 1.0 - tail)


def _mean_at(tail: Callable[[float], float], share: float) -> float:
    """Return the mean at which a tail that grows with it is `share`, by bisection."""
    low, high = 0.0, 1.0
    while tail(high) < share:
        high *= 2.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if tail(middle) < share else (low, middle)
    return 0.5 * (low + high)


def _below(count: int, mean: float) -> float:
    """Return the probability that a Poisson number is at most `count`."""
    if mean == 0.0:
        return 1.0
    logs = (k * math.log(mean) - mean - math.lgamma(k + 1.0) for k in range(count + 1))
    return math.fsum(math.exp(each) for each in logs)
