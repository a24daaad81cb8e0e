"""Auto: a policy without parameters."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar

from driftbandit.core.marking import compilable
from driftbandit.core.state import State
from driftbandit.policies.procedures.past import PAST, append, drop, fade
from driftbandit.policies.procedures.policy import Procedure

PRIOR = 0.1
"""Changes of an arm that are expected before the first one is detected."""

SURE = 4.0
"""Log odds above which a change is taken as a fact."""

FELL = 0.5
"""How much a fall counts as a sign that other arms may have risen; a rise counts 1."""

BUDGET = 0.6
"""Plays that doubts may add at most, as a share of log t / kl, what a bad arm gets anyway."""

SEEN = 16.0
"""Plays that an arm must have to be doubted: one with fewer is too far behind to be worth it."""

RECENT = 64.0
"""Doubts come from so many recent plays, at most: earlier ones have been judged often enough."""

RARELY, OFTEN = 64.0, 15.0
"""The leader is tested when its plays have grown by one part in RARELY, or after OFTEN more."""

TINY = 1e-12
"""Distance from 0 and 1 that a mean has, at least, before its logarithm is taken."""

FADED = 1e-9
"""Share of all plays below which the plays before a border have faded away."""


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
       lies after it stays, with odds / GLR_s of its weight: it was picked for these odds, and must
       not count for more than they say. The leader is tested at least every 16 plays, other arms at
       every play.
    3. **Forget what was not looked at.** While an arm is not played, its N_i fades by e^(−h)
       per round, with h = (2/K)^(1/4) (rises + falls/2) / t, the rate of changes detected so far.
       Before the first one, nothing fades.
    4. **Doubt.** For an arm that is not the leader, the borders among its last 64 plays also say
       how likely it is the best by now: q_i = (0.1/t) Σ_s g_s ∫_{X*}^1 L_s(θ) dθ / L, where L_s(θ)
       is the likelihood of the rewards after s if their mean is θ, and L that without a change. Its
       sum over the rounds since the last play is the doubt about arm i. It is multiplied by
       (1 − spent)², where spent is the used share of a budget, 0.6 log t / kl(X̄_i, X*) plays since
       the last change of the arm; when it reaches 1, arm i is played in place of the leader. So a
       stationary world costs little more than it does anyway, and strong doubts come first. Arms
       with fewer than 16 plays are not doubted: they are too far behind.

    The past of an arm is kept in O(log N) buckets; memory is O(K log t), a round costs O(K), and
    O(log t) more to learn. There is no theorem about it: docs/decisions/0014 has measurements, and
    what was tried and failed.

    Where rewards come late, a play whose reward is awaited counts in N_i, and as a failure in the
    evidence against an arm that is not the leader; a doubt goes on while plays for it are under
    way (docs/decisions/0021).

    Fails where an arm that looked bad for long gets better once in a very long time: exploring
    little while nothing changes is what it is made for, and the lower bound of Garivier & Moulines
    says that no policy can have both.

    Reference: IMED is Honda & Takemura 2015, *Non-asymptotic analysis of a new bandit algorithm for
    semi-bounded rewards*; the rest is this library's own.

    >>> agent = Auto().agent(arms=["red", "blue"])
    >>> agent.learn("red", reward=0.0)
    >>> agent.choose()
    'blue'
    """

    run_state = State("changes", "alarms")
    """Changes so far, a fall counting FELL; alarms so far: changes of both kinds."""

    arm_state = State(
        "count", "total", "last", "learned", "pending", "doubt", "spent", "wait",
        "mean", "size", "log_size", "negentropy", "log_mean", "log_rest",
    )  # fmt: skip  # one line for what is learned, one for what follows from it
    """Faded plays and rewards; the round of the last play, and of the last one that was learned;
    plays whose reward has not come; the doubt that each round without a play adds; plays for doubt
    since the last change; plays until the next test.

    What follows from these, so that a round needs few logarithms: X̄ = p, N with pending plays and
    its logarithm, and with p inside (0, 1) p log p + (1 − p) log(1 − p), log p and log(1 − p)."""

    per_arm: ClassVar[bool] = True

    room_state = PAST
    """The past of an arm, apart from what every round reads of every arm: with 1,000 arms, reading
    is twice as fast if those numbers lie close together."""

    label: str = dataclasses.field(default="Auto", kw_only=True)

    def room(self, arms: int) -> int:
        """Return one past per arm."""
        return arms

    @staticmethod
    def choose(state: Any, arms: int, t: int, noise: Any) -> int:
        """Return the arm with the least index or, in place of the leader, an arm in doubt."""
        leader = leading(state, arms)
        if leader < 0:
            return untried(state, arms)
        fading, top = fading_rate(state, arms, t), state.arm[leader]
        least, favourite, most, doubted = math.inf, leader, 1.0, leader
        budget = BUDGET * math.log(t)
        for k in range(arms):
            arm = state.arm[k]
            idle = t - arm.last
            faded = fading * (idle - 1.0)
            far = 0.0 if k == leader else behind(arm, top)
            worst = far if k == leader or arm.pending == 0.0 else behind_at_worst(arm, top)
            evidence = arm.size * worst
            if faded > 0.0:
                evidence *= math.exp(-faded)
            index = evidence + arm.log_size - faded
            if index < least:
                least, favourite = index, k
            doubt = doubt_of(arm, far, t, budget)
            if doubt >= most:
                most, doubted = doubt, k
        return doubted if favourite == leader else favourite

    @staticmethod
    def learn(state: Any, arms: int, t: int, arm: int, reward: float, noise: Any) -> None:
        """Fade the arm's past, add the play, and test whether the arm has changed."""
        record, past, leader = state.arm[arm], state.room[arm], leading(state, arms)
        best = state.arm[leader].mean if leader >= 0 else 1.0
        idle, follows = max(t - record.learned, 1.0), leader >= 0 and leader != arm
        if follows:
            far, budget = behind(record, state.arm[leader]), BUDGET * math.log(t)
            record.spent += 1.0 if doubt_of(record, far, t, budget) >= 1.0 else 0.0
        fading = fading_rate(state, arms, t) * (idle - 1.0)
        if fading > 0.0:
            factor = math.exp(-fading)
            fade(past, factor)
            record.count *= factor
            record.total *= factor
        record.count += 1.0
        record.total += reward
        append(past, reward, idle)
        record.learned = max(record.learned, t)
        record.last = max(record.last, t)
        record.doubt = 0.0
        record.wait -= 1.0
        if follows or record.wait < 0.0:
            record.wait = min(math.floor(record.count / RARELY), OFTEN)
            best = min(max(best, TINY), 1.0 - TINY)
            record.doubt = judge(state.run, record, past, t, best, follows)
        settle(record)

    @staticmethod
    def decide(state: Any, arms: int, t: int, arm: int) -> None:
        """Count a play whose reward comes later; the doubt begins anew, as strong as before."""
        record, leader = state.arm[arm], leading(state, arms)
        if leader >= 0 and leader != arm:
            far, budget = behind(record, state.arm[leader]), BUDGET * math.log(t)
            doubted = doubt_of(record, far, t, budget) >= 1.0
            record.spent += 1.0 / (1.0 + record.pending) if doubted else 0.0
        record.last = t
        record.pending += 1.0
        resize(record)

    @staticmethod
    def forsake(state: Any, arms: int, t: int, arm: int) -> None:
        """Count the play no longer."""
        record = state.arm[arm]
        record.pending = max(record.pending - 1.0, 0.0)
        resize(record)


