"""Meta-bandit: after an alarm, the old learner competes with a fresh one."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Annotated, Any

from driftbandit.core.domain import NonNegative, Positive, Whole
from driftbandit.core.marking import compilable
from driftbandit.core.state import State
from driftbandit.policies.procedures.policy import Procedure
from driftbandit.rules.explore import TunedUCB

tuned_index = TunedUCB.index

JUDGED = 2
"""The arms of the judge come first: the old learner and the fresh one."""


@dataclasses.dataclass(frozen=True)
class MetaBandit(Procedure):
    """Adapt-EvE: UCB-tuned, a Page–Hinkley test on its best arm, and a meta-bandit after an alarm.

    The walk of an arm, m = Σ (x − x̄ + δ), x̄ the mean of its plays so far, falls when the arm gets
    worse. If the arm with the largest mean is played and its walk is then more than λ below its
    highest point, a trial begins: for `trial` rounds another UCB-tuned with two arms, the judge,
    chooses between the old learner and a fresh one, which then chooses the arm and learns. The one
    with the larger mean reward stays, the old one of equals, and all its walks begin anew. δ is
    `drift`, λ is `threshold`, in units of B.

    Fails where another arm gets better: the test watches only the best arm, and only for a fall. A
    trial costs as much as the worse of the two learners does. Nothing is proved about it.

    The source takes δ = 0.005, 1,000 rounds, and λ from 50 to 500.

    Reference: Hartland, Gelly, Baskiotis, Teytaud & Sebag, *Multi-armed bandit, dynamic
    environments and meta-bandits*, 2006. How the test follows the best arm is our choice: the
    sources at hand do not say.

    >>> MetaBandit(threshold=100.0).label
    'meta-bandit'
    """

    run_state = State("left", "old")
    """Rounds left of a trial, 0 if there is none; which of the two learners is the old one."""

    arm_state = State("count", "total", "squares", "walk", "top")
    """Plays, rewards and their squares; where the walk of the rewards is, and its highest point."""

    label: str = dataclasses.field(default="meta-bandit", kw_only=True)
    drift: NonNegative = 0.005
    threshold: Positive = 50.0
    trial: Annotated[int, Whole(least=2)] = 1_000

    def records(self, arms: int) -> int:
        """Return the arms of three bandits: those of the judge, then those of each learner."""
        return JUDGED + 2 * arms

    @staticmethod
    def choose(
        state: Any, arms: int, t: int, noise: Sequence[float], drift: float, threshold: float,
        trial: float,
    ) -> int:  # fmt: skip  # what is handed, then the fields
        """Return the arm of the learner whose turn it is."""
        first = first_arm(arms, next_learner(state))
        return favourite(state.arm[first : first + arms])

    @staticmethod
    def learn(
        state: Any, arms: int, t: int, arm: int, reward: float, noise: Sequence[float],
        drift: float, threshold: float, trial: float,
    ) -> None:  # fmt: skip  # as above
        """Let the same learner learn; end a trial or begin one."""
        run, which = state.run, next_learner(state)
        own, other = first_arm(arms, which), first_arm(arms, 1 - which)
        bandit = state.arm[own : own + arms]
        leader, record = best(bandit), bandit[arm]
        add(record, reward, drift)
        if run.left > 0.0:
            add(state.arm[0 if which == int(run.old) else 1], reward, drift)
            run.left -= 1.0
            if run.left == 0.0:
                decide(state, arms)
        elif arm == leader and record.top - record.walk > threshold:
            run.left = trial
            clear(state.arm[:JUDGED])
            clear(state.arm[other : other + arms])


@compilable
def first_arm(arms: int, which: int) -> int:
    """Return where the arms of a learner begin; those of learner 0 follow those of the judge."""
    return JUDGED + which * arms


@compilable
def next_learner(state: Any) -> int:
    """Return whose turn it is, learner 0 or 1."""
    old = int(state.run.old)
    if state.run.left == 0.0 or favourite(state.arm[:JUDGED]) == 0:
        return old
    return 1 - old


@compilable
def favourite(bandit: Any) -> int:
    """Return the arm that UCB-tuned plays, the lowest of equals; first those without a play."""
    clock, arm, lead = 0.0, 0, -math.inf
    for k in range(len(bandit)):
        clock += bandit[k].count
    for k in range(len(bandit)):
        record = bandit[k]
        count = record.count
        if count == 0.0:
            return k
        mean = record.total / count
        variance = max(record.squares / count - mean * mean, 0.0)
        index = tuned_index(mean, count, clock, variance, 1.0)
        if index > lead:
            arm, lead = k, index
    return arm


@compilable
def best(bandit: Any) -> int:
    """Return the arm with the largest mean, the lowest of equals; −1 if none was played."""
    arm, lead = -1, -math.inf
    for k in range(len(bandit)):
        count = bandit[k].count
        if count > 0.0 and bandit[k].total / count > lead:
            arm, lead = k, bandit[k].total / count
    return arm


@compilable
def add(arm: Any, reward: float, drift: float) -> None:
    """Add a play to an arm, and a step to its walk."""
    arm.count += 1.0
    arm.total += reward
    arm.squares += reward * reward
    arm.walk += reward - arm.total / arm.count + drift
    arm.top = max(arm.top, arm.walk)


@compilable
def clear(bandit: Any) -> None:
    """Forget all plays of a bandit."""
    for k in range(len(bandit)):
        arm = bandit[k]
        arm.count = arm.total = arm.squares = arm.walk = arm.top = 0.0


@compilable
def decide(state: Any, arms: int) -> None:
    """End a trial: the learner with the larger mean is the old one from now on."""
    if best(state.arm[:JUDGED]) == 1:
        state.run.old = 1.0 - state.run.old
    first = first_arm(arms, int(state.run.old))
    for k in range(first, first + arms):
        state.arm[k].walk = state.arm[k].top = 0.0
