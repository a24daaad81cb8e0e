"""Policies for rewards that only decay: RAW-UCB and FEWA.

Both judge an arm by its most recent plays, over windows of many lengths at once. Kept are windows
of ⌈m^j⌉ plays only, and of each just the mean of the last finished block of so many plays, its
successor's sum, and how many plays that still lacks: O(log n) numbers an arm and O(log n) steps a
play, instead of all n rewards. A block is at most as many plays old as it has. Rewards that only
decay make an old mean too high, never too low, so the bounds keep their form (Seznec et al. 2019).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import MutableSequence, Sequence

from driftbandit.core.errors import real
from driftbandit.core.marking import compilable
from driftbandit.policies.procedures.policy import Procedure

Memory = MutableSequence[float]

LONGEST = 2.0**40
"""No window is longer, so that the memory is bounded."""

LEVELS, NEXT, SIZES = 0, 1, 2
"""Places: how many windows there are, the arm that FEWA plays next, sizes h, and then 1/√h."""

COUNT, TOTAL, BLOCKS = range(3)
"""Of an arm: its plays, the sum of their rewards, and then three numbers a window."""

MEAN, SUM, LACKING = range(3)
"""Of a window of an arm: the mean of the last finished block, the next one's sum, what it lacks."""


@dataclasses.dataclass(frozen=True)
class Rotting(Procedure):
    """What RAW-UCB and FEWA have in common: the parameters α, σ, m and the memory."""

    alpha: float
    sigma: float = 0.5
    ratio: float = 2.0

    def __post_init__(self) -> None:
        """Check α, σ and m."""
        self._set(
            alpha=real("alpha", self.alpha, "[0, inf)"),
            sigma=real("sigma", self.sigma, "(0, inf)"),
            ratio=real("ratio", self.ratio, "[1.05, 2]"),
        )
        super().__post_init__()

    def memory(self, arms: int) -> int:
        """Return room for windows and arms, and a mark for every arm."""
        levels = len(sizes(self.ratio))
        return SIZES + 2 * levels + arms * (BLOCKS + 3 * levels + 1)

    @staticmethod
    def start(memory: Memory, arms: int, alpha: float, sigma: float, ratio: float) -> None:
        """Write down the windows."""
        found = sizes(ratio)
        memory[LEVELS] = len(found)
        for j, size in enumerate(found):
            memory[SIZES + j] = size
            memory[SIZES + len(found) + j] = math.sqrt(1.0 / size)

    @staticmethod
    def learn(
        memory: Memory, arms: int, t: int, arm: int, reward: float, noise: Sequence[float],
        alpha: float, sigma: float, ratio: float,
    ) -> None:  # fmt: skip  # what is handed, then the fields
        """Add the play to the blocks of its arm."""
        add(memory, arm, reward)


def sizes(ratio: float) -> list[float]:
    """Return the different ⌈m^j⌉, j = 0, 1, …

    >>> sizes(1.5)[:6], len(sizes(2.0))
    ([1.0, 2.0, 3.0, 4.0, 6.0, 8.0], 41)
    """
    most = math.floor(math.log(LONGEST) / math.log(ratio) + 1e-9)
    return sorted({float(math.ceil(ratio**j)) for j in range(most + 1)})


@compilable
def place(memory: Memory, arm: int) -> int:
    """Return where the numbers of an arm begin."""
    levels = int(memory[LEVELS])
    return SIZES + 2 * levels + arm * (BLOCKS + 3 * levels)


@compilable
def add(memory: Memory, arm: int, reward: float) -> None:
    """Add a play; a window opens when the arm has so many plays, with the mean of all of them."""
    own = place(memory, arm)
    memory[own + COUNT] += 1.0
    memory[own + TOTAL] += reward
    count = memory[own + COUNT]
    for j in range(int(memory[LEVELS])):
        size, block = memory[SIZES + j], own + BLOCKS + 3 * j
        if size > count:
            break
        if size == count:
            memory[block + MEAN], memory[block + LACKING] = memory[own + TOTAL] / size, size
            continue
        memory[block + SUM] += reward
        memory[block + LACKING] -= 1.0
        if memory[block + LACKING] == 0.0:
            memory[block + MEAN], memory[block + LACKING] = memory[block + SUM] / size, size
            memory[block + SUM] = 0.0


