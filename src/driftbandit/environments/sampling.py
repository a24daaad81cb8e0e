"""Random draws that several worlds share."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.marking import compilable
from driftbandit.core.random import geometric, uniform


@compilable
def between(rng: NDArray[np.uint64], low: float, high: float) -> float:
    """Draw from the uniform law on [low, high]."""
    return low + (high - low) * uniform(rng)


@compilable
def pick(rng: NDArray[np.uint64], options: int) -> int:
    """Draw one of 0, …, options − 1, all equally likely."""
    return min(int(options * uniform(rng)), options - 1)


@compilable
def pick_other(rng: NDArray[np.uint64], options: int, excluded: int) -> int:
    """Draw one of 0, …, options − 1 except `excluded`; any of them if `excluded` is negative."""
    if excluded < 0:
        return pick(rng, options)
    option = pick(rng, options - 1)
    return option + 1 if option >= excluded else option


@compilable
def rounds_until_event(rng: NDArray[np.uint64], rate: float) -> float:
    """Draw the rounds until an event of probability `rate` per round; infinite at rate 0."""
    return geometric(rng, rate) if rate > 0.0 else math.inf


@compilable
def rounds_until_first(rng: NDArray[np.uint64], events: float, rounds: float) -> float:
    """Draw the rounds until the first of `events` events in distinct rounds out of `rounds`.

    All choices of rounds are equally likely: P(first > k) = Π_{j<k} (1 − events / (rounds − j)).
    One uniform number per event, as in Vitter, *Faster methods for random sampling*, 1984,
    method A.
    """
    if events <= 0.0:
        return math.inf
    luck, later, waited = uniform(rng), 1.0, 0.0
    while luck < later:
        later *= 1.0 - events / (rounds - waited)
        waited += 1.0
    return waited


@compilable
def rows_before(event: float, first: int, rows: int) -> int:
    """Return how many of `rows` rounds from `first` on come before the round of an event."""
    return int(min(event - first, rows))
