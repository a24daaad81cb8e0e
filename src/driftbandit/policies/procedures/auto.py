"""Auto: a policy without parameters."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from driftbandit.core.marking import compilable
from driftbandit.core.numerics import bernoulli_divergence
from driftbandit.policies.procedures.past import (
    GAP,
    PLAYS,
    ROOM,
    SUM,
    WIDE,
    append,
    drop,
    fade,
)
from driftbandit.policies.procedures.policy import Procedure

PRIOR = 0.1
"""Changes of an arm that are expected before any was found."""

SURE = 4.0
"""Log odds at which a change is taken as a fact."""

FELL = 0.5
"""What a fall counts as a sign that other arms may have risen; a rise counts 1."""

BUDGET = 0.6
"""Share of log t / kl, the plays that a bad arm gets anyway, that doubts may add at most."""

SEEN = 16.0
"""Plays that an arm must have for a doubt: one so far behind that it has fewer is not worth it."""

RECENT = 64.0
"""Doubts come from so many plays, at most: what came before has been judged often enough."""

RARELY, OFTEN = 64.0, 15.0
"""The leader is tested when its plays have grown by one part in so many, or after so many more."""

TINY = 1e-12
"""Means are kept so far from 0 and 1 where a logarithm is taken of them."""

FADED = 1e-9
"""Share of the plays below which those before a border have faded away."""

CHANGES, ALARMS, HEADS = range(3)
"""Changes found, falls counted less; all changes found; then what is kept of every arm."""

COUNT, TOTAL, LAST, DOUBT, SPENT, WAIT, HELD = range(7)
"""Of an arm: faded plays and rewards; the round of its last play; how much doubt a round without a
play adds; plays for doubt since its last change; plays until it is tested; how many buckets."""

MEAN, LOG_COUNT, ORDER, LOG_MEAN, LOG_REST, HEAD = range(7, 13)
"""What follows from these, so that a round needs few logarithms: X̄ = p, log N, and with p inside
(0, 1) p log p + (1 − p) log(1 − p), log p and log(1 − p). Then how many numbers these are."""


@dataclasses.dataclass(frozen=True)
class Auto(Procedure):
    """A policy without parameters: it knows neither the horizon nor how much the world changes.

    Rewards lie in [0, B], B = `bound`; they may stand still, jump or drift. N_i and X̄_i are plays
    and mean reward of arm i, as far as remembered, X* is the largest mean, kl the Bernoulli
    divergence.

    1. **Explore.** Play the arm with the least N_i kl(X̄_i, X*) + log N_i: the index of IMED, which
       needs no clock. The first term is the evidence against arm i.
    2. **Detect.** For every border s between plays of an arm, with n plays after it and g_s rounds
       without a play around it, the log odds of a change there are about
       GLR_s − ½ log(n + 1) + log(λ g_s), GLR_s the generalised likelihood ratio of a cut at s and
       λ = (0.1 + alarms) / t. Where they are above 4, what lies before the border is dropped. What
       lies after it stays, with odds / GLR_s of its weight: it must not tell more against the arm
       than the odds, which it was picked for. The leader is tested at least every 16 plays, other
       arms at every play.
    3. **Forget what was not looked at.** While an arm is not played, its N_i fades by e^(−h) a
       round, with h = (2/K)^(1/4) (rises + falls/2) / t, the rate of changes found so far. As long
       as none was found, nothing fades.
    4. **Doubt.** Of arms that are not the leader, the borders among the last 64 plays also tell how
       likely they are the best by now: q_i = (0.1/t) Σ_s g_s ∫_{X*}^1 L_s(θ) dθ / L, where L_s(θ)
       is the likelihood of what came after s if the mean is θ, and L that without a change. Added
       up over the rounds since the last play this is the doubt about arm i. It is multiplied by
       (1 − spent)², where spent is the share used up of a budget, 0.6 log t / kl(X̄_i, X*) plays
       since its last change; when it comes to 1, arm i is played in place of the leader. So a
       stationary world costs little more than it does anyway, and strong doubts are heard first.
       Arms with fewer than 16 plays are not doubted: they are too far behind.

    The past of an arm is kept in O(log N) buckets; memory is O(K log t), a round costs O(K), and
    O(log t) more to learn. Not a theorem but measured: docs/decisions/0014 has the figures, and
    what was tried and failed.

    Fails where an arm that looked bad for long gets better once in a very long time: exploring
    little while nothing changes is what it is made for, and the lower bound of Garivier & Moulines
    says that nobody can have both.

    Reference: IMED is Honda & Takemura 2015, *Non-asymptotic analysis of a new bandit algorithm for
    semi-bounded rewards*; the rest is of this library.

    >>> agent = Auto().agent(arms=["red", "blue"])
    >>> agent.learn("red", reward=0.0)
    >>> agent.choose()
    'blue'
    """

    label: str = dataclasses.field(default="Auto", kw_only=True)

    def memory(self, arms: int) -> int:
        """Return the room for heads and buckets."""
        return HEADS + arms * (HEAD + ROOM * WIDE)

    @staticmethod
    def choose(memory: Any, arms: int, t: int, noise: Any) -> int:
        """Play the least index or, in place of the leader, an arm in doubt."""
        leader = leading(memory, arms)
        if leader < 0:
            return untried(memory, arms)
        fading = fading_rate(memory, arms, t)
        least, found, most, doubted = math.inf, leader, 1.0, leader
        for k in range(arms):
            at = HEADS + k * HEAD
            idle = t - memory[at + LAST]
            faded = fading * (idle - 1.0)
            far = 0.0 if k == leader else behind(memory, k, leader)
            evidence = memory[at + COUNT] * far
            if faded > 0.0:
                evidence *= math.exp(-faded)
            index = evidence + memory[at + LOG_COUNT] - faded
            if index < least:
                least, found = index, k
            doubt = doubt_of(memory, k, far, t)
            if doubt >= most:
                most, doubted = doubt, k
        return doubted if found == leader else found

    @staticmethod
    def learn(memory: Any, arms: int, t: int, arm: int, reward: float, noise: Any) -> None:
        """Fade, remember, and ask whether the arm has changed."""
        at, leader = HEADS + arm * HEAD, leading(memory, arms)
        best = memory[HEADS + leader * HEAD + MEAN] if leader >= 0 else 1.0
        past, idle = past_of(arms, arm), t - memory[at + LAST]
        follows = leader >= 0 and leader != arm
        if follows and doubt_of(memory, arm, behind(memory, arm, leader), t) >= 1.0:
            memory[at + SPENT] += 1.0
        fading = fading_rate(memory, arms, t) * (idle - 1.0)
        if fading > 0.0:
            factor = math.exp(-fading)
            fade(memory, past, int(memory[at + HELD]), factor)
            memory[at + COUNT] *= factor
            memory[at + TOTAL] *= factor
        memory[at + COUNT] += 1.0
        memory[at + TOTAL] += reward
        memory[at + HELD] = append(memory, past, int(memory[at + HELD]), reward, idle)
        memory[at + LAST] = t
        memory[at + DOUBT] = 0.0
        memory[at + WAIT] -= 1.0
        if follows or memory[at + WAIT] < 0.0:
            memory[at + WAIT] = min(math.floor(memory[at + COUNT] / RARELY), OFTEN)
            best = min(max(best, TINY), 1.0 - TINY)
            memory[at + DOUBT] = judge(memory, arms, t, arm, best, follows)
        settle(memory, at)


@compilable
def past_of(arms: int, arm: int) -> int:
    """Return where the buckets of an arm begin."""
    return HEADS + arms * HEAD + arm * ROOM * WIDE


@compilable
def settle(memory: Any, at: int) -> None:
    """Work out what follows from plays and rewards."""
    mean = memory[at + TOTAL] / memory[at + COUNT]
    p = min(max(mean, TINY), 1.0 - TINY)
    memory[at + MEAN], memory[at + LOG_COUNT] = mean, math.log(memory[at + COUNT])
    memory[at + LOG_MEAN], memory[at + LOG_REST] = math.log(p), math.log(1.0 - p)
    memory[at + ORDER] = p * memory[at + LOG_MEAN] + (1.0 - p) * memory[at + LOG_REST]


@compilable
def behind(memory: Any, arm: int, leader: int) -> float:
    """Return kl(X̄_i, X*) of two arms."""
    at, top = HEADS + arm * HEAD, HEADS + leader * HEAD
    p = min(max(memory[at + MEAN], TINY), 1.0 - TINY)
    crossed = p * memory[top + LOG_MEAN] + (1.0 - p) * memory[top + LOG_REST]
    return max(memory[at + ORDER] - crossed, 0.0)  # type: ignore[no-any-return]


@compilable
def doubt_of(memory: Any, arm: int, far: float, t: int) -> float:
    """Return an arm's doubt so far; it weighs less the more of the budget is spent."""
    at = HEADS + arm * HEAD
    if memory[at + DOUBT] == 0.0 or memory[at + COUNT] < SEEN:
        return 0.0
    left = max(1.0 - (memory[at + SPENT] + 1.0) * far / (BUDGET * math.log(t)), 0.0)
    return memory[at + DOUBT] * (t - memory[at + LAST]) * left * left  # type: ignore[no-any-return]


