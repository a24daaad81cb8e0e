"""MASTER."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from driftbandit.core.errors import real, whole
from driftbandit.core.marking import compilable
from driftbandit.policies.procedures.policy import Procedure

LOG, FACTOR, MOST, RESTARTS, ORDER, ROUNDS, REWARDS, EXCESS, LEAST, RUNS = range(10)
"""log(T/δ), what ρ̂ is of ρ, the largest order, how often a test has fired; of the block: its
order, its rounds so far, their rewards, Σ (g − X), the least g. Then the runs of UCB by order:"""

ON, BEFORE, COUNTS = range(3)
"""Whether it is on, the block's rewards before it, then counts and sums of arms."""


@dataclasses.dataclass(frozen=True)
class MASTER(Procedure):
    """MASTER over UCB-1: runs of UCB of many lengths at once, and two tests that start all over.

    A block of order n has 2ⁿ rounds. After τ of its rounds, for every m ≤ n with 2^m | τ, a fresh
    run of UCB for 2^m rounds begins with probability ρ(2ⁿ)/ρ(2^m); ρ(t) = √(K/t) + K/t. The
    shortest run that is on plays and learns, the others wait. Its index is X̄ + √(ξ log(T/δ) / N),
    its optimistic value g the largest index, at most 1; an arm it has not played comes first. Let
    ρ̂ = 6 (log₂ T + 1) log(T/δ) ρ, and U the least g of the block so far. All begins anew with a
    block of order 0

    1. if a run of order m ends and the mean of all rewards in its rounds is at least U + 9 ρ̂(2^m);
    2. or if the mean of g − X over the t rounds of the block is at least 3 ρ̂(t).

    Otherwise a block of order n + 1 follows. T is `horizon`, δ is `delta` (1/T if not given), ξ is
    `xi`: 1 would be proved, 1/2 is usual. `scale` multiplies ρ̂; 1 is the paper's.

    Fails at any practical T: rewards lie in [0, 1], so no test can fire while 3 ρ̂(T) > 1, that is,
    with three arms and δ = 1/T, before T = 1.8 · 10⁹. Up to then MASTER is UCB that starts afresh
    at random. With a `scale` of 0.001 tests do fire, but mostly for nothing. A round costs O(K),
    memory is O(K log T).

    The regret in `two_swaps` is 838, and in problem 1 of Besson 763; it is the same with a
    hundredth of ρ̂. With a thousandth it is 1103 and 1004.

    Reference: Wei & Luo 2021, *Non-stationary reinforcement learning without prior knowledge: an
    optimal black-box approach*; on its tests, Gerogiannis, Huang & Veeravalli 2024, *Is prior-free
    black-box non-stationary reinforcement learning feasible?*

    >>> MASTER(horizon=10_000)
    MASTER(label='MASTER', bound=1.0, horizon=10000, xi=0.5, delta=0.0001, scale=1.0)
    """

    noise = 1

    label: str = dataclasses.field(default="MASTER", kw_only=True)
    horizon: int
    xi: float = 0.5
    delta: float | None = None
    scale: float = 1.0

    def __post_init__(self) -> None:
        """Check T, ξ, δ and the scale."""
        horizon = whole("horizon", self.horizon, least=2)
        self._set(
            horizon=horizon,
            xi=real("xi", self.xi, "(0, inf)"),
            delta=1.0 / horizon if self.delta is None else real("delta", self.delta, "(0, 1)"),
            scale=real("scale", self.scale, "(0, inf)"),
        )
        super().__post_init__()

    def memory(self, arms: int) -> int:
        """Return the room for a run of every order."""
        return RUNS + (largest(self.horizon) + 1) * (COUNTS + 2 * arms)

    @staticmethod
    def start(
        memory: Any, arms: int, horizon: float, xi: float, delta: float, scale: float
    ) -> None:
        """Begin the first block, of one round."""
        memory[LOG] = math.log(horizon / delta)
        memory[FACTOR] = scale * 6.0 * (math.log2(horizon) + 1.0) * memory[LOG]
        memory[MOST] = largest(horizon)
        begin(memory, arms, 0.0)
        schedule(memory, arms, 0.5)

    @staticmethod
    def choose(
        memory: Any, arms: int, t: int, noise: Any, horizon: float, xi: float, delta: float,
        scale: float,
    ) -> int:  # fmt: skip  # what is handed, then the fields
        """Play what the shortest run plays."""
        run, best, lead = shortest(memory, arms), 0, -math.inf
        for k in range(arms):
            value = index(memory, run, arms, k, xi)
            best, lead = (k, value) if value > lead else (best, lead)
        return best

    @staticmethod
    def learn(
        memory: Any, arms: int, t: int, arm: int, reward: float, noise: Any, horizon: float,
        xi: float, delta: float, scale: float,
    ) -> None:  # fmt: skip  # what is handed, then the fields
        """Let the shortest run learn, make both tests, and begin what is to begin."""
        run, value = shortest(memory, arms), 0.0
        for k in range(arms):
            value = max(value, min(index(memory, run, arms, k, xi), 1.0))
        memory[run + COUNTS + arm] += 1.0
        memory[run + COUNTS + arms + arm] += reward
        memory[ROUNDS] += 1.0
        memory[REWARDS] += reward
        memory[EXCESS] += value - reward
        memory[LEAST] = min(memory[LEAST], value)
        failed = too_good(memory, arms) or too_bad(memory, arms)
        if failed or memory[ROUNDS] >= 2.0 ** memory[ORDER]:
            memory[RESTARTS] += 1.0 if failed else 0.0
            begin(memory, arms, 0.0 if failed else min(memory[ORDER] + 1.0, memory[MOST]))
        schedule(memory, arms, noise[0])


