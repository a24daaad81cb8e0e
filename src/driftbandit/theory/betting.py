"""The ends of confidence bands from bets that add up their stakes, however the means drift.

Rewards X_s ∈ [0, 1] with means μ_s given the past are seen in the rounds with ε_s = 1, and weigh
w_s = γ^(t−s), or 1 in a window. The band is around θ = Σ w_s ε_s μ_s / N, where N = Σ w_s ε_s. For
a stake λ > 0 and guesses g_s made before round s, with λ w_s g_s < 1,

    L = Π (1 + λ w_s (X_s − g_s)) e^(−λ w_s (μ_s − g_s))        over the rounds with ε_s = 1

is a supermartingale from 1: a factor has the mean (1 + y) e^(−y) ≤ 1 with y = λ w_s (μ_s − g_s).
The means enter as Σ λ w_s ε_s μ_s = λNθ alone. A mixture of such L with masses of at most 1
together exceeds 1/α in some round with probability α at most (Ville). It falls with θ, so θ is
larger than the root of mixture = 1/α, the lower end. The upper end is that of the rewards 1 − X_s.

Which mixtures hold for one round and for all rounds is said in `stakes`. With polynomials p below
log(1 + λv), the sums Σ p(w_s (X_s − g_s)) of all stakes come from a few sums; see `polynomials`.

Reference: Waudby-Smith & Ramdas, *Estimating means of bounded random variables by betting*, 2024.
Their factors 1 + λ (X_s − m) test one constant mean m.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from driftbandit.theory.memory import Floats, Memory
from driftbandit.theory.stakes import Mixture

HALF = 6
"""Half the number of conditions on a polynomial: a value and a slope at each of its nodes."""
ITERATIONS = 4
"""The number of Newton's steps. Each stays on the safe side of the root."""
BLOCK = 2**16
"""The size of arrays of stakes, rounds and arms: they should fit into a processor's cache."""


def margin(seen: Floats, mask: Floats, memory: Memory, mixture: Mixture) -> Floats:
    """Return how far the lower end lies below the average, in each row; infinite before a play.

    `seen` are rewards in [0, 1], and 0 where `mask` is. With d = S/N − θ the logarithm of a bet is
    λNd plus its loss Σ p(w (X − g)) − λ w (X − g), which has no linear part.
    """
    plays, guesses = memory.total(mask), _guesses(seen, mask, memory)
    powers = []
    for bets in mixture.bets:
        excess = np.where(mask > 0.0, seen - np.minimum(guesses, bets.guess), 0.0)
        powers.append(_power_sums(excess, memory))
    result = np.full(seen.shape, math.inf)
    numbers = seen.shape[1] * sum(len(bets.stakes) for bets in mixture.bets)
    length = max(1, BLOCK // numbers)
    for start in range(0, len(seen), length):
        rows = slice(start, start + length)
        sums = [np.stack([total[rows] for total in family]) for family in powers]
        distance = _distances(plays[rows], sums, mixture, rows)
        result[rows] = np.where(plays[rows] > 0.0, distance, math.inf)
    return result


def _power_sums(excess: Floats, memory: Memory) -> list[Floats]:
    """Return Σ (w (X − g))ⁿ for the n from 2 on that polynomials have."""
    sums, power = [], excess
    for n in range(2, 2 * HALF):
        power = power * excess
        sums.append(memory.total(power, n))
    return sums


def _guesses(seen: Floats, mask: Floats, memory: Memory) -> Floats:
    """Return a guess of each row's reward from the rows before it: (S + ½) / (N + 1)."""
    guesses = (memory.total(seen) + 0.5) / (memory.total(mask) + 1.0)
    return np.concatenate([np.full((1, seen.shape[1]), 0.5), guesses[:-1]])


def _distances(plays: Floats, sums: Sequence[Floats], mixture: Mixture, rows: slice) -> Floats:
    """Return d = S/N − θ at the lower end θ."""
    scale = mixture.scale[rows]
    offsets, stakes = [], []
    for bets, totals in zip(mixture.bets, sums, strict=True):
        scaled = totals * scale ** np.arange(2.0, 2 * HALF)[:, np.newaxis, np.newaxis]
        losses = np.tensordot(polynomials(bets.stakes, bets.guess)[:, 2:], scaled, axes=1)
        masses = bets.log_mass if bets.log_mass.shape[1] == 1 else bets.log_mass[:, rows]
        offsets.append(losses + masses)
        stakes.append(bets.stakes[:, np.newaxis, np.newaxis])
    with np.errstate(divide="ignore", invalid="ignore"):  # no play yet: 0 / 0
        slopes = np.concatenate(stakes) * (scale * plays)
        return _root(np.concatenate(offsets), slopes, mixture.evidence[rows])


def _root(offsets: Floats, slopes: Floats, level: Floats) -> Floats:
    """Return d with log Σ exp(offset + slope d) = level, where the sums are over the first axis.

    The left side is convex and increases. Where one term alone reaches the level, the sum is above
    it, and from there Newton's steps fall towards the root and never below it.
    """
    distance: Floats = ((level - offsets) / slopes).min(axis=0)
    for _ in range(ITERATIONS):
        terms = offsets + slopes * distance
        most = terms.max(axis=0)
        weights = np.exp(terms - most)
        total = weights.sum(axis=0)
        height = most + np.log(total) - level
        distance = distance - height * total / (weights * slopes).sum(axis=0)
    return distance


def nodes(guess: float) -> Floats:
    """Return cos(jπ/6) moved to [−guess, 1], where 0 must be one of them.

    >>> nodes(1.0).round(3)
    array([ 1.   ,  0.866,  0.5  ,  0.   , -0.5  , -0.866, -1.   ])
    """
    points = np.cos(np.arange(HALF + 1) * math.pi / HALF)
    moved = ((1.0 + guess) * points + 1.0 - guess) / 2.0
    moved[np.abs(moved).argmin()] = 0.0
    return np.asarray(moved)


def polynomials(stakes: Floats, guess: float) -> Floats:
    """Return per stake λ the coefficients of a polynomial p(v) ≤ log(1 + λv) on [−guess, 1].

    p has the values of f(v) = log(1 + λv) at all `nodes`, and its slopes at those inside. So
    f − p is f⁽¹²⁾(ξ)/12! times (v + guess)(v − 1) Π (v − node)², and both factors are at most 0.
    As 0 is a node, p(v) = λv + … has no constant, and Σ p(w y) needs no more than the Σ wⁿ yⁿ.

    >>> coefficients = polynomials(np.array([0.5]), 1.0)[0]
    >>> coefficients[:4].round(4)  # v/2 − v²/8 + v³/24 − …
    array([ 0.    ,  0.5   , -0.125 ,  0.0417])
    """
    places = nodes(guess)
    inside, powers = places[1:-1, np.newaxis], np.arange(1.0, 2 * HALF)
    values = np.vander(places, 2 * HALF, increasing=True)
    slopes = np.concatenate([np.zeros_like(inside), powers * inside ** (powers - 1.0)], axis=1)
    logs = np.log1p(places[:, np.newaxis] * stakes)
    rates = stakes / (1.0 + inside * stakes)
    return np.linalg.solve(np.vstack([values, slopes]), np.vstack([logs, rates])).T
