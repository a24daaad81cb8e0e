"""META."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from driftbandit.core.errors import real, require, whole
from driftbandit.core.marking import compilable
from driftbandit.policies.procedures.policy import Procedure
from driftbandit.policies.procedures.rounds import clear, close, level_at, levels_for, room

EPISODES, FIRST, OPEN, DEPTH, LONGEST, FRAMES = range(6)
"""Episodes so far, the first round of this one, rounds in the open bucket, how many replays are
nested (the episode counts as one), ⌈log₂ T⌉; then first and last round of each replay."""


@dataclasses.dataclass(frozen=True)
class META(Procedure):
    """META: play the arms not yet evicted at random, and replay all of them at random times.

    In every round an arm of the active set A_t is drawn uniformly. With the estimate of the gap
    between arms a′ and a, δ̂_t(a′, a) = |A_t| (X_t 1{I = a′} − X_t 1{I = a}) 1{a ∈ A_t}, arm a is
    evicted if for an interval of rounds [s, e]

    max over a′ of Σ δ̂_t(a′, a) > log(T) √(c max(K (e − s), K²)).

    u rounds after the first of an episode, a replay of 2ʲ rounds begins with probability
    1/√(2ʲ u), for every j up to ⌈log₂ T⌉; of several the longest is meant. It makes all arms
    active. Replays nest, and an inner one that ends later than an outer one outlives it. An arm is
    evicted from a replay for an interval that begins in it, and from the episode for any of the
    episode. When the episode has no arm left, a new one begins.

    The paper's listing can be read as evicting from a replay for any interval of the episode. Then
    a replay would lose at once what it is to try again, so intervals from its start are taken.
    So an arm is in a set if the latest start of an interval that evicts it lies before the set.

    T is `horizon`. `c` is a large constant in the proof. The variance of Σ δ̂ is at most 2K (e − s),
    so that c = 4 / log T is √(2 log T) deviations: 0.4 for T = 10⁴. Tests are made every `every`
    rounds, at the borders of buckets, as in `AdSwitch`; short replays want it small. A round costs
    O(K² log(T) `ends` / `every`), memory is O(K² log(T) `ends`).

    Fails where T is not huge: evicting an arm for a gap Δ takes c K (log T / Δ)² rounds of play at
    random, 630 for Δ = 0.4 and T = 10⁴, and replays begin so often that nearly all rounds are in
    one.

    The regret in `two_swaps` is 1351, and in problem 1 of Besson 1417, where uniform play has 1467
    and 1500.

    Reference: Suk & Kpotufe 2022, *Tracking most significant arm switches in bandits*. Its regret
    counts only changes that make every arm bad at some time, without knowing them.

    >>> META(horizon=10_000)
    META(label='META', bound=1.0, horizon=10000, c=0.4, every=2, ends=8)
    """

    noise = 2

    label: str = dataclasses.field(default="META", kw_only=True)
    horizon: int
    c: float = 0.4
    every: int = 2
    ends: int = 8

    def __post_init__(self) -> None:
        """Check T, c and the tests."""
        self._set(
            horizon=whole("horizon", self.horizon, least=2),
            c=real("c", self.c, "(0, inf)"),
            every=whole("every", self.every),
            ends=whole("ends", self.ends, least=2),
        )
        require(self.ends % 2 == 0, "ends", self.ends, "be even")
        super().__post_init__()

    def memory(self, arms: int) -> int:
        """Return the room for nested replays, arms, pairs of them, and buckets of these."""
        levels = levels_for(self.horizon / self.every, self.ends)
        nested = 2 * (longest(self.horizon) + 1)
        return FRAMES + nested + arms + arms * arms + room(levels, arms * arms, self.ends)

    @staticmethod
    def start(memory: Any, arms: int, horizon: float, c: float, every: float, ends: float) -> None:
        """Begin the first episode."""
        memory[LONGEST] = longest(horizon)
        memory[buckets_at(memory, arms)] = levels_for(horizon / every, int(ends))
        begin(memory, arms, 1, int(ends))

    @staticmethod
    def choose(
        memory: Any, arms: int, t: int, noise: Any, horizon: float, c: float, every: float,
        ends: float,
    ) -> int:  # fmt: skip  # what is handed, then the fields
        """Draw an active arm."""
        latest, start, found = arms_at(memory), innermost(memory), 0
        left = int(noise[0] * active(memory, arms))
        for k in range(arms):
            if memory[latest + k] < start:
                found = k if left == 0 else found
                left -= 1
        return found

    @staticmethod
    def learn(
        memory: Any, arms: int, t: int, arm: int, reward: float, noise: Any, horizon: float,
        c: float, every: float, ends: float,
    ) -> None:  # fmt: skip  # what is handed, then the fields
        """Note the gaps; when it is time, evict; begin and end replays, or an episode."""
        at, latest, start = buckets_at(memory, arms), arms_at(memory), innermost(memory)
        gain = active(memory, arms) * reward
        for k in range(arms):
            if k != arm and memory[latest + k] < start:
                memory[at + 1 + arm * arms + k] += gain
            if k != arm and memory[latest + arm] < start:
                memory[at + 1 + k * arms + arm] -= gain
        memory[OPEN] += 1.0
        if memory[OPEN] >= every:
            memory[OPEN] = 0.0
            close(memory, at, arms * arms, int(ends))
            evict(memory, arms, t, int(every), int(ends), math.log(horizon), c)
        power = replay(memory, t + 1.0 - memory[FIRST], noise[1])
        nest(memory, t, power)
        if power == 0 and over(memory, arms):
            begin(memory, arms, t + 1, int(ends))


def longest(horizon: float) -> int:
    """Return ⌈log₂ T⌉."""
    return math.ceil(math.log2(horizon))


@compilable
def arms_at(memory: Any) -> int:
    """Return where the latest starts of intervals that evict an arm are kept."""
    return FRAMES + 2 * (int(memory[LONGEST]) + 1)


@compilable
def buckets_at(memory: Any, arms: int) -> int:
    """Return where the buckets begin, after room for sums of pairs."""
    return arms_at(memory) + arms + arms * arms


@compilable
def begin(memory: Any, arms: int, t: int, ends: int) -> None:
    """Begin an episode in round t."""
    memory[EPISODES] += 1.0
    memory[FIRST] = memory[FRAMES] = t
    memory[FRAMES + 1] = math.inf
    memory[DEPTH] = 1.0
    memory[OPEN] = 0.0
    for k in range(arms):
        memory[arms_at(memory) + k] = 0.0
    clear(memory, buckets_at(memory, arms), arms * arms, ends)


@compilable
def innermost(memory: Any) -> float:
    """Return the first round of the innermost replay: arms evicted later are not active."""
    return memory[FRAMES + 2 * int(memory[DEPTH]) - 2]  # type: ignore[no-any-return]


@compilable
def active(memory: Any, arms: int) -> int:
    """Return how many arms are active."""
    count, latest, start = 0, arms_at(memory), innermost(memory)
    for k in range(arms):
        count += 1 if memory[latest + k] < start else 0
    return count


@compilable
def over(memory: Any, arms: int) -> bool:
    """Say whether all arms are evicted from the episode."""
    left = 0
    for k in range(arms):
        left += 1 if memory[arms_at(memory) + k] < memory[FIRST] else 0
    return left == 0


@compilable
def replay(memory: Any, u: float, noise: float) -> int:
    """Return j of the longest replay that begins u rounds after the first, 0 for none.

    All lengths are drawn one by one; the noise says by inversion which is the longest.
    """
    if noise < 1.0 - 2.4143 / math.sqrt(u):  # Σ over j of 1/√2ʲ
        return 0
    calm, power = 1.0, int(memory[LONGEST])
    while power > 0:
        calm *= 1.0 - 1.0 / math.sqrt(2.0**power * u)
        if noise >= calm:
            return power
        power -= 1
    return 0


@compilable
def nest(memory: Any, t: int, power: int) -> None:
    """End the replays that are over after round t, and begin one of 2ʲ rounds if j is above 0.

    One that would end no later than an inner one plays no more. So each is at most half as long as
    the one around it.
    """
    depth, end = int(memory[DEPTH]), t + (2.0**power if power > 0 else 0.0)
    while memory[FRAMES + 2 * depth - 1] <= end:
        depth -= 1
    if power > 0:
        memory[FRAMES + 2 * depth] = t + 1.0
        memory[FRAMES + 2 * depth + 1] = end
        depth += 1
    memory[DEPTH] = depth


@compilable
def evict(memory: Any, arms: int, t: int, every: int, ends: int, log: float, c: float) -> None:
    """Look at all intervals that end with round t."""
    at, wide, rounds, size = buckets_at(memory, arms), arms * arms, 0, every
    sums, latest = at - wide, arms_at(memory)
    for pair in range(sums, at):
        memory[pair] = 0.0
    for level in range(int(memory[at])):
        first = level_at(at, level, wide, ends)
        for bucket in range(int(memory[first]) - 1, -1, -1):
            rounds += size
            least = log * math.sqrt(c * max(arms * (rounds - 1), arms * arms))
            for pair in range(wide):
                memory[sums + pair] += memory[first + 1 + bucket * wide + pair]
                if memory[sums + pair] > least:
                    k = pair % arms
                    memory[latest + k] = max(memory[latest + k], t + 1.0 - rounds)
        size *= 2
