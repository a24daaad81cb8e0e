"""Points of the curves that costly indices move along, and the bounds that follow from one.

The index of an arm is an increasing and concave function of a share. A tangent of its curve lies
above it; the chord from share 0, where the index is the mean, lies below.
"""

from __future__ import annotations

import math

from driftbandit.core.lanes import LANES, bounded, on
from driftbandit.core.marking import compilable
from driftbandit.policies.index.lockstep.state import IndexPlayer


@compilable
def find_points(player: IndexPlayer, number: int, now: float, each: float) -> None:
    """Turn rows of means, counts and hints into rows of bounds."""
    side = player.state.side
    for i in range(bounded(number)):
        mean, count, hint = side[i], side[LANES + i], side[2 * LANES + i]
        low, start, rate, hint = bounds_of(player, mean, count, hint, now, each)
        side[i], side[LANES + i], side[2 * LANES + i] = low, start, rate
        side[3 * LANES + i] = hint


@compilable
def find_hints(player: IndexPlayer, number: int, now: float, each: float) -> None:
    """Replace the hints in rows of means, counts and hints by better ones."""
    side = player.state.side
    for i in range(bounded(number)):
        mean, count, hint = side[i], side[LANES + i], side[2 * LANES + i]
        _, _, _, hint = bounds_of(player, mean, count, hint, now, each)
        side[2 * LANES + i] = hint


@compilable
def bounds_of(
    player: IndexPlayer, mean: float, count: float, hint: float, now: float, each: float
) -> tuple[float, float, float, float]:
    """Return a lower bound of an index, its tangent in x, and a hint where to look next time.

    A curve that is concave lies above the chord from share 0, where the index is the mean.
    """
    seen = count > 0.0
    share, mean = now / (count * each if seen else 1.0), mean if seen else 0.0
    at, value, rate, hint = point_of(player, mean, share, hint)
    part = share / at
    low = value if part >= 1.0 else mean + (value - mean) * part
    start = value - rate * at
    return (
        low if seen else math.inf,
        start if seen else math.inf,
        rate / count if seen else 0.0,
        hint,
    )


@compilable
def point_of(
    player: IndexPlayer, mean: float, share: float, hint: float
) -> tuple[float, float, float, float]:
    """Return a point of the curve: its share and index, the slope there, and a hint."""
    if on(player.flags.near):
        at, value, rate, hint = player.rules.near(mean, share, hint, *player.numbers.explore)
        return at, value, rate, hint
    value, rate = player.rules.tangent(mean, share, *player.numbers.explore)
    return share, value, rate, 0.0