@compilable
def settle(arm: Any) -> None:
    """Compute what follows from plays and rewards."""
    mean = arm.total / arm.count
    p = min(max(mean, TINY), 1.0 - TINY)
    arm.mean, arm.size = mean, arm.count + arm.pending
    arm.log_size = math.log(arm.size)
    arm.log_mean, arm.log_rest = math.log(p), math.log(1.0 - p)
    arm.negentropy = p * arm.log_mean + (1.0 - p) * arm.log_rest


def resize(arm: Any) -> None:
    """Count pending plays in N; an arm that awaits its first reward neither leads nor is played."""
    arm.size = arm.count + arm.pending
    if arm.count == 0.0:
        arm.mean = -2.0 if arm.pending else 0.0
        arm.log_size = math.inf
    else:
        arm.log_size = math.log(arm.size)


@compilable
def behind(arm: Any, leader: Any) -> float:
    """Return kl(X̄_i, X*) of an arm and the leader."""
    p = min(max(arm.mean, TINY), 1.0 - TINY)
    crossed = p * leader.log_mean + (1.0 - p) * leader.log_rest
    return max(arm.negentropy - crossed, 0.0)  # type: ignore[no-any-return]  # a float


@compilable
def behind_at_worst(arm: Any, leader: Any) -> float:
    """Return kl of an arm and the leader if all that the arm awaits brings nothing."""
    p = min(max(arm.total / arm.size, TINY), 1.0 - TINY)
    negentropy = p * math.log(p) + (1.0 - p) * math.log(1.0 - p)
    crossed = p * leader.log_mean + (1.0 - p) * leader.log_rest
    return max(negentropy - crossed, 0.0)  # type: ignore[no-any-return]  # a float


@compilable
def doubt_of(arm: Any, far: float, t: int, budget: float) -> float:
    """Return the doubt about an arm so far; it weighs less the more of the budget is spent."""
    if arm.doubt == 0.0 or arm.count < SEEN:
        return 0.0
    left = max(1.0 - (arm.spent + 1.0) * far / budget, 0.0)
    return arm.doubt * (t - arm.last) * left * left  # type: ignore[no-any-return]  # a float


