"""AdSwitch."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from driftbandit.core.errors import real, require, whole
from driftbandit.core.marking import compilable
from driftbandit.policies.procedures.policy import Procedure
from driftbandit.policies.procedures.rounds import clear, close, level_at, levels_for, room

EPISODE, OPEN, ARMS = range(3)
"""The number of the episode, and of the rounds in the open bucket; then what is kept of arms:"""

LAST, PLAYS, UNTIL, BAD, MEAN, GAP, LOW, HIGH, CALM, COUNT, SUM, ALL = range(12)
"""The last round it was played in and how often it was; up to which play it is checked; whether it
is evicted, its mean and gap when it was; the largest lower and least upper bound on its mean; the
probability that no check begins in a round; and its plays and rewards since some round."""


@dataclasses.dataclass(frozen=True)
class AdSwitch(Procedure):
    """AdSwitch: play the good arms in turn, evict the worse, and check the evicted now and then.

    An episode ℓ begins with all arms good. Every round the arm played longest ago is played, of
    those that are good or have a check to be done. Means X̄ and plays N are those of rounds s to t
    of the episode, for any s.

    - A good arm is evicted if some good arm's X̄ exceeds its own by √(c log T / (N − 1)), N ≥ 2. Of
      all such s the first counts; X̄ and the gap are kept as μ̃ and Δ̃.
    - For an evicted arm and every d = 2⁻ⁱ ≥ Δ̃ / 16, a check of ⌊2 log T / d²⌋ plays begins with
      probability r d √(ℓ / (K T log T)) in every round.
    - A new episode begins if for an evicted arm |X̄ − μ̃| > Δ̃/4 + √(2 log T / N), or if for a good
      arm two stretches, one of which ends now, have means further apart than the sum of their
      √(2 log T / N): if the largest lower bound on its mean has passed the least upper one.

    T is `horizon`; `c` is above 16 in the proof and 1 in experiments; r is `rate`, 1 in the paper.
    Tests are made every `every` rounds, for s at the borders of buckets of rounds that get longer
    with age: `ends` to twice as many of each length (`procedures.rounds`). With `every=1` and
    `ends` of T or more, all s are tried in every round. A round costs O(K log(T) `ends` / `every`),
    memory is O(K log(T) `ends`).

    Fails where T is not huge: the checks for d near Δ̃/16 are as long as the whole run, and with
    r = 1 some check is nearly always under way, so that play is almost uniform for T = 10⁴ and
    three arms. With r = 0.01 there are few, and an evicted arm that gets better may be missed.

    With all rounds and stretches tried, the regret is 0 to 6 % less in worlds of 600 to 10,000
    rounds, nearly all of it due to `every`. In `two_swaps` the regret is 1264, where uniform play
    has 1467 and UCB-1 657; with r = 0.01 it is 884. In problem 1 of Besson it is 1215, and 192 with
    r = 0.01 (UCB-1: 274). One public implementation confuses positions in a list of candidates with
    arms and miscounts plays; curves made with it say little.

    Reference: Auer, Gajane & Ortner 2019, *Adaptively tracking the best bandit arm with an unknown
    number of distribution changes*. Regret O(√(K (Υ + 1) T log T)) with Υ unknown.

    >>> AdSwitch(horizon=10_000)
    AdSwitch(label='AdSwitch', bound=1.0, horizon=10000, c=1.0, rate=1.0, every=5, ends=8)
    """

    label: str = dataclasses.field(default="AdSwitch", kw_only=True)
    horizon: int
    c: float = 1.0
    rate: float = 1.0
    every: int = 5
    ends: int = 8

    def __post_init__(self) -> None:
        """Check T, c, r and the tests."""
        self._set(
            horizon=whole("horizon", self.horizon, least=2),
            c=real("c", self.c, "(0, inf)"),
            rate=real("rate", self.rate, "[0, inf)"),
            every=whole("every", self.every),
            ends=whole("ends", self.ends, least=2),
        )
        require(self.ends % 2 == 0, "ends", self.ends, "be even")
        super().__post_init__()

    def memory(self, arms: int) -> int:
        """Return the room for arms and buckets."""
        levels = levels_for(self.horizon / self.every, self.ends)
        return ARMS + ALL * arms + room(levels, 2 * arms, self.ends)

    def draws(self, arms: int) -> int:
        """Return one for each arm: does a check of it begin?"""
        return arms

    @staticmethod
    def start(
        memory: Any, arms: int, horizon: float, c: float, rate: float, every: float, ends: float
    ) -> None:
        """Begin the first episode."""
        memory[ARMS + ALL * arms] = levels_for(horizon / every, int(ends))
        begin(memory, arms, int(ends))

    @staticmethod
    def choose(
        memory: Any, arms: int, t: int, noise: Any, horizon: float, c: float, rate: float,
        every: float, ends: float,
    ) -> int:  # fmt: skip  # what is handed, then the fields
        """Play what was played longest ago, of the good arms and those to be checked."""
        found, oldest = 0, math.inf
        for k in range(arms):
            free = memory[of(arms, BAD, k)] > 0.0
            free = free and memory[of(arms, PLAYS, k)] >= memory[of(arms, UNTIL, k)]
            free = free and noise[k] < memory[of(arms, CALM, k)]
            if not free and memory[of(arms, LAST, k)] < oldest:
                found, oldest = k, memory[of(arms, LAST, k)]
        return found

    @staticmethod
    def learn(
        memory: Any, arms: int, t: int, arm: int, reward: float, noise: Any, horizon: float,
        c: float, rate: float, every: float, ends: float,
    ) -> None:  # fmt: skip  # what is handed, then the fields
        """Note the checks that begin and the play; when it is time, evict or start over."""
        for k in range(arms):
            if memory[of(arms, BAD, k)] > 0.0 and noise[k] >= memory[of(arms, CALM, k)]:
                length = check_length(memory, arms, k, noise[k], horizon, rate)
                until = memory[of(arms, PLAYS, k)] + length
                memory[of(arms, UNTIL, k)] = max(memory[of(arms, UNTIL, k)], until)
        memory[of(arms, PLAYS, arm)] += 1.0
        memory[of(arms, LAST, arm)] = t
        at = ARMS + ALL * arms
        memory[at + 1 + arm] += 1.0
        memory[at + 1 + arms + arm] += reward
        memory[OPEN] += 1.0
        if memory[OPEN] >= every:
            memory[OPEN] = 0.0
            close(memory, at, 2 * arms, int(ends))
            if changed(memory, arms, int(ends), math.log(horizon), c):
                begin(memory, arms, int(ends))
            else:
                evict(memory, arms, horizon, rate)


@compilable
def of(arms: int, row: int, k: int) -> int:
    """Return the place of what is kept of an arm."""
    return ARMS + row * arms + k


@compilable
def begin(memory: Any, arms: int, ends: int) -> None:
    """Begin an episode: every arm is good, and nothing is known of it."""
    memory[EPISODE] += 1.0
    memory[OPEN] = 0.0
    for k in range(arms):
        memory[of(arms, BAD, k)] = 0.0
        memory[of(arms, LOW, k)] = -math.inf
        memory[of(arms, HIGH, k)] = math.inf
    clear(memory, ARMS + ALL * arms, 2 * arms, ends)


@compilable
def chance(memory: Any, arms: int, d: float, horizon: float, rate: float) -> float:
    """Return the probability r d √(ℓ / (K T log T)) that a check of size d begins."""
    return min(1.0, rate * d * math.sqrt(memory[EPISODE] / (arms * horizon * math.log(horizon))))


@compilable
def finest(gap: float) -> float:
    """Return the least d = 2⁻ⁱ of at least gap / 16, or at most 1/2."""
    d = 0.5
    while 0.5 * d >= gap / 16.0:
        d *= 0.5
    return d


@compilable
def check_length(memory: Any, arms: int, k: int, u: float, horizon: float, rate: float) -> float:
    """Return the plays of the longest check that begins: others of the round end before it.

    Checks of all sizes begin or not, one by one; u says by inversion which is the longest.
    """
    d, calm = finest(memory[of(arms, GAP, k)]), 1.0
    while d < 0.5:
        calm *= 1.0 - chance(memory, arms, d, horizon, rate)
        if u >= calm:
            break
        d *= 2.0
    return math.floor(2.0 * math.log(horizon) / (d * d))


@compilable
def changed(memory: Any, arms: int, ends: int, log: float, c: float) -> bool:
    """Look at all stretches that end now: mark what is to be evicted, and say if an arm changed."""
    at, wide, found = ARMS + ALL * arms, 2 * arms, False
    for k in range(arms):
        memory[of(arms, COUNT, k)] = memory[of(arms, SUM, k)] = 0.0
    for level in range(int(memory[at])):
        first = level_at(at, level, wide, ends)
        for bucket in range(int(memory[first]) - 1, -1, -1):
            found = longer(memory, arms, first + 1 + bucket * wide, log) or found
            mark(memory, arms, c * log)
    for k in range(arms):
        parted = memory[of(arms, LOW, k)] > memory[of(arms, HIGH, k)]
        found = found or (parted and memory[of(arms, BAD, k)] != 1.0)
    return found


@compilable
def longer(memory: Any, arms: int, bucket: int, log: float) -> bool:
    """Add an older bucket to the stretch, with the bounds it gives; say if an evicted arm moved."""
    found = False
    for k in range(arms):
        if memory[bucket + k] > 0.0:
            memory[of(arms, COUNT, k)] += memory[bucket + k]
            memory[of(arms, SUM, k)] += memory[bucket + arms + k]
            count = memory[of(arms, COUNT, k)]
            mean, wide = memory[of(arms, SUM, k)] / count, math.sqrt(2.0 * log / count)
            if memory[of(arms, BAD, k)] == 1.0:
                apart = abs(mean - memory[of(arms, MEAN, k)])
                found = found or apart > 0.25 * memory[of(arms, GAP, k)] + wide
            else:
                memory[of(arms, LOW, k)] = max(memory[of(arms, LOW, k)], mean - wide)
                memory[of(arms, HIGH, k)] = min(memory[of(arms, HIGH, k)], mean + wide)
    return found


@compilable
def mark(memory: Any, arms: int, least: float) -> None:
    """Mark good arms (by 2) that the stretch shows to be worse than another good arm."""
    best = 0.0
    for k in range(arms):
        if memory[of(arms, BAD, k)] != 1.0 and memory[of(arms, COUNT, k)] > 0.0:
            best = max(best, memory[of(arms, SUM, k)] / memory[of(arms, COUNT, k)])
    for k in range(arms):
        count = memory[of(arms, COUNT, k)]
        if memory[of(arms, BAD, k)] != 1.0 and count >= 2.0:
            mean = memory[of(arms, SUM, k)] / count
            gap = best - mean
            if gap * gap * (count - 1.0) > least:
                memory[of(arms, BAD, k)] = 2.0
                memory[of(arms, MEAN, k)] = mean
                memory[of(arms, GAP, k)] = gap


@compilable
def evict(memory: Any, arms: int, horizon: float, rate: float) -> None:
    """Evict what is marked, with no check to be done."""
    for k in range(arms):
        if memory[of(arms, BAD, k)] == 2.0:
            memory[of(arms, BAD, k)] = 1.0
            memory[of(arms, UNTIL, k)] = memory[of(arms, PLAYS, k)]
            d, calm = finest(memory[of(arms, GAP, k)]), 1.0
            while d <= 0.5:
                calm *= 1.0 - chance(memory, arms, d, horizon, rate)
                d *= 2.0
            memory[of(arms, CALM, k)] = calm
