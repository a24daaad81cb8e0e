"""Points of the curves that costly indices move along, and the bounds that follow from one.

The index of an arm is an increasing and concave function of a share. A tangent of its curve lies
above it; the chord from share 0, where the index is the mean, lies below.
"""

from __future__ import annotations

import math

from driftbandit.core.lanes import LANES, Block, bounded, on, place
from driftbandit.core.marking import compilable
from driftbandit.policies.index.lockstep.state import LEVEL, IndexPlayer


@compilable
def x_at(player: IndexPlayer, block: Block, k: int, lane: int, x: float) -> float:
    """Return x, or that of an arm and lane where these have clocks of their own."""
    if on(player.flags.levels):
        k = 0 if on(player.flags.one_clock) else k
        return float(player.state.table[place(block.shape, LEVEL, k, lane)])
    return x


@compilable
def find_points(player: IndexPlayer, number: int) -> None:
    """Turn rows of means, counts, hints and x into rows of bounds and hints."""
    side = player.state.side
    for i in range(bounded(number)):
        mean, count, hint = side[i], side[LANES + i], side[2 * LANES + i]
        low, start, rate, hint = bounds_of(player, mean, count, hint, side[3 * LANES + i])
        side[i], side[LANES + i], side[2 * LANES + i] = low, start, rate
        side[3 * LANES + i] = hint


@compilable
def find_hints(player: IndexPlayer, number: int) -> None:
    """Replace the hints in rows of means, counts, hints and x by better ones."""
    side = player.state.side
    for i in range(bounded(number)):
        mean, count, hint = side[i], side[LANES + i], side[2 * LANES + i]
        _, _, _, hint = bounds_of(player, mean, count, hint, side[3 * LANES + i])
        side[2 * LANES + i] = hint


@compilable
def bounds_of(
    player: IndexPlayer, mean: float, count: float, hint: float, x: float
) -> tuple[float, float, float, float]:
    """Return a lower bound of an index, its tangent in x, and a hint where to look next time.

    An index that is not a number is unbounded, so that it is computed, and noted.
    """
    seen = count > 0.0
    share, mean = x / (count if seen else 1.0), mean if seen else 0.0
    at, value, rate, hint = player.rules.point(player, mean, share, hint)
    part = share / at
    low = mean + (value - mean) * part if part < 1.0 else value
    start, rate = value - rate * at, rate / count
    if not on(player.flags.trusted):
        wrong = math.isnan(start)
        low, start, rate = (
            -math.inf if wrong else low,
            math.inf if wrong else start,
            0.0 if wrong else rate,
        )
    return low if seen else math.inf, start if seen else math.inf, rate if seen else 0.0, hint


@compilable
def point_near(
    player: IndexPlayer, mean: float, share: float, hint: float
) -> tuple[float, float, float, float]:
    """Return a point of the curve near a share: its share and index, the slope, and a hint."""
    at, value, rate, hint = player.rules.near(mean, share, hint, *player.numbers.explore)
    return at, value, rate, hint


@compilable
def point_at(
    player: IndexPlayer, mean: float, share: float, hint: float
) -> tuple[float, float, float, float]:
    """Return the point of the curve at a share."""
    value, rate = player.rules.tangent(mean, share, *player.numbers.explore)
    return share, value, rate, 0.0
