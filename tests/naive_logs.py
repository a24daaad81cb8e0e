"""The slow, obvious truth about logs: row by row, as the definitions say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from driftbandit.logs.streams import generator
from driftbandit.policies.strategy import Strategy

Floats = NDArray[np.float64]


class Row(NamedTuple):
    """One decision; `eligible` are the arms that could be played."""

    time: float
    arm: int
    reward: float
    propensity: float
    eligible: tuple[int, ...]


def part(place: int, size: int, parts: int) -> int:
    return place * parts // size


def predicted(rows: Sequence[Row], arms: int, blocks: int) -> list[list[float]]:
    """Return per block and arm the faded mean of the blocks before, with one row of all arms."""
    fading = 1.0 - 1.0 / max(10.0, blocks / 20.0)
    answer = []
    for block in range(blocks):
        counts, sums = [0.0] * arms, [0.0] * arms
        for place, row in enumerate(rows):
            age = block - 1 - part(place, len(rows), blocks)
            if age >= 0:
                counts[row.arm] += fading**age
                sums[row.arm] += fading**age * row.reward
        overall = sum(sums) / sum(counts) if sum(counts) > 0.0 else 0.0
        answer.append([(sums[a] + overall) / (counts[a] + 1.0) for a in range(arms)])
    return answer


def window_means(rows: Sequence[Row], arms: int, windows: int) -> Floats:
    """Return mean rewards per window and arm, on a line between windows that have rows."""
    means = np.full((windows, arms), np.nan)
    for window in range(windows):
        for arm in range(arms):
            rewards = [
                row.reward
                for place, row in enumerate(rows)
                if part(place, len(rows), windows) == window and row.arm == arm
            ]
            if rewards:
                means[window, arm] = sum(rewards) / len(rewards)
    for arm in range(arms):
        known = [w for w in range(windows) if not np.isnan(means[w, arm])]
        for window in range(windows):
            if known and window not in known:
                means[window, arm] = np.interp(window, known, means[known, arm])
    return means


Law = Callable[[int, Row], list[float]]
"""The probability of every arm in a row, by its place."""


def shares_law(shares: Sequence[float]) -> Law:
    """Return fixed shares, in proportion among the eligible arms; equal if those have none."""

    def law(place: int, row: Row) -> list[float]:
        among = [shares[a] if a in row.eligible else 0.0 for a in range(len(shares))]
        if sum(among) == 0.0:
            among = [1.0 if a in row.eligible else 0.0 for a in range(len(shares))]
        return [each / sum(among) for each in among]

    return law


class Replay(NamedTuple):
    """What a policy that learns would have played in each row, and which rows it has learned."""

    choices: list[int]
    accepted: list[bool]


def replay(policy: Strategy, rows: Sequence[Row], arms: int, opened: Sequence[bool]) -> Replay:
    """Replay a policy row by row; what it has decided stands until a row of it is open."""
    learner, draw = policy.learner(arms), generator(0, "choices").random
    learner.seed(0)
    held: dict[tuple[int, ...], tuple[int, float, float]] = {}
    choices, accepted = [], []
    for row, is_open in zip(rows, opened, strict=True):
        if row.eligible not in held:
            among, u = sorted(row.eligible), draw()
            law = learner.law(among)
            place = learner.pick(u, among, law)
            held[row.eligible] = among[place], law[place], u
        choices.append(held[row.eligible][0])
        accepted.append(is_open and choices[-1] == row.arm)
        if accepted[-1]:
            learner.tick(row.time)
            learner.decide(*held[row.eligible])
            learner.reward(learner.rounds, row.reward)
            held = {}
    return Replay(choices, accepted)


def estimates(
    rows: Sequence[Row],
    law: Law,
    accepted: Sequence[bool],
    r_hat: Sequence[Sequence[float]],
    means: Floats,
) -> dict[str, float]:
    """Return IPS, SNIPS, the direct method, doubly robust and replay by their formulas."""
    size = len(rows)
    ips = weights = direct = robust = kept = count = 0.0
    for place, row in enumerate(rows):
        pi = law(place, row)
        w = pi[row.arm] / row.propensity
        guess = r_hat[part(place, size, len(r_hat))]
        model = means[part(place, size, len(means))]
        ips += w * row.reward
        weights += w
        direct += sum(pi[a] * model[a] for a in range(len(pi)) if pi[a] > 0.0)
        expected = sum(pi[a] * guess[a] for a in range(len(pi)))
        robust += expected + w * (row.reward - guess[row.arm])
        kept += row.reward * accepted[place]
        count += accepted[place]
    return {
        "ips": ips / size,
        "snips": ips / weights if weights else float("nan"),
        "dm": direct / size,
        "dr": robust / size,
        "replay": kept / count if count else float("nan"),
    }


def estimated_propensities(rows: Sequence[Row], arms: int, windows: int) -> list[float]:
    """Return how likely each row's arm was among those eligible, by rates of its window.

    They make every arm as often expected as it was played: Zermelo's steps go there.
    """
    answer = []
    for window in range(windows):
        own = [row for k, row in enumerate(rows) if part(k, len(rows), windows) == window]
        rates = [1.0] * arms
        for _ in range(300):
            sums = [0.0] * arms
            for eligible, times in Counter(row.eligible for row in own).items():
                for arm in eligible:
                    sums[arm] += times / sum(rates[a] for a in eligible)
            plays = Counter(row.arm for row in own)
            rates = [plays[a] / sums[a] if sums[a] else 0.0 for a in range(arms)]
        answer += [rates[row.arm] / sum(rates[a] for a in row.eligible) for row in own]
    return answer