def largest(horizon: float) -> int:
    """Return the order of the block that round T is in, if no test fires.

    >>> largest(3), largest(4)
    (1, 2)
    """
    return math.ceil(math.log2(horizon + 1)) - 1


@compilable
def rho(arms: int, t: float) -> float:
    """Return √(K/t) + K/t."""
    return math.sqrt(arms / t) + arms / t


@compilable
def run_at(arms: int, m: int) -> int:
    """Return where the run of order m is kept."""
    return RUNS + m * (COUNTS + 2 * arms)


@compilable
def shortest(memory: Any, arms: int) -> int:
    """Return where the shortest run is that is on; there is always one, of the block's order."""
    m = 0
    while m < memory[ORDER] and memory[run_at(arms, m) + ON] == 0.0:
        m += 1
    return run_at(arms, m)


@compilable
def index(memory: Any, run: int, arms: int, k: int, xi: float) -> float:
    """Return the index of an arm in a run."""
    count = memory[run + COUNTS + k]
    if count == 0.0:
        return math.inf
    mean = memory[run + COUNTS + arms + k] / count
    return mean + math.sqrt(xi * memory[LOG] / count)  # type: ignore[no-any-return]


@compilable
def too_good(memory: Any, arms: int) -> bool:
    """End the runs that are over, and say whether the rewards in one were too good."""
    failed, length = False, 1.0
    for m in range(int(memory[ORDER]) + 1):
        parts = memory[ROUNDS] / length
        if parts != math.floor(parts):
            return failed
        run = run_at(arms, m)
        if memory[run + ON] > 0.0:
            memory[run + ON] = 0.0
            mean = (memory[REWARDS] - memory[run + BEFORE]) / length
            least = memory[LEAST] + 9.0 * memory[FACTOR] * rho(arms, length)
            failed = failed or mean >= least
        length *= 2.0
    return failed


@compilable
def too_bad(memory: Any, arms: int) -> bool:
    """Say whether the rewards of the block are far below what was hoped for."""
    t = memory[ROUNDS]
    return memory[EXCESS] >= 3.0 * t * memory[FACTOR] * rho(arms, t)  # type: ignore[no-any-return]


@compilable
def begin(memory: Any, arms: int, order: float) -> None:
    """Begin a block, with no run yet."""
    memory[ORDER] = order
    memory[ROUNDS] = memory[REWARDS] = memory[EXCESS] = 0.0
    memory[LEAST] = 1.0
    for m in range(int(order) + 1):
        memory[run_at(arms, m) + ON] = 0.0


@compilable
def schedule(memory: Any, arms: int, noise: float) -> None:
    """Draw which runs begin, the longest first, all from one uniform number.

    Whether an event happened leaves a number that is uniform again.
    """
    order = int(memory[ORDER])
    m, whole_block = order, rho(arms, 2.0**order)
    while m >= 0:
        parts = memory[ROUNDS] / 2.0**m
        if parts == math.floor(parts):
            chance = whole_block / rho(arms, 2.0**m)
            calm = 1.0 - chance
            if noise < calm:
                noise /= calm
            else:
                noise = (noise - calm) / chance
                run = run_at(arms, m)
                for place in range(run, run + COUNTS + 2 * arms):
                    memory[place] = 0.0
                memory[run + ON] = 1.0
                memory[run + BEFORE] = memory[REWARDS]
        m -= 1