@compilable
def width(rounds: int, alpha: float, sigma: float) -> float:
    """Return √h times c_h = √(2 α σ² log t / h)."""
    return sigma * math.sqrt(2.0 * alpha * math.log(max(rounds, 1)))


@dataclasses.dataclass(frozen=True)
class RAWUCB(Rotting):
    """RAW-UCB: the arm with the largest min over h of X̄_h(i) + √(2 α σ² log t / h) is played.

    X̄_h(i) is the mean over a block of h plays of arm i, h = ⌈m^j⌉ up to its number of plays: the
    most pessimistic of all the windows' optimistic views. α is `alpha`, 4 in theory and 1.4 as its
    authors tuned it; σ is `sigma`, ½ for rewards in [0, 1] and in units of B; m is `ratio`, in
    [1.05, 2]: a smaller one has more windows, and costs more.

    It needs neither the horizon nor how often or fast rewards decay. It fails where they rise:
    nothing makes it try again an arm whose last plays were bad, but log t.

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
    alpha: float = 1.4

    @staticmethod
    def choose(
        memory: Memory, arms: int, t: int, noise: Sequence[float], alpha: float, sigma: float,
        ratio: float,
    ) -> int:  # fmt: skip  # as above
        """Return the arm with the largest index, the lowest of equals; first every arm once."""
        levels, wide = int(memory[LEVELS]), width(t - 1, alpha, sigma)
        best, lead = 0, -math.inf
        for k in range(arms):
            own, index = place(memory, k), math.inf
            for j in range(levels):
                if index <= lead or memory[SIZES + j] > memory[own + COUNT]:
                    break
                mean, root = memory[own + BLOCKS + 3 * j + MEAN], memory[SIZES + levels + j]
                index = min(index, mean + wide * root)
            if index > lead:
                best, lead = k, index
        return best


@dataclasses.dataclass(frozen=True)
class FEWA(Rotting):
    """FEWA: arms are filtered by windows that get longer, and one of those that are left is played.

    For h = 1, 2, … keep the arms with X̄_h(i) ≥ max − 2 c_h, c_h = √(2 α σ² log t / h). When a kept
    arm has too few plays for the next window, the kept arm with the fewest is played. Windows and
    parameters are those of RAW-UCB, h = ⌈m^j⌉; `alpha` is 4 in theory and 0.06 as its authors tuned
    it.

    It fails where rewards rise, as RAW-UCB does, which is better in theory and in practice.

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
    alpha: float = 0.06

    @staticmethod
    def choose(
        memory: Memory, arms: int, t: int, noise: Sequence[float], alpha: float, sigma: float,
        ratio: float,
    ) -> int:  # fmt: skip  # as above
        """Return what was found when the last reward was learned: there is room for marks then."""
        return int(memory[NEXT])

    @staticmethod
    def learn(
        memory: Memory, arms: int, t: int, arm: int, reward: float, noise: Sequence[float],
        alpha: float, sigma: float, ratio: float,
    ) -> None:  # fmt: skip  # as above
        """Add the play, and filter the arms."""
        add(memory, arm, reward)
        memory[NEXT] = filtered(memory, arms, width(t, alpha, sigma))


@compilable
def filtered(memory: Memory, arms: int, wide: float) -> int:
    """Return the arm that FEWA plays: one without a play, or what is left by the filter."""
    levels, marks, best = int(memory[LEVELS]), place(memory, arms), 0
    for k in range(arms):
        memory[marks + k] = 1.0
        if memory[place(memory, k) + COUNT] == 0.0:
            return k
    for j in range(levels):
        least = top_mean(memory, arms, marks, j) - 2.0 * wide * memory[SIZES + levels + j]
        fewest = math.inf
        for k in range(arms):
            own = place(memory, k)
            if memory[marks + k] > 0.0 and memory[own + BLOCKS + 3 * j + MEAN] < least:
                memory[marks + k] = 0.0
            if memory[marks + k] > 0.0 and memory[own + COUNT] < fewest:
                best, fewest = k, memory[own + COUNT]
        if j + 1 == levels or fewest < memory[SIZES + j + 1]:
            break
    return best


@compilable
def top_mean(memory: Memory, arms: int, marks: int, j: int) -> float:
    """Return the largest mean of window j among the arms that are marked."""
    top = -math.inf
    for k in range(arms):
        if memory[marks + k] > 0.0:
            top = max(top, memory[place(memory, k) + BLOCKS + 3 * j + MEAN])
    return top
