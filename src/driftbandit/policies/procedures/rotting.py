"""Policies for rewards that only decay: RAW-UCB and FEWA.

Both judge an arm by its most recent plays, over windows of many lengths at once. There are only
windows of ⌈m^j⌉ plays, and the state of each is the mean of the last finished block of so many
plays, the sum of the next block, and how many plays that block still lacks: O(log n) numbers per
arm and O(log n) steps per play, instead of all n rewards. A block is at most as many plays old as
it has. Rewards that only decay make an old mean too high, never too low, so the bounds keep their
form (Seznec et al. 2019).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Annotated, Any

from driftbandit.core.domain import NonNegative, Positive, Real
from driftbandit.core.marking import compilable
from driftbandit.core.numerics import ceiling_of, floor_of
from driftbandit.core.state import State
from driftbandit.policies.procedures.policy import Procedure

LONGEST = 2.0**40
"""No window is longer, so that the state is bounded."""


def window_sizes(ratio: float) -> list[float]:
    """Return the different ⌈m^j⌉, j = 0, 1, …

    >>> window_sizes(1.5)[:6], len(window_sizes(2.0))
    ([1.0, 2.0, 3.0, 4.0, 6.0, 8.0], 41)
    """
    most = int(floor_of(math.log(LONGEST) / math.log(ratio)))
    return sorted({ceiling_of(ratio**j) for j in range(most + 1)})


MOST = len(window_sizes(1.05))
"""Windows, at most: those of the smallest m."""


@dataclasses.dataclass(frozen=True)
class Rotting(Procedure):
    """What RAW-UCB and FEWA have in common: the parameters α, σ, m and the state."""

    run_state = State("levels", "next", sizes=MOST, roots=MOST)
    """How many windows there are; the arm that FEWA plays next; the sizes h, and 1/√h."""

    arm_state = State("count", "total", "mark")
    """Plays and the sum of their rewards; 1 while FEWA's filter leaves the arm, else 0."""

    room_state = State("mean", "sum", "lacking")
    """A window of an arm: the mean of the last finished block, the sum of the next one, and how
    many plays that one lacks."""

    alpha: NonNegative
    sigma: Positive = 0.5
    ratio: Annotated[float, Real("[1.05, 2]")] = 2.0

    def room(self, arms: int) -> int:
        """Return one record per arm and window."""
        return arms * len(window_sizes(self.ratio))

    @staticmethod
    def start(state: Any, arms: int, alpha: float, sigma: float, ratio: float) -> None:
        """Set the windows."""
        sizes = window_sizes(ratio)
        state.run.levels = float(len(sizes))
        for j, size in enumerate(sizes):
            state.run.sizes[j] = size
            state.run.roots[j] = math.sqrt(1.0 / size)

    @staticmethod
    def learn(
        state: Any, arms: int, t: int, arm: int, reward: float, noise: Sequence[float],
        alpha: float, sigma: float, ratio: float,
    ) -> None:  # fmt: skip  # what is handed, then the fields
        """Add the play to the blocks of its arm."""
        add(state, arm, reward)


@compilable
def add(state: Any, arm: int, reward: float) -> None:
    """Add a play; a window opens when the arm has so many plays, with the mean of all of them."""
    record, levels, sizes = state.arm[arm], int(state.run.levels), state.run.sizes
    record.count += 1.0
    record.total += reward
    count = record.count
    for j in range(levels):
        size, window = sizes[j], state.room[arm * levels + j]
        if size > count:
            break
        if size == count:
            window.mean, window.lacking = record.total / size, size
            continue
        window.sum += reward
        window.lacking -= 1.0
        if window.lacking == 0.0:
            window.mean, window.lacking = window.sum / size, size
            window.sum = 0.0


@compilable
def width(rounds: int, alpha: float, sigma: float) -> float:
    """Return √h times c_h = √(2 α σ² log t / h)."""
    return sigma * math.sqrt(2.0 * alpha * math.log(max(rounds, 1)))


