"""META."""

from __future__ import annotations

import dataclasses
import math
from typing import Annotated, Any

from driftbandit.core.domain import Count, Positive, Whole
from driftbandit.core.marking import compilable
from driftbandit.core.state import State
from driftbandit.policies.procedures.history import (
    LEVELS,
    bucket_at,
    clear,
    end_round,
    levels_for,
    open_at,
    size,
)
from driftbandit.policies.procedures.policy import Procedure

NESTED = 54
"""The most replays that nest, the episode counted as one: no horizon is longer than 2⁵³."""


@dataclasses.dataclass(frozen=True)
class META(Procedure):
    """META: play the arms not yet evicted at random, and replay all of them at random times.

    Each round draws an arm of the active set A_t uniformly. With the estimate of the gap
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
    run_state = State(
        "episodes", "first", "start", "longest", "depth", "levels", "rounds",
        firsts=NESTED, lasts=NESTED, held=LEVELS,
    )  # fmt: skip  # numbers first, then arrays
    """Episodes so far; the first rounds of this one and of the innermost replay; ⌈log₂ T⌉; how many
    replays are nested, the first and last round of each, and the history of the episode."""

    arm_state = State("bad_since")
    """The latest start of an interval that evicts the arm."""

    label: str = dataclasses.field(default="META", kw_only=True)
    horizon: Annotated[int, Whole(least=2)]
    c: Positive = 0.4
    every: Count = 2
    ends: Annotated[int, Whole(least=2, even=True)] = 8

    def room(self, arms: int) -> int:
        """Return the numbers of the history, then the sums of pairs of arms over an interval."""
        levels, pairs = levels_for(self.horizon / self.every, self.ends), arms * arms
        return size(levels, pairs, self.ends) + pairs

    @staticmethod
    def start(state: Any, arms: int, horizon: float, c: float, every: float, ends: float) -> None:
        """Begin the first episode."""
        state.run.longest = float(longest(horizon))
        state.run.levels = float(levels_for(horizon / every, int(ends)))
        begin(state, arms, 1)

    @staticmethod
    def choose(
        state: Any, arms: int, t: int, noise: Any, horizon: float, c: float, every: float,
        ends: float,
    ) -> int:  # fmt: skip  # what is handed, then the fields
        """Draw an active arm."""
        choice, left = 0, int(noise[0] * active(state, arms, state.run.start))
        for k in range(arms):
            if state.arm[k].bad_since < state.run.start:
                choice = k if left == 0 else choice
                left -= 1
        return choice

    @staticmethod
    def learn(
        state: Any, arms: int, t: int, arm: int, reward: float, noise: Any, horizon: float,
        c: float, every: float, ends: float,
    ) -> None:  # fmt: skip  # what is handed, then the fields
        """Note the gaps; when a bucket closes, evict; begin and end replays, or an episode."""
        run, room, start, pairs = state.run, state.room, state.run.start, arms * arms
        gain, bucket = active(state, arms, start) * reward, open_at(run, pairs)
        for k in range(arms):
            if k != arm and state.arm[k].bad_since < start:
                room[bucket + arm * arms + k] += gain
            if k != arm and state.arm[arm].bad_since < start:
                room[bucket + k * arms + arm] -= gain
        if end_round(run, room, pairs, int(ends), every):
            evict(state, arms, t, int(every), int(ends), math.log(horizon), c)
        power = replay(run.longest, t + 1.0 - run.first, noise[1])
        nest(run, t, power)
        if power == 0 and active(state, arms, run.first) == 0:
            begin(state, arms, t + 1)


def longest(horizon: float) -> int:
    """Return ⌈log₂ T⌉."""
    return math.ceil(math.log2(horizon))


@compilable
def begin(state: Any, arms: int, t: int) -> None:
    """Begin an episode in round t."""
    run = state.run
    run.episodes += 1.0
    run.first = run.start = run.firsts[0] = t
    run.lasts[0] = math.inf
    run.depth = 1.0
    for k in range(arms):
        state.arm[k].bad_since = 0.0
    clear(run, state.room, arms * arms)


@compilable
def active(state: Any, arms: int, start: float) -> int:
    """Return how many arms are active in the replay, or episode, that began in round `start`."""
    count = 0
    for k in range(arms):
        count += 1 if state.arm[k].bad_since < start else 0
    return count


@compilable
def replay(most: float, u: float, noise: float) -> int:
    """Return j ≤ `most` of the longest replay that begins u rounds after the first, 0 for none.

    Each length is drawn independently; inversion of the noise gives the longest replay.
    """
    if noise < 1.0 - 2.4143 / math.sqrt(u):  # Σ over j of 1/√2ʲ
        return 0
    calm, power = 1.0, int(most)
    while power > 0:
        calm *= 1.0 - 1.0 / math.sqrt(2.0**power * u)
        if noise >= calm:
            return power
        power -= 1
    return 0


@compilable
def nest(run: Any, t: int, power: int) -> None:
    """End the replays that are over after round t, and begin one of 2ʲ rounds if j is above 0.

    One that would end no later than an inner one plays no more. So each is at most half as long as
    the one around it.
    """
    depth, end = int(run.depth), t + (2.0**power if power > 0 else 0.0)
    while run.lasts[depth - 1] <= end:
        depth -= 1
    if power > 0:
        run.firsts[depth] = t + 1.0
        run.lasts[depth] = end
        depth += 1
    run.depth = float(depth)
    run.start = run.firsts[depth - 1]


@compilable
def evict(state: Any, arms: int, t: int, every: int, ends: int, log: float, c: float) -> None:
    """Evict arms for intervals that end with round t."""
    run, room, pairs, rounds, length = state.run, state.room, arms * arms, 0, every
    sums = len(room) - pairs
    for pair in range(pairs):
        room[sums + pair] = 0.0
    for level in range(int(run.levels)):
        for bucket in range(int(run.held[level]) - 1, -1, -1):
            rounds += length
            least = log * math.sqrt(c * max(arms * (rounds - 1), arms * arms))
            older = bucket_at(level, bucket, pairs, ends)
            for pair in range(pairs):
                room[sums + pair] += room[older + pair]
                if room[sums + pair] > least:
                    worse = state.arm[pair % arms]
                    worse.bad_since = max(worse.bad_since, t + 1.0 - rounds)
        length *= 2
