"""Bandit over bandit: a master that learns which window suits."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Self

from driftbandit.core.domain import NonNegative, PositiveShare, Whole
from driftbandit.core.errors import require, whole
from driftbandit.core.marking import compilable
from driftbandit.core.numerics import floor_of
from driftbandit.core.state import State
from driftbandit.policies.presets.tuned import takes_all_facts
from driftbandit.policies.procedures.policy import Procedure
from driftbandit.rules.explore import UCB

ucb_width = UCB.width

MOST = 48
"""Windows, at most: there are about log H of them."""


@dataclasses.dataclass(frozen=True)
class BanditOverBandit(Procedure):
    """Bandit over bandit: EXP3 chooses a window for a block of H rounds, and SW-UCB plays it.

    The windows are ⌊H^(j/Δ)⌋, j = 0, …, Δ, with Δ = ⌈log H⌉. SW-UCB begins anew with each block;
    the master learns the mean reward of the block, over B, as the reward of the window. H is
    `block`, the γ of EXP3 is `exploration`, the ξ of SW-UCB is `xi`. The state has H plays and
    about log H weights.

    It needs to know neither the number of breakpoints nor how much means vary. The price is high:
    the master sees one number per block, and every block explores all arms anew.

    Fails in horizons of some thousand rounds, where there are too few blocks to learn from (in
    `two_swaps` it loses to UCB-1), and where a good window is longer than a block.

    Reference: Cheung, Simchi-Levi & Zhu, *Learning to optimize under non-stationarity*, 2019.

    >>> policy = BanditOverBandit.tuned(horizon=10_000, arms=3)
    >>> policy.block, round(policy.exploration, 3), windows(173)
    (173, 0.37, [1, 2, 5, 13, 31, 73, 173])
    """

    noise: ClassVar[int] = 1

    run_state = State("window", "choice", "chance", "gain", "choices", windows=MOST, logs=MOST)
    """The window of the block, which one it is, the probability that it was drawn with, and the
    block's rewards so far; how many windows there are, their sizes, and logarithms of their
    weights."""

    arm_state = State("count", "total")
    """Plays and rewards in the window."""

    room_state = State("arm", "reward")
    """A play of the block."""

    label: str = dataclasses.field(default="BOB", kw_only=True)
    block: Annotated[int, Whole(least=2)] = 200
    exploration: PositiveShare = 0.3
    xi: NonNegative = 0.5

    @classmethod
    @takes_all_facts
    def tuned(
        cls, horizon: int, arms: int, xi: float = 0.5, bound: float = 1.0, label: str = "BOB"
    ) -> Self:
        """Return H = ⌊√(KT)⌋ and γ = min(1, √(J log J / ((e − 1) ⌈T/H⌉))), J windows.

        The source has ⌊d √T⌋ for d features; here K arms take the place of d².
        """
        T, K = whole("horizon", horizon, least=2), whole("arms", arms)
        block = min(max(math.isqrt(K * T), K, 2), max(T, K))
        choices, blocks = len(windows(block)), -(-T // block)
        exploration = math.sqrt(choices * math.log(choices) / ((math.e - 1.0) * blocks))
        return cls(block, min(1.0, exploration), xi, bound=bound, label=label)

    def room(self, arms: int) -> int:
        """Return one record per play of a block."""
        require(self.block >= arms, "block", self.block, f"be at least the {arms} arms")
        return self.block

    @staticmethod
    def start(state: Any, arms: int, block: float, exploration: float, xi: float) -> None:
        """Set the windows; their weights are 1."""
        sizes = windows(int(block))
        state.run.choices = float(len(sizes))
        for j, size in enumerate(sizes):
            state.run.windows[j] = float(size)

    @staticmethod
    def choose(
        state: Any, arms: int, t: int, noise: Sequence[float], block: float, exploration: float,
        xi: float,
    ) -> int:  # fmt: skip  # what is handed, then the fields
        """Return every arm once per block, then the arm that SW-UCB plays."""
        since = (t - 1) % int(block)
        if since < arms:
            return since
        best, lead = 0, -math.inf
        slope = ucb_width(min(float(since), state.run.window), xi, 1.0, 1.0)
        for k in range(arms):
            count, index = state.arm[k].count, math.inf
            if count > 0.0:
                index = state.arm[k].total / count + slope * math.sqrt(1.0 / count)
            if index > lead:
                best, lead = k, index
        return best

    @staticmethod
    def learn(
        state: Any, arms: int, t: int, arm: int, reward: float, noise: Sequence[float],
        block: float, exploration: float, xi: float,
    ) -> None:  # fmt: skip  # as above
        """Begin a block, slide the window, and tell the master at the block's end."""
        since, run = (t - 1) % int(block), state.run
        if since == 0:
            draw_window(run, noise[0], exploration)
            for k in range(arms):
                state.arm[k].count = state.arm[k].total = 0.0
        if since >= run.window:
            oldest = state.room[since - int(run.window)]
            change(state.arm[int(oldest.arm)], -1.0, oldest.reward)
        change(state.arm[arm], 1.0, reward)
        state.room[since].arm, state.room[since].reward = float(arm), reward
        run.gain += reward
        if since + 1 == int(block):
            reward_window(run, block, exploration)


def windows(block: int) -> list[int]:
    """Return the windows of a block, each once: ⌊√3⌋ is 1.

    >>> windows(100), windows(3)
    ([1, 2, 6, 15, 39, 100], [1, 3])
    """
    steps = max(math.ceil(math.log(block)), 1)
    return sorted({int(floor_of(block ** (j / steps))) for j in range(steps + 1)})


@compilable
def change(arm: Any, weight: float, reward: float) -> None:
    """Add a play to an arm, or remove it."""
    arm.count += weight
    total = arm.total + weight * reward
    arm.total = total if arm.count > 0.0 else 0.0


@compilable
def draw_window(run: Any, level: float, exploration: float) -> None:
    """Draw the window of a block with p_j = (1 − γ) w_j / W + γ / J."""
    number, total, cumulated = int(run.choices), 0.0, 0.0
    for j in range(number):
        total += math.exp(run.logs[j])
    run.gain = 0.0
    for j in range(number):
        weight = math.exp(run.logs[j])
        chance = (1.0 - exploration) * weight / total + exploration / number
        cumulated += chance
        run.window, run.choice, run.chance = run.windows[j], float(j), chance
        if level < cumulated:
            break


@compilable
def reward_window(run: Any, block: float, exploration: float) -> None:
    """Multiply the weight of the block's window by exp(γ x̂ / J); the largest weight stays 1."""
    number, logs = int(run.choices), run.logs
    gain = run.gain / block / run.chance
    logs[int(run.choice)] += exploration * gain / number
    top = -math.inf
    for j in range(number):
        top = max(top, logs[j])
    for j in range(number):
        logs[j] -= top
