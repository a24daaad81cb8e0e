"""Bands by bets, the slow way: every bet on its own, with every play at every round."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

STEP = math.log(2.0) / 6.0
FAMILIES = ((0.97, 1.0, 0.9), (6.0, math.tan(math.pi / 12.0) ** 2, 0.1))
"""Largest stake, largest guess, and mass."""

LogBet = Callable[[float, float, float], float]
"""log(1 + λv), or what stands for it, from λ, the largest guess, and v."""


class Bet(NamedTuple):
    """A bet: its mass, its stake per unit of the last play's weight, its scale, and its guesses."""

    mass: float
    stake: float
    scale: float
    guess: float


class Case(NamedTuple):
    """What a band forgets, how often an end may be wrong, and the rounds it holds for at once."""

    discount: float
    window: int | None
    miss: float
    together: int | None


Log = list[float | None]


def exact(stake: float, guess: float, v: float) -> float:
    return math.log1p(stake * v)


def remembered(log: Log, t: int, case: Case) -> list[tuple[float, int, float]]:
    """Weight, round and reward of each play in sight of round t; the last play weighs 1."""
    first = 1 if case.window is None else max(1, t - case.window + 1)
    plays = [(s, x) for s in range(first, t + 1) if (x := log[s - 1]) is not None]
    return [(case.discount ** (plays[-1][0] - s), s, x) for s, x in plays]


def guess(log: Log, s: int, case: Case) -> float:
    """The estimate of the reward of round s from the rounds before it."""
    before = remembered(log, s - 1, case)
    total = math.fsum(weight * x for weight, _, x in before)
    return (total + 0.5) / (math.fsum(weight for weight, _, _ in before) + 1.0)


def sizes(t: int, case: Case, miss: float) -> list[int]:
    """How many stakes of each family there are in round t."""
    held = t if case.window is None else min(t, case.window)
    heaviest = math.fsum(case.discount ** (2 * k) for k in range(held))
    least = math.sqrt(8.0 * math.log(1.0 / miss) / heaviest)
    small = 1
    while 0.97 * math.exp(-STEP * (small - 1)) > least:
        small += 1
    return [small, sum(6.0 * math.exp(-STEP * k) > 0.97 for k in range(100))]


def bets_of_one_round(t: int, last: int, case: Case) -> tuple[list[Bet], float]:
    """The bets of round t after a last play in round `last`, and what rejects a mean."""
    weight, epoch = case.discount ** (t - last), 0
    while weight * 2.0 ** (epoch + 1) <= 1.0:
        epoch += 1
    share = 0.9 if epoch == 0 else 0.1 / (epoch * (epoch + 1))
    bets = [
        Bet(mass / size, top * math.exp(-STEP * k), weight * 2.0**epoch, cap)
        for (top, cap, mass), size in zip(FAMILIES, sizes(t, case, case.miss), strict=True)
        for k in range(size)
    ]
    return bets, math.log(1.0 / case.miss / (share if case.discount < 1.0 else 1.0))


def bets_of_all_rounds(last: int, case: Case) -> tuple[list[Bet], float]:
    """The bets of all rounds that still matter after a last play in round `last`."""
    rounds = case.together or 0
    starts = 1 if case.window is None else max(1, rounds - case.window + 1)
    miss = case.miss / starts
    moves = [-math.log(case.discount) * (r - 1) / STEP for r in range(1, rounds + 1)]
    bets = []
    for (top, cap, mass), size in zip(FAMILIES, sizes(rounds, case, miss), strict=True):
        grid = {math.ceil(moved) + k for moved in moves for k in range(size)}
        moved = moves[last - 1]
        scale = math.exp(STEP * (moved - math.ceil(moved)))
        bets += [Bet(mass / len(grid), top * math.exp(-STEP * k), scale, cap) for k in range(size)]
    return bets, math.log(1.0 / miss)


def low_end(log: Log, t: int, case: Case, log_bet: LogBet = exact) -> float:
    """The mean at which the bets of round t reach what rejects a mean, by bisection."""
    plays = remembered(log, t, case)
    if not plays:
        return 0.0
    last = plays[-1][1]
    bets, evidence = (
        bets_of_all_rounds(last, case) if case.together else bets_of_one_round(t, last, case)
    )
    sums = []
    for bet in bets:
        won = 0.0
        for weight, s, x in plays:
            g = min(guess(log, s, case), bet.guess)
            v = bet.scale * weight * (x - g)
            won += log_bet(bet.stake, bet.guess, v) + bet.stake * bet.scale * weight * g
        sums.append(math.log(bet.mass) + won)
    count = math.fsum(weight for weight, _, _ in plays)

    def rejected(mean: float) -> bool:
        terms = [w - b.stake * b.scale * count * mean for w, b in zip(sums, bets, strict=True)]
        most = max(terms)
        return most + math.log(math.fsum(math.exp(x - most) for x in terms)) >= evidence

    low, high = -1e3, 1.0
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if rejected(middle) else (low, middle)
    return max(0.0, low)


def ends(log: Log, t: int, case: Case, log_bet: LogBet = exact) -> tuple[float, float]:
    """Both ends of the band of round t."""
    opposite = [None if x is None else 1.0 - x for x in log]
    return low_end(log, t, case, log_bet), 1.0 - low_end(opposite, t, case, log_bet)
