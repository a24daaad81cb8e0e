"""Bandit over bandit: a master that learns which window suits."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import MutableSequence, Sequence
from typing import Annotated, ClassVar, Self

from driftbandit.core.domain import NonNegative, PositiveShare, Whole
from driftbandit.core.errors import require, whole
from driftbandit.core.marking import compilable
from driftbandit.policies.procedures.policy import Procedure
from driftbandit.rules.explore import UCB

Memory = MutableSequence[float]
ucb_width = UCB.width

WINDOW, CHOICE, CHANCE, GAIN, CHOICES, LISTS = range(6)
"""Places: the window of the block, which one it is, with what probability it was drawn, the block's
rewards so far, and how many windows there are; then their sizes, and logarithms of weights."""


@dataclasses.dataclass(frozen=True)
class BanditOverBandit(Procedure):
    """Bandit over bandit: EXP3 chooses a window for a block of H rounds, and SW-UCB plays it.

    The windows are ⌊H^(j/Δ)⌋, j = 0, …, Δ, with Δ = ⌈log H⌉. SW-UCB begins anew with each block;
    the mean reward of the block, over B, is what the master learns of the window. H is `block`, the
    γ of EXP3 is `exploration`, the ξ of SW-UCB is `xi`. Kept are H plays and log H weights.

    It needs no number of breakpoints nor their variation. That is dear: the master sees one number
    a block, and every block explores all arms anew. It fails in horizons of some thousand rounds,
    where there are too few blocks to learn from (in `two_swaps` it loses to UCB-1), and where a
    good window is longer than a block.

    Reference: Cheung, Simchi-Levi & Zhu, *Learning to optimize under non-stationarity*, 2019.

    >>> policy = BanditOverBandit.tuned(horizon=10_000, arms=3)
    >>> policy.block, round(policy.exploration, 3), windows(173)
    (173, 0.37, [1, 2, 5, 13, 31, 73, 173])
    """

    noise: ClassVar[int] = 1

    label: str = dataclasses.field(default="BOB", kw_only=True)
    block: Annotated[int, Whole(least=2)] = 200
    exploration: PositiveShare = 0.3
    xi: NonNegative = 0.5

    @classmethod
    def tuned(
        cls, horizon: int, arms: int, xi: float = 0.5, bound: float = 1.0, label: str = "BOB"
    ) -> Self:
        """Return H = ⌊√(KT)⌋ and γ = min(1, √(J log J / ((e − 1) ⌈T/H⌉))), J windows.

        The source's ⌊d √T⌋ for d features, and K arms in the place of d² of them.
        """
        T, K = whole("horizon", horizon, least=2), whole("arms", arms)
        block = min(max(math.isqrt(K * T), K, 2), max(T, K))
        choices, blocks = len(windows(block)), -(-T // block)
        exploration = math.sqrt(choices * math.log(choices) / ((math.e - 1.0) * blocks))
        return cls(block, min(1.0, exploration), xi, bound=bound, label=label)

    def memory(self, arms: int) -> int:
        """Return room for windows, arms and the plays of a block."""
        require(self.block >= arms, "block", self.block, f"be at least the {arms} arms")
        return LISTS + 2 * len(windows(self.block)) + 2 * arms + 2 * self.block

    @staticmethod
    def start(memory: Memory, arms: int, block: float, exploration: float, xi: float) -> None:
        """Write down the windows; their weights are 1."""
        found = windows(int(block))
        memory[CHOICES] = len(found)
        for j, window in enumerate(found):
            memory[LISTS + j] = window

    @staticmethod
    def choose(
        memory: Memory, arms: int, t: int, noise: Sequence[float], block: float,
        exploration: float, xi: float,
    ) -> int:  # fmt: skip  # what is handed, then the fields
        """Play every arm once in a block, then as SW-UCB does."""
        since = (t - 1) % int(block)
        if since < arms:
            return since
        counts, best, lead = LISTS + 2 * int(memory[CHOICES]), 0, -math.inf
        slope = ucb_width(min(float(since), memory[WINDOW]), xi, 1.0, 1.0)
        for k in range(arms):
            count, index = memory[counts + k], math.inf
            if count > 0.0:
                index = memory[counts + arms + k] / count + slope * math.sqrt(1.0 / count)
            if index > lead:
                best, lead = k, index
        return best

    @staticmethod
    def learn(
        memory: Memory, arms: int, t: int, arm: int, reward: float, noise: Sequence[float],
        block: float, exploration: float, xi: float,
    ) -> None:  # fmt: skip  # as above
        """Begin a block, slide the window, and tell the master at the block's end."""
        since, counts = (t - 1) % int(block), LISTS + 2 * int(memory[CHOICES])
        plays = counts + 2 * arms
        if since == 0:
            draw_window(memory, noise[0], exploration)
            for place in range(counts, plays):
                memory[place] = 0.0
        if since >= memory[WINDOW]:
            left = plays + 2 * (since - int(memory[WINDOW]))
            change(memory, counts, arms, int(memory[left]), -1.0, memory[left + 1])
        change(memory, counts, arms, arm, 1.0, reward)
        memory[plays + 2 * since], memory[plays + 2 * since + 1] = arm, reward
        memory[GAIN] += reward
        if since + 1 == int(block):
            reward_window(memory, block, exploration)


def windows(block: int) -> list[int]:
    """Return the windows of a block, each once: ⌊√3⌋ is 1.

    >>> windows(100), windows(3)
    ([1, 2, 6, 15, 39, 100], [1, 3])
    """
    steps = max(math.ceil(math.log(block)), 1)
    return sorted({math.floor(block ** (j / steps) + 1e-9) for j in range(steps + 1)})


@compilable
def change(memory: Memory, counts: int, arms: int, arm: int, weight: float, reward: float) -> None:
    """Add a play, or take it out."""
    memory[counts + arm] += weight
    total = memory[counts + arms + arm] + weight * reward
    memory[counts + arms + arm] = total if memory[counts + arm] > 0.0 else 0.0


@compilable
def draw_window(memory: Memory, level: float, exploration: float) -> None:
    """Draw the window of a block with p_j = (1 − γ) w_j / W + γ / J."""
    number, total, cumulated = int(memory[CHOICES]), 0.0, 0.0
    for j in range(number):
        total += math.exp(memory[LISTS + number + j])
    memory[GAIN] = 0.0
    for j in range(number):
        weight = math.exp(memory[LISTS + number + j])
        chance = (1.0 - exploration) * weight / total + exploration / number
        cumulated += chance
        memory[WINDOW], memory[CHOICE], memory[CHANCE] = memory[LISTS + j], j, chance
        if level < cumulated:
            break


@compilable
def reward_window(memory: Memory, block: float, exploration: float) -> None:
    """Multiply the weight of the block's window by exp(γ x̂ / J); the largest weight stays 1."""
    number = int(memory[CHOICES])
    logs = LISTS + number
    gain = memory[GAIN] / block / memory[CHANCE]
    memory[logs + int(memory[CHOICE])] += exploration * gain / number
    top = -math.inf
    for j in range(number):
        top = max(top, memory[logs + j])
    for j in range(number):
        memory[logs + j] -= top
