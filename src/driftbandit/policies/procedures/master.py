"""MASTER."""

from __future__ import annotations

import dataclasses
import math
from typing import Annotated, Any

from driftbandit.core.domain import OpenShare, Positive, Whole
from driftbandit.core.marking import compilable
from driftbandit.core.state import State
from driftbandit.policies.procedures.policy import Procedure

ORDERS = 53
"""The most orders of blocks, from 0 on: no horizon is longer than 2⁵³."""


@dataclasses.dataclass(frozen=True)
class MASTER(Procedure):
    """MASTER over UCB-1: runs of UCB of many lengths at once, and two tests that start all over.

    A block of order n has 2ⁿ rounds. After τ of its rounds, for every m ≤ n with 2^m | τ, a fresh
    run of UCB for 2^m rounds begins with probability ρ(2ⁿ)/ρ(2^m); ρ(t) = √(K/t) + K/t. The
    shortest run that is on plays and learns; the others wait. Its index is X̄ + √(ξ log(T/δ) / N),
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
    run_state = State(
        "log", "factor", "most", "restarts", "order", "rounds", "rewards", "excess", "least",
        on=ORDERS, before=ORDERS,
    )  # fmt: skip  # numbers first, then arrays
    """log(T/δ), ρ̂/ρ, the largest order, how often a test has fired; of the block: its order, its
    rounds so far, their rewards, Σ (g − X), the least g; by order, whether the run of UCB is on,
    and the block's rewards before it."""

    arm_state = State("count", "total")
    """Plays and rewards of an arm in a run of UCB: order after order, arm after arm."""

    label: str = dataclasses.field(default="MASTER", kw_only=True)
    horizon: Annotated[int, Whole(least=2)]
    xi: Positive = 0.5
    delta: OpenShare | None = None
    scale: Positive = 1.0

    def validate(self) -> None:
        """Set δ to 1/T where none is given."""
        if self.delta is None:
            self._set(delta=1.0 / self.horizon)
        super().validate()

    def records(self, arms: int) -> int:
        """Return one record per order and arm."""
        return (largest(self.horizon) + 1) * arms

    @staticmethod
    def start(state: Any, arms: int, horizon: float, xi: float, delta: float, scale: float) -> None:
        """Begin the first block, of one round."""
        run = state.run
        run.log = math.log(horizon / delta)
        run.factor = scale * 6.0 * (math.log2(horizon) + 1.0) * run.log
        run.most = float(largest(horizon))
        begin(run, 0.0)
        schedule(state, arms, 0.5)

    @staticmethod
    def choose(
        state: Any, arms: int, t: int, noise: Any, horizon: float, xi: float, delta: float,
        scale: float,
    ) -> int:  # fmt: skip  # what is handed, then the fields
        """Play the arm that the shortest run plays."""
        first, best, lead = shortest(state.run) * arms, 0, -math.inf
        for k in range(arms):
            value = index(state.arm[first + k], state.run.log, xi)
            best, lead = (k, value) if value > lead else (best, lead)
        return best

    @staticmethod
    def learn(
        state: Any, arms: int, t: int, arm: int, reward: float, noise: Any, horizon: float,
        xi: float, delta: float, scale: float,
    ) -> None:  # fmt: skip  # what is handed, then the fields
        """Let the shortest run learn, make both tests, and begin the next block and runs."""
        run, value = state.run, 0.0
        first = shortest(run) * arms
        for k in range(arms):
            value = max(value, min(index(state.arm[first + k], run.log, xi), 1.0))
        played = state.arm[first + arm]
        played.count += 1.0
        played.total += reward
        run.rounds += 1.0
        run.rewards += reward
        run.excess += value - reward
        run.least = min(run.least, value)
        failed = too_good(run, arms) or too_bad(run, arms)
        if failed or run.rounds >= 2.0**run.order:
            run.restarts += 1.0 if failed else 0.0
            begin(run, 0.0 if failed else min(run.order + 1.0, run.most))
        schedule(state, arms, noise[0])


def largest(horizon: float) -> int:
    """Return the order of the block that round T is in, if no test fires.

    >>> largest(3), largest(4), largest(2**53) < ORDERS
    (1, 2, True)
    """
    return math.ceil(math.log2(horizon + 1)) - 1


@compilable
def rho(arms: int, t: float) -> float:
    """Return √(K/t) + K/t."""
    return math.sqrt(arms / t) + arms / t


@compilable
def shortest(run: Any) -> int:
    """Return the order of the shortest run that is on; one of the block's order always is."""
    m, order, on = 0, run.order, run.on
    while m < order and on[m] == 0.0:
        m += 1
    return m


@compilable
def index(arm: Any, log: float, xi: float) -> float:
    """Return the index of an arm in a run."""
    count = arm.count
    if count == 0.0:
        return math.inf
    return arm.total / count + math.sqrt(xi * log / count)  # type: ignore[no-any-return]  # a float


@compilable
def too_good(run: Any, arms: int) -> bool:
    """End the runs that are over, and say whether the rewards in one were too good."""
    failed, length = False, 1.0
    for m in range(int(run.order) + 1):
        parts = run.rounds / length
        if parts != math.floor(parts):
            return failed
        if run.on[m] > 0.0:
            run.on[m] = 0.0
            mean = (run.rewards - run.before[m]) / length
            least = run.least + 9.0 * run.factor * rho(arms, length)
            failed = failed or mean >= least
        length *= 2.0
    return failed


@compilable
def too_bad(run: Any, arms: int) -> bool:
    """Say whether the rewards of the block are far below the optimistic values."""
    t = run.rounds
    return run.excess >= 3.0 * t * run.factor * rho(arms, t)  # type: ignore[no-any-return]  # bool


@compilable
def begin(run: Any, order: float) -> None:
    """Begin a block, with no run yet."""
    run.order = order
    run.rounds = run.rewards = run.excess = 0.0
    run.least = 1.0
    for m in range(int(order) + 1):
        run.on[m] = 0.0


@compilable
def schedule(state: Any, arms: int, noise: float) -> None:
    """Draw which runs begin, the longest first, all from one uniform number.

    Given whether one event happens, what is left of the number is uniform again.
    """
    m, rounds = int(state.run.order), state.run.rounds
    whole_block = rho(arms, 2.0**m)
    while m >= 0:
        parts = rounds / 2.0**m
        if parts == math.floor(parts):
            chance = whole_block / rho(arms, 2.0**m)
            calm = 1.0 - chance
            if noise < calm:
                noise /= calm
            else:
                noise = (noise - calm) / chance
                begin_run(state, arms, m)
        m -= 1


@compilable
def begin_run(state: Any, arms: int, m: int) -> None:
    """Begin a run of order m, in which no arm was played yet."""
    state.run.on[m] = 1.0
    state.run.before[m] = state.run.rewards
    for k in range(m * arms, (m + 1) * arms):
        state.arm[k].count = state.arm[k].total = 0.0
