"""The ends of a confidence band, by the two methods there are."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from driftbandit.theory.betting import margin
from driftbandit.theory.deviation import deviation_threshold, maximal_threshold
from driftbandit.theory.memory import Floats, Memory
from driftbandit.theory.stakes import all_rounds, one_round

LEAST = 1e-6
"""A Hoeffding band for single rounds says nothing about an arm whose N_t(γ²) is below this.

For an arm that was played once this takes 6.9 / (1 − γ) rounds. A tenth of this value would widen
all bands by less than 1 %.
"""


class Averages(NamedTuple):
    """Mean, effective count and N_t(γ²) of the remembered rewards, per round and arm."""

    mean: Floats
    effective: Floats
    weight: Floats

    @classmethod
    def of(cls, seen: Floats, mask: Floats, memory: Memory) -> Averages:
        """Return those of rewards `seen`, which are 0 where the `mask` is."""
        count = memory.total(mask)
        weight = count if memory.discount == 1.0 else memory.total(mask, 2)
        with np.errstate(invalid="ignore"):
            mean = memory.total(seen) / count
            effective = np.where(count > 0.0, count * count / weight, 0.0)
        return cls(mean, effective, weight * np.exp(-2.0 * memory.fading()))


def ends_by_bets(
    seen: Floats, mask: Floats, memory: Memory, miss: float, rounds: int | None
) -> tuple[Floats, Floats]:
    """Return low and high of rewards in [0, 1], each wrong with probability `miss` per arm.

    They hold for all rounds up to `rounds` at once, or for each round alone if that is None.
    """
    mixture = one_round(memory, miss) if rounds is None else all_rounds(memory, miss, rounds)
    mean = Averages.of(seen, mask, memory).mean
    below, above = (margin(x, mask, memory, mixture) for x in (seen, mask - seen))
    return mean - below, mean + above


def ends_by_hoeffding(
    seen: Floats, mask: Floats, memory: Memory, miss: float, rounds: int | None
) -> tuple[Floats, Floats]:
    """Return the same from the paper's deviation inequalities, which know no variance."""
    averages = Averages.of(seen, mask, memory)
    discount, window = memory.discount, memory.window
    if rounds is None:
        delta: float | Floats = _thresholds(miss, len(seen), discount, window)
        delta = np.where(averages.weight >= LEAST, delta, math.inf)
    else:
        delta = maximal_threshold(miss, rounds, discount=discount, window=window)
    with np.errstate(divide="ignore", invalid="ignore"):
        half = delta / np.sqrt(averages.effective)
    return averages.mean - half, averages.mean + half


def _thresholds(miss: float, rows: int, discount: float, window: int | None) -> Floats:
    """Return δ per round, that of the next power of two: about twenty are computed."""
    exponent = np.frexp(np.arange(rows, dtype=np.float64))[1]
    powers = [
        deviation_threshold(miss, 2**k, discount=discount, window=window, least=LEAST)
        for k in range(int(exponent[-1]) + 1)
    ]
    return np.array(powers)[exponent][:, np.newaxis]


Ends = Callable[[Floats, Floats, Memory, float, int | None], tuple[Floats, Floats]]
METHODS: dict[str, Ends] = {"betting": ends_by_bets, "hoeffding": ends_by_hoeffding}