@dataclasses.dataclass(frozen=True)
class RAWUCB(Rotting):
    """RAW-UCB: play the arm with the largest min over h of X̄_h(i) + √(2 α σ² log t / h).

    X̄_h(i) is the mean over a block of h plays of arm i, h = ⌈m^j⌉ up to its number of plays. So the
    index is the most pessimistic of the windows' optimistic views. α is `alpha`, 4 in theory and
    1.4 as its authors tuned it; σ is `sigma`, ½ for rewards in [0, 1] and in units of B; m is
    `ratio`, in [1.05, 2]: a smaller one has more windows, and costs more.

    It needs neither the horizon nor how often or fast rewards decay.

    Fails where rewards rise: only log t makes it try an arm again whose last plays were bad.

    Per window, the mean of the last finished block of h plays is stored, the sum of its successor,
    and how many plays that lacks: O(log n) numbers and steps for an arm played n times, and never
    more than for windows of 2⁴⁰ plays. A block is up to h plays old; where rewards only decay, that
    makes its mean too high and not too low. In `two_swaps` the policy loses to UCB-1.

    Reference: Seznec, Ménard, Lazaric & Valko, *A single algorithm for both restless and rested
    rotting bandits*, 2020, with the blocks of Seznec, Locatelli, Carpentier, Lazaric & Valko 2019.

    >>> agent = RAWUCB(alpha=0.0).agent(arms=2)
    >>> for arm, reward in ((0, 0.9), (1, 0.5), (0, 0.1)):
    ...     agent.learn(arm, reward)
    >>> agent.choose()
    1
    """

    label: str = dataclasses.field(default="RAW-UCB", kw_only=True)
    alpha: NonNegative = 1.4

    @staticmethod
    def choose(
        state: Any, arms: int, t: int, noise: Sequence[float], alpha: float, sigma: float,
        ratio: float,
    ) -> int:  # fmt: skip  # as above
        """Return the arm with the largest index, the lowest of equals; first every arm once."""
        run, levels, wide = state.run, int(state.run.levels), width(t - 1, alpha, sigma)
        sizes, roots, best, lead = run.sizes, run.roots, 0, -math.inf
        for k in range(arms):
            count, index = state.arm[k].count, math.inf
            for j in range(levels):
                if index <= lead or sizes[j] > count:
                    break
                index = min(index, state.room[k * levels + j].mean + wide * roots[j])
            if index > lead:
                best, lead = k, index
        return best


@dataclasses.dataclass(frozen=True)
class FEWA(Rotting):
    """FEWA: filter the arms by ever longer windows, and play one that is left.

    For h = 1, 2, … the filter leaves the arms with X̄_h(i) ≥ max − 2 c_h, c_h = √(2 α σ² log t / h).
    When one of these has too few plays for the next window, the one with the fewest is played.
    Windows and parameters are those of RAW-UCB, h = ⌈m^j⌉; `alpha` is 4 in theory and 0.06 as its
    authors tuned it.

    Fails where rewards rise, as RAW-UCB does, which is better in theory and in practice.

    With the α of theory it leaves out hardly anything in 10,000 rounds.

    Reference: Seznec, Locatelli, Carpentier, Lazaric & Valko, *Rotting bandits are no harder than
    stochastic ones*, 2019.

    >>> agent = FEWA().agent(arms=2)
    >>> for arm, reward in ((0, 0.9), (1, 0.5), (0, 0.1)):
    ...     agent.learn(arm, reward)
    >>> agent.choose()
    1
    """

    label: str = dataclasses.field(default="FEWA", kw_only=True)
    alpha: NonNegative = 0.06

    @staticmethod
    def choose(
        state: Any, arms: int, t: int, noise: Sequence[float], alpha: float, sigma: float,
        ratio: float,
    ) -> int:  # fmt: skip  # as above
        """Return the arm that the filter left when the last reward was learned: it needs marks."""
        return int(state.run.next)

    @staticmethod
    def learn(
        state: Any, arms: int, t: int, arm: int, reward: float, noise: Sequence[float],
        alpha: float, sigma: float, ratio: float,
    ) -> None:  # fmt: skip  # as above
        """Add the play, and filter the arms."""
        add(state, arm, reward)
        state.run.next = float(filtered(state, arms, width(t, alpha, sigma)))


@compilable
def filtered(state: Any, arms: int, wide: float) -> int:
    """Return the arm that FEWA plays: one without a play, or one that the filter leaves."""
    run, levels, best = state.run, int(state.run.levels), 0
    for k in range(arms):
        state.arm[k].mark = 1.0
        if state.arm[k].count == 0.0:
            return k
    for j in range(levels):
        least = top_mean(state, arms, levels, j) - 2.0 * wide * run.roots[j]
        fewest = math.inf
        for k in range(arms):
            arm = state.arm[k]
            if arm.mark > 0.0 and state.room[k * levels + j].mean < least:
                arm.mark = 0.0
            if arm.mark > 0.0 and arm.count < fewest:
                best, fewest = k, arm.count
        if j + 1 == levels or fewest < run.sizes[j + 1]:
            break
    return best


@compilable
def top_mean(state: Any, arms: int, levels: int, j: int) -> float:
    """Return the largest mean of window j among the marked arms."""
    top = -math.inf
    for k in range(arms):
        if state.arm[k].mark > 0.0:
            top = max(top, state.room[k * levels + j].mean)
    return top