@compilable
def leading(memory: Any, arms: int) -> int:
    """Return the arm with the largest mean, or −1 if one has not been tried."""
    leader, best = -1, -1.0
    for k in range(arms):
        at = HEADS + k * HEAD
        if memory[at + COUNT] == 0.0:
            return -1
        if memory[at + MEAN] > best:
            leader, best = k, memory[at + MEAN]
    return leader


@compilable
def untried(memory: Any, arms: int) -> int:
    """Return the first arm that has not been tried."""
    k = 0
    while k < arms - 1 and memory[HEADS + k * HEAD + COUNT] > 0.0:
        k += 1
    return k


@compilable
def fading_rate(memory: Any, arms: int, t: int) -> float:
    """Return how fast what is known of an arm fades while it is not played."""
    return math.sqrt(math.sqrt(2.0 / arms)) * memory[CHANGES] / t  # type: ignore[no-any-return]


@compilable
def judge(memory: Any, arms: int, t: int, arm: int, best: float, follows: bool) -> float:
    """Drop what lies before a change, if there is one; return how much doubt a round adds.

    Most borders need no logarithm, since kl(p, q) ≤ (p − q)² / (q (1 − q)).
    """
    at, past = HEADS + arm * HEAD, past_of(arms, arm)
    count, total = memory[at + COUNT], memory[at + TOTAL]
    mean, changes = min(max(total / count, TINY), 1.0 - TINY), PRIOR + memory[ALARMS]
    least = (SURE - math.log(changes)) * mean * (1.0 - mean)  # no gap is longer than t
    n = s = doubt = 0.0
    most, border, risen, trust = SURE, 0, False, 1.0
    for bucket in range(int(memory[at + HELD]) - 1, 0, -1):
        place = past + bucket * WIDE
        n, s, gap = n + memory[place + PLAYS], s + memory[place + SUM], memory[place + GAP]
        before, apart = count - n, s - n * mean
        doubts = follows and n < RECENT
        if before > FADED * count and (doubts or apart * apart * count > least * n * before):
            ratio = n * divergence(s / n, mean)
            ratio += before * divergence((total - s) / before, mean)
            odds = ratio - 0.5 * math.log(n + 1.0) + math.log(changes * gap / t)
            if odds > most:
                most, border, risen, trust = odds, bucket, apart > 0.0, odds / ratio
            if doubts:
                doubt += gap * above(ratio, n, s, best)
    if border > 0:
        restart(memory, arms, arm, border, risen, min(trust, 1.0))
    return PRIOR / t * doubt


