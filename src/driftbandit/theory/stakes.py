"""Which bets a confidence band makes, and how it divides its probability of error among them.

There are two families. Stakes λ ≤ 0.97 go with any guess. Larger ones suit few rewards near 0, and
need small guesses. In both, neighbouring stakes have the ratio e^STEP, and equal masses.

**One round t.** The stakes are multiplied by e^(jE) if the weight of an arm's last play, γ^(t−r),
has fallen by j powers of e^E, E = EPOCH. For each j that is a mixture of its own: it bets no more
once the arm is played so late that these stakes are too large. What was played decides on j, so
each j has a share of the probability of error.

**All rounds, with a discount.** λ w_s is κγ^(−s) with κ = λγ^t. So the bets of one κ are the same
for all rounds t, one supermartingale, and they end when κγ^(−s) is too large. The κ that any round
needs, on a grid of ratio e^STEP, are one mixture.

**All rounds, with a window.** The windows of the first τ rounds start together. Each later start is
a mixture of its own, and they have equal shares of the probability of error.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from driftbandit.theory.memory import Floats, Memory

STEP = math.log(2.0) / 6.0
"""The logarithm of the ratio of neighbouring stakes."""
EPOCH = math.log(2.0)
"""By how many powers of e an arm's weights fall before a band for one round counts it as idle."""
FRESH = 0.9
"""The share of the probability of error that such a band has for arms that are not idle."""


class Family(NamedTuple):
    """Stakes of one kind; stake × guess < 1."""

    stake: float
    """The largest stake."""
    guess: float
    """The largest guess."""
    share: float
    """Its mass in the mixture."""


SMALL = Family(0.97, 1.0, 0.9)
LARGE = Family(6.0, math.tan(math.pi / 12.0) ** 2, 0.1)
"""The guess, 0.072, is one at which 0 is a node; see `betting.nodes`."""


class Bets(NamedTuple):
    """The stakes of one family."""

    stakes: Floats
    guess: float
    log_mass: Floats
    """(stakes, rows, 1); one row stands for all."""


class Mixture(NamedTuple):
    """Bets, and what each row and arm makes of them."""

    bets: tuple[Bets, Bets]
    scale: Floats
    """What a row multiplies its stakes by; at most 1."""
    evidence: Floats
    """The logarithm of what the mixture must reach to reject a mean."""


def one_round(memory: Memory, miss: float) -> Mixture:
    """Return the mixture for each round and arm alone; an end is wrong with probability `miss`."""
    rounds = np.arange(1, memory.rounds + 1)
    bets = []
    for family, sizes in _sizes(memory.heaviest(rounds), miss):
        within = np.arange(sizes.max())[:, np.newaxis] < sizes
        log_mass = np.where(within, np.log(family.share / sizes), -math.inf)
        bets.append(_bets(family, log_mass[:, :, np.newaxis]))
    fading = memory.fading()
    epoch = np.floor(fading / EPOCH)
    share = np.where(epoch > 0.0, (1.0 - FRESH) / np.maximum(epoch * (epoch + 1.0), 1.0), FRESH)
    spent = 0.0 if memory.discount == 1.0 else np.log(share)
    scale = np.exp(np.minimum(epoch * EPOCH - fading, 0.0))
    return Mixture((bets[0], bets[1]), scale, -math.log(miss) - spent + np.zeros_like(fading))


def all_rounds(memory: Memory, miss: float, rounds: int) -> Mixture:
    """Return the mixture for all rounds up to `rounds` at once."""
    starts = 1 if memory.window is None else max(1, rounds - memory.window + 1)
    evidence = math.log(starts) - math.log(miss)
    decay = -math.log(memory.discount) / STEP
    bets = []
    for family, sizes in _sizes(memory.heaviest(np.array([rounds])), math.exp(-evidence)):
        size = int(sizes[0])
        points = min(math.ceil((rounds - 1) * decay) + size, rounds * size)
        bets.append(_bets(family, np.full((size, 1, 1), math.log(family.share / points))))
    moved = memory.last * decay
    scale = np.exp(STEP * (moved - np.ceil(moved)))
    return Mixture((bets[0], bets[1]), scale, np.full(scale.shape, evidence))


def _bets(family: Family, log_mass: Floats) -> Bets:
    stakes = family.stake * np.exp(-STEP * np.arange(len(log_mass)))
    return Bets(stakes, family.guess, log_mass)


def _sizes(heaviest: Floats, miss: float) -> list[tuple[Family, NDArray[np.intp]]]:
    """Return how many stakes of each family each row needs.

    The best stake is about √(2 log(1/α) / V), and V = Σ w² μ (1 − μ) is at most n_t(γ²) / 4. The
    larger stakes end where the smaller ones begin.
    """
    least = np.sqrt(-8.0 * math.log(miss) / heaviest)
    small = np.ceil(np.log(np.maximum(SMALL.stake / least, 1.0)) / STEP)
    large = math.ceil(math.log(LARGE.stake / SMALL.stake) / STEP)
    return [(SMALL, 1 + small.astype(np.intp)), (LARGE, np.full(small.shape, large))]
