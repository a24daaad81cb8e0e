"""AdSwitch."""

from __future__ import annotations

import dataclasses
import math
from typing import Annotated, Any

from driftbandit.core.domain import Count, NonNegative, Positive, Whole
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

GOOD, EVICTED, MARKED = 0.0, 1.0, 2.0
"""What an arm can be; a marked one is still good, and evicted unless an episode begins."""


@dataclasses.dataclass(frozen=True)
class AdSwitch(Procedure):
    """AdSwitch: play the good arms in turn, evict the worse, and check the evicted now and then.

    An episode ℓ begins with all arms good. Each round plays the arm that was played longest ago, of
    those that are good or have a check to be done. Means X̄ and plays N are those of rounds s to t
    of the episode, for any s.

    - A good arm is evicted if some good arm's X̄ exceeds its own by √(c log T / (N − 1)), N ≥ 2. Of
      all such s the first counts; its X̄ and gap are μ̃ and Δ̃.
    - For an evicted arm and every d = 2⁻ⁱ ≥ Δ̃ / 16, a check of ⌊2 log T / d²⌋ plays begins with
      probability r d √(ℓ / (K T log T)) per round.
    - A new episode begins if for an evicted arm |X̄ − μ̃| > Δ̃/4 + √(2 log T / N), or if for a good
      arm two stretches, one of which ends now, have means further apart than the sum of their
      √(2 log T / N): if the largest lower bound on its mean has passed the least upper one.

    T is `horizon`; `c` is above 16 in the proof and 1 in experiments; r is `rate`, 1 in the paper.
    Tests are made every `every` rounds, for s at the borders of buckets of rounds that get longer
    with age: `ends` to twice as many of each length (`procedures.history`). With `every=1` and
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

    run_state = State("episode", "levels", "rounds", held=LEVELS)
    """The number of the episode, and the history of its rounds."""

    arm_state = State(
        "last", "plays", "until", "status", "mean", "gap", "calm", "low", "high", "count", "total"
    )
    """The last round with a play and the number of plays; up to which play it is checked; whether
    it is good or evicted, its mean and gap when it was evicted, and the probability that no check
    begins in a round; the largest lower and least upper bound on its mean; plays and rewards of a
    stretch that ends now."""

    label: str = dataclasses.field(default="AdSwitch", kw_only=True)
    horizon: Annotated[int, Whole(least=2)]
    c: Positive = 1.0
    rate: NonNegative = 1.0
    every: Count = 5
    ends: Annotated[int, Whole(least=2, even=True)] = 8

    def room(self, arms: int) -> int:
        """Return the numbers of the history: plays of all arms, then their rewards."""
        return size(levels_for(self.horizon / self.every, self.ends), 2 * arms, self.ends)

    def draws(self, arms: int) -> int:
        """Return one per arm: does a check of it begin?"""
        return arms

    @staticmethod
    def start(
        state: Any, arms: int, horizon: float, c: float, rate: float, every: float, ends: float
    ) -> None:
        """Begin the first episode."""
        state.run.levels = float(levels_for(horizon / every, int(ends)))
        begin(state, arms)

    @staticmethod
    def choose(
        state: Any, arms: int, t: int, noise: Any, horizon: float, c: float, rate: float,
        every: float, ends: float,
    ) -> int:  # fmt: skip  # what is handed, then the fields
        """Play the arm played longest ago, of the good ones and those to be checked."""
        choice, oldest = 0, math.inf
        for k in range(arms):
            arm = state.arm[k]
            idle = arm.status == EVICTED and arm.plays >= arm.until and noise[k] < arm.calm
            if not idle and arm.last < oldest:
                choice, oldest = k, arm.last
        return choice

    @staticmethod
    def learn(
        state: Any, arms: int, t: int, arm: int, reward: float, noise: Any, horizon: float,
        c: float, rate: float, every: float, ends: float,
    ) -> None:  # fmt: skip  # what is handed, then the fields
        """Note the checks that begin and the play; when a bucket closes, evict or start over."""
        run, room, played = state.run, state.room, state.arm[arm]
        for k in range(arms):
            if state.arm[k].status == EVICTED and noise[k] >= state.arm[k].calm:
                begin_check(state.arm[k], noise[k], run.episode, arms, horizon, rate)
        played.plays += 1.0
        played.last = t
        bucket = open_at(run, 2 * arms)
        room[bucket + arm] += 1.0
        room[bucket + arms + arm] += reward
        if end_round(run, room, 2 * arms, int(ends), every):
            if changed(state, arms, int(ends), math.log(horizon), c):
                begin(state, arms)
            else:
                evict(state, arms, horizon, rate)


@compilable
def begin(state: Any, arms: int) -> None:
    """Begin an episode: every arm is good, and nothing is known about it."""
    state.run.episode += 1.0
    for k in range(arms):
        arm = state.arm[k]
        arm.status = GOOD
        arm.low = -math.inf
        arm.high = math.inf
    clear(state.run, state.room, 2 * arms)


@compilable
def chance(d: float, episode: float, arms: int, horizon: float, rate: float) -> float:
    """Return the probability r d √(ℓ / (K T log T)) that a check of size d begins."""
    return min(1.0, rate * d * math.sqrt(episode / (arms * horizon * math.log(horizon))))


@compilable
def finest(gap: float) -> float:
    """Return the least d = 1/2, 1/4, … that is at least gap / 16, and 1/2 if none is."""
    d = 0.5
    while 0.5 * d >= gap / 16.0:
        d *= 0.5
    return d


@compilable
def begin_check(arm: Any, u: float, episode: float, arms: int, horizon: float, rate: float) -> None:
    """Begin the longest check that is drawn: the others of the round end before it.

    Each size is drawn independently; inversion of the uniform number u gives the longest check.
    """
    d, calm = finest(arm.gap), 1.0
    while d < 0.5:
        calm *= 1.0 - chance(d, episode, arms, horizon, rate)
        if u >= calm:
            break
        d *= 2.0
    length = math.floor(2.0 * math.log(horizon) / (d * d))
    arm.until = max(arm.until, arm.plays + length)


@compilable
def changed(state: Any, arms: int, ends: int, log: float, c: float) -> bool:
    """Test all stretches that end now: mark the arms to evict, and say whether an arm changed."""
    run, change = state.run, False
    for k in range(arms):
        state.arm[k].count = state.arm[k].total = 0.0
    for level in range(int(run.levels)):
        for bucket in range(int(run.held[level]) - 1, -1, -1):
            first = bucket_at(level, bucket, 2 * arms, ends)
            change = lengthen(state, arms, first, log) or change
            mark(state, arms, c * log)
    for k in range(arms):
        arm = state.arm[k]
        change = change or (arm.low > arm.high and arm.status != EVICTED)
    return change


@compilable
def lengthen(state: Any, arms: int, bucket: int, log: float) -> bool:
    """Add an older bucket to the stretch and its bounds; say whether an evicted arm has moved."""
    room, moved = state.room, False
    for k in range(arms):
        if room[bucket + k] > 0.0:
            arm = state.arm[k]
            arm.count += room[bucket + k]
            arm.total += room[bucket + arms + k]
            mean, width = arm.total / arm.count, math.sqrt(2.0 * log / arm.count)
            if arm.status == EVICTED:
                moved = moved or abs(mean - arm.mean) > 0.25 * arm.gap + width
            else:
                arm.low = max(arm.low, mean - width)
                arm.high = min(arm.high, mean + width)
    return moved


@compilable
def mark(state: Any, arms: int, least: float) -> None:
    """Mark the good arms that are worse than another good arm over the stretch."""
    best = 0.0
    for k in range(arms):
        arm = state.arm[k]
        if arm.status != EVICTED and arm.count > 0.0:
            best = max(best, arm.total / arm.count)
    for k in range(arms):
        arm = state.arm[k]
        if arm.status != EVICTED and arm.count >= 2.0:
            mean = arm.total / arm.count
            gap = best - mean
            if gap * gap * (arm.count - 1.0) > least:
                arm.status = MARKED
                arm.mean = mean
                arm.gap = gap


@compilable
def evict(state: Any, arms: int, horizon: float, rate: float) -> None:
    """Evict the marked arms, with no check to be done."""
    for k in range(arms):
        arm = state.arm[k]
        if arm.status == MARKED:
            arm.status = EVICTED
            arm.until = arm.plays
            d, calm = finest(arm.gap), 1.0
            while d <= 0.5:
                calm *= 1.0 - chance(d, state.run.episode, arms, horizon, rate)
                d *= 2.0
            arm.calm = calm