@compilable
def leading(state: Any, arms: int) -> int:
    """Return the arm with the largest mean, or −1 if one was not tried yet or none is known."""
    leader, best = -1, -1.0
    for k in range(arms):
        arm = state.arm[k]
        if arm.size == 0.0:
            return -1
        if arm.mean > best:
            leader, best = k, arm.mean
    return leader


@compilable
def untried(state: Any, arms: int) -> int:
    """Return the arm with the fewest plays, the first of equals: one that was not tried yet."""
    fewest = 0
    for k in range(1, arms):
        if state.arm[k].size < state.arm[fewest].size:
            fewest = k
    return fewest


@compilable
def fading_rate(state: Any, arms: int, t: int) -> float:
    """Return h, how fast the past of an arm fades while it is not played."""
    rate = math.sqrt(math.sqrt(2.0 / arms)) * state.run.changes / t
    return rate  # type: ignore[no-any-return]  # a float


@compilable
def judge(run: Any, arm: Any, past: Any, t: int, best: float, follows: bool) -> float:
    """Drop the past before a change, if there is one; return the doubt that each round adds.

    Most borders need no logarithm, since kl(p, q) ≤ (p − q)² / (q (1 − q)), and as no gap is longer
    than t, those with a small ratio need none for the odds.
    """
    count, total, plays, sums, gaps = arm.count, arm.total, past.plays, past.sums, past.gaps
    mean, changes = min(max(total / count, TINY), 1.0 - TINY), PRIOR + run.alarms
    surest, whole = SURE - math.log(changes), log_likelihood(total, count)
    least, log_best, log_rest = surest * mean * (1.0 - mean), math.log(best), math.log(1.0 - best)
    n = s = doubt = 0.0
    most, border, risen, trust = SURE, 0, False, 1.0
    for bucket in range(int(past.held) - 1, 0, -1):
        n, s, gap = n + plays[bucket], s + sums[bucket], gaps[bucket]
        before, apart = count - n, s - n * mean
        doubts = follows and n < RECENT
        if before > FADED * count and (doubts or apart * apart * count > least * n * before):
            after = log_likelihood(s, n)
            ratio = after + log_likelihood(total - s, before) - whole
            if ratio > surest:
                odds = ratio - 0.5 * math.log(n + 1.0) + math.log(changes * gap / t)
                if odds > most:
                    most, border, risen, trust = odds, bucket, apart > 0.0, odds / ratio
            if doubts:
                behind_best = after - s * log_best - (n - s) * log_rest
                doubt += gap * above(ratio, behind_best, n, s, best)
    if border > 0:
        restart(run, arm, past, border, risen, min(trust, 1.0))
    return PRIOR / t * doubt


@compilable
def log_likelihood(total: float, count: float) -> float:
    """Return n (p log p + (1 − p) log(1 − p)), the log likelihood of n rewards with the mean p.

    0 log 0 is 0, and rounding may put p outside [0, 1].
    """
    p = total / count
    ones = total * math.log(p) if p > 0.0 else 0.0
    return ones + ((count - total) * math.log(1.0 - p) if p < 1.0 else 0.0)


@compilable
def above(ratio: float, behind_best: float, n: float, s: float, best: float) -> float:
    """Return ∫ L(θ) dθ over means θ above the best, by Laplace, as a share of no change.

    The largest L(θ) there is e^(ratio − n kl⁺(s/n, best)); `behind_best` is n kl(s/n, best). If it
    is at θ = best, log L falls from there with a slope of (n − s)/(1 − best) − s/best; if it is
    further up, its width is that of a normal law.
    """
    if s < best * n:
        largest = ratio - behind_best
        width = 1.0 / ((1.0 + n - s) / (1.0 - best) - s / best)
    else:
        largest, mean = ratio, (s + 0.5) / (n + 1.0)
        width = min(1.0 - best, math.sqrt(2.0 * math.pi * mean * (1.0 - mean) / (n + 1.0)))
    return math.exp(min(largest, 20.0)) * width


@compilable
def restart(run: Any, arm: Any, past: Any, border: int, risen: bool, trust: float) -> None:
    """Forget the rewards of an arm before a border, and count the change.

    Those after the border were picked because they are extreme, so they keep only a share of their
    weight.
    """
    drop(past, border)
    fade(past, trust)
    count = total = 0.0
    for bucket in range(int(past.held)):
        count += past.plays[bucket]
        total += past.sums[bucket]
    arm.count, arm.total = count, total
    arm.spent = arm.wait = 0.0
    run.alarms += 1.0
    run.changes += 1.0 if risen else FELL
