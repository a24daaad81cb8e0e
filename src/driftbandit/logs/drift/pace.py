"""How often the means change, and the memory that follows by the paper's rules."""

from __future__ import annotations

import math
from collections.abc import Sequence

from driftbandit.core.duration import UNITS
from driftbandit.logs.drift.result import Change, Pace
from driftbandit.logs.evidence import Evidence
from driftbandit.policies.tuning import discount_rule, window_rule
from driftbandit.rules.forget import HalfLife, TimeWindow


def pace_of(changes: Sequence[Change], evidence: Evidence, level: float) -> Pace:
    """Return the pace of the changes, and the least rate that explains so many."""
    span, count = evidence.end - evidence.start, len(breakpoints(changes))
    if span <= 0.0:
        return Pace(count, math.nan, math.nan, None, None)
    days = span / UNITS["d"]
    rates = count / days, least_mean(count, level) / days
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


def least_mean(count: int, level: float) -> float:
    """Return the exact lower end, at this level, of the mean of a Poisson law that gave a number.

    There is no upper end: nobody knows how many changes were too small, or too close, to be found.

    Reference: Garwood, *Fiducial limits for the Poisson distribution*, Biometrika 28, 1936.

    >>> least_mean(0, 0.95), round(least_mean(10, 0.975), 2)
    (0.0, 4.8)
    """
    low, high = 0.0, float(count)
    for _ in range(60):
        middle = 0.5 * (low + high)
        more = 1.0 - _below(count - 1, middle) < 1.0 - level
        low, high = (middle, high) if more else (low, middle)
    return 0.5 * (low + high)


def _below(count: int, mean: float) -> float:
    """Return the probability that a Poisson number is at most `count`."""
    if mean == 0.0:
        return 1.0
    logs = (k * math.log(mean) - mean - math.lgamma(k + 1.0) for k in range(count + 1))
    return math.fsum(math.exp(each) for each in logs)