@compilable
def divergence(mean: float, other: float) -> float:
    """Return kl, the first mean kept inside [0, 1] against rounding."""
    return bernoulli_divergence(min(max(mean, 0.0), 1.0), other)


@compilable
def above(ratio: float, n: float, s: float, best: float) -> float:
    """Return ∫ L(θ) dθ over means θ above the best, by Laplace, as a share of no change.

    The largest L(θ) there is e^(ratio − n kl⁺(s/n, best)). If it is at the best, L falls from there
    on with a slope of (n − s)/(1 − best) − s/best in its logarithm; if it is inside, its width is
    that of a normal law.
    """
    if s < best * n:
        largest = ratio - n * divergence(s / n, best)
        width = 1.0 / ((1.0 + n - s) / (1.0 - best) - s / best)
    else:
        largest, mean = ratio, (s + 0.5) / (n + 1.0)
        width = min(1.0 - best, math.sqrt(2.0 * math.pi * mean * (1.0 - mean) / (n + 1.0)))
    return math.exp(min(largest, 20.0)) * width


@compilable
def restart(memory: Any, arms: int, arm: int, border: int, risen: bool, trust: float) -> None:
    """Forget what an arm gave before a border, and count the change.

    What it gave after the border was picked because it is extreme, so it keeps a share of its
    weight only.
    """
    at, past = HEADS + arm * HEAD, past_of(arms, arm)
    held = drop(memory, past, int(memory[at + HELD]), border)
    fade(memory, past, held, trust)
    count = total = 0.0
    for bucket in range(held):
        count += memory[past + bucket * WIDE + PLAYS]
        total += memory[past + bucket * WIDE + SUM]
    memory[at + COUNT], memory[at + TOTAL], memory[at + HELD] = count, total, held
    memory[at + SPENT] = memory[at + WAIT] = 0.0
    memory[ALARMS] += 1.0
    memory[CHANGES] += 1.0 if risen else FELL
