"""Auto: a policy that needs no parameters."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar, Self

from driftbandit.core.domain import NonNegative
from driftbandit.core.errors import whole
from driftbandit.core.marking import compilable
from driftbandit.core.state import State
from driftbandit.policies.presets.tuned import takes_all_facts
from driftbandit.policies.procedures.detecting import TINY, judge
from driftbandit.policies.procedures.looking_back import OVERDUE, look, urge
from driftbandit.policies.procedures.past import PAST, append, fade
from driftbandit.policies.procedures.policy import Procedure

RARELY, OFTEN = 64.0, 15.0
"""The leader is tested when its plays have grown by one part in RARELY, or after OFTEN more."""

GUARDED = 0.6
"""The weight of log N in the index if Auto looks back. An arm that is the best is left by bad luck
with a chance of about T^(−w), which costs T^(1 − w): no more than looks, √T, if w is at least ½."""

HASTE = 2.0
"""How many times as fast counts fade if Auto looks back: with less weight on log N, an arm is
explored again when its evidence has faded to less."""


@dataclasses.dataclass(frozen=True)
class Auto(Procedure):
    """A policy that needs no parameters: neither the horizon nor how much the world changes.

    Rewards lie in [0, B], B = `bound`; they may stand still, jump or drift. N_i and X̄_i are plays
    and mean reward of arm i over B, as far as remembered, X* is the largest mean, kl the Bernoulli
    divergence. A reward of arm i counts for s_i = 1 + Σ x (1 − x) / (1 + Σ (x − X̄_i)²) coins, about
    p (1 − p) / σ²: 1 for coins, and more for rewards that vary less. All evidence is multiplied by
    it.

    1. **Explore.** Play the arm with the least s_i N_i kl(X̄_i, X*) + w log N_i: with w = 1 the
       index of IMED, which needs no clock. The first term is the evidence against arm i. w is 0.6,
       since looks find an arm that was left too early.
    2. **Detect.** For every border s between plays of an arm, with n plays after it and g_s rounds
       without a play around it, the log odds of a change there are about
       GLR_s − ½ log(n + 1) + log(λ g_s), GLR_s the generalised likelihood ratio of a cut at s and
       λ = (0.1 + alarms) / t. Where they are above 4, what lies before the border is dropped. What
       lies after it stays, with odds / GLR_s of its weight: it was picked for these odds, and must
       not count for more than they say. The leader is tested at least every 16 plays, other arms at
       every play.
    3. **Forget what was not looked at.** While an arm is not played, its N_i fades by e^(−h)
       per round, with h = (2/K)^(1/4) (2 rises + falls) / t, by the changes detected so far. Before
       the first one, nothing fades.
    4. **Look back.** An arm that is not the leader is played again when it has been idle for
       √(K t max((X* − X̄_i) / (1 − X*), 1/10)) / v rounds, v = `vigilance`: the optimum between what
       a look costs and what a rise, as likely now as ever, would be worth. The look goes on while
       the log likelihood ratio of "good again" (the mean X* + 0.15 (1 − X*)) against "as it
       was" is above zero. While the index prefers an arm that is not the leader, no look begins
       before the arm has been idle for twice that time.

    The past of an arm is kept in O(log N) buckets; memory is O(K log t), a round costs O(K), and
    O(log t) more to learn. There is no theorem about it: docs/decisions/0014 has measurements, and
    what was tried and failed.

    Where rewards come late, a play whose reward is awaited counts in N_i, and as a failure in the
    evidence against an arm that is not the leader, and in that of a look (docs/decisions/0021).

    Parameter: `vigilance`, v ≥ 0, the regret that looking back may add where nothing changes, as a
    share of B √(KT), what is unavoidable if anything may change. With 0 it does not look back,
    which is best if arms that were left stay bad; w is 1 then, and h half as large.

    Fails where rewards answer what is played, and where many arms rise by little for a short time.

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
        "count", "total", "last", "learned", "pending", "wait",
        "watch", "was", "left", "squares", "mixed", "sharpness",
        "mean", "size", "log_size", "negentropy", "log_mean", "log_rest",
    )  # fmt: skip  # one line for what is learned, one for what follows from it
    """Faded plays and rewards; the round of the last play, and of the last one that was learned;
    plays whose reward has not come; plays until the next test. Of a look: the evidence so far, the
    mean before it, how many more plays it may take. Sums of (x − X̄_i)² and of x (1 − x), and what
    they say: for how many coins a reward counts.

    What follows from these, so that a round needs few logarithms: X̄ = p, N with pending plays and
    its logarithm, and with p inside (0, 1) p log p + (1 − p) log(1 − p), log p and log(1 − p)."""

    per_arm: ClassVar[bool] = True

    room_state = PAST
    """The past of an arm, apart from what every round reads of every arm: with 1,000 arms, reading
    is twice as fast if those numbers lie close together."""

    vigilance: NonNegative = 0.2

    label: str = dataclasses.field(default="Auto", kw_only=True)

    def room(self, arms: int) -> int:
        """Return one past per arm."""
        return arms

    @classmethod
    @takes_all_facts
    def tuned(cls, breakpoints: int, bound: float = 1.0, label: str = "Auto") -> Self:
        """Return v = √Υ / 5 for Υ rises of an arm that are expected, at least 0 of them.

        A look is worth √Υ times as many if rises are Υ times as likely.

        >>> Auto.tuned(breakpoints=4).vigilance, Auto.tuned(breakpoints=0).vigilance
        (0.4, 0.0)
        """
        rises = whole("breakpoints", breakpoints, least=0)
        return cls(math.sqrt(rises) / 5.0, bound=bound, label=label)

    @staticmethod
    def choose(state: Any, arms: int, t: int, noise: Any, vigilance: float) -> int:
        """Return the arm with the least index or, in place of the leader, one to look at."""
        leader = leading(state, arms)
        if leader < 0:
            return untried(state, arms)
        fading, top = fading_rate(state, arms, t, vigilance), state.arm[leader]
        weight = GUARDED if vigilance > 0.0 else 1.0
        favourite, least = leader, weight * (top.log_size - fading * (t - top.last - 1.0))
        watched, most = leader, 1.0
        for k in range(arms):
            if k == leader:
                continue
            arm = state.arm[k]
            idle, far = t - arm.last, behind(arm, top)
            worst = far if arm.pending == 0.0 else behind_at_worst(arm, top)
            index = index_of(arm, worst, fading * (idle - 1.0), weight, least)
            if index < least or (index == least and k < favourite):
                favourite, least = k, index
            if vigilance > 0.0:
                need = urge(arm, top.mean, arms, t, idle, vigilance)
                if need >= most:
                    watched, most = k, need
        return watched if favourite == leader or most >= OVERDUE else favourite

    @staticmethod
    def learn(
        state: Any, arms: int, t: int, arm: int, reward: float, noise: Any, vigilance: float
    ) -> None:
        """Fade the arm's past, add the play, and test whether the arm has changed."""
        record, past, leader = state.arm[arm], state.room[arm], leading(state, arms)
        best = state.arm[leader].mean if leader >= 0 else 1.0
        idle, follows = max(t - record.learned, 1.0), leader >= 0 and leader != arm
        if follows:
            due = urge(record, best, arms, t, idle, vigilance) >= 1.0
            look(record, best, reward, due)
        else:
            record.watch = 0.0
        vary(record, reward)
        fading = fading_rate(state, arms, t, vigilance) * (idle - 1.0)
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
        record.wait -= 1.0
        if follows or record.wait < 0.0:
            record.wait = min(math.floor(record.count / RARELY), OFTEN)
            judge(state.run, record, past, t)
        settle(record)

    @staticmethod
    def decide(state: Any, arms: int, t: int, arm: int, vigilance: float) -> None:
        """Count a play whose reward comes later."""
        record = state.arm[arm]
        record.last = t
        record.pending += 1.0
        resize(record)

    @staticmethod
    def forsake(state: Any, arms: int, t: int, arm: int, vigilance: float) -> None:
        """Count the play no longer."""
        record = state.arm[arm]
        record.pending = max(record.pending - 1.0, 0.0)
        resize(record)


@compilable
def vary(arm: Any, reward: float) -> None:
    """Learn how much the rewards of an arm vary.

    A coin has x (1 − x) = 0, so its sharpness is 1; that of other rewards estimates
    p (1 − p) / σ², from below while there are few.
    """
    if arm.count > 0.0:
        apart = reward - arm.total / arm.count
        arm.squares += apart * apart
        arm.mixed += reward * (1.0 - reward)
    arm.sharpness = 1.0 + arm.mixed / (1.0 + arm.squares)


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
    """Return s_i kl(X̄_i, X*) of an arm and the leader."""
    p = min(max(arm.mean, TINY), 1.0 - TINY)
    crossed = p * leader.log_mean + (1.0 - p) * leader.log_rest
    return arm.sharpness * max(arm.negentropy - crossed, 0.0)  # type: ignore[no-any-return]  # a float


@compilable
def behind_at_worst(arm: Any, leader: Any) -> float:
    """Return s_i kl of an arm and the leader if all that the arm awaits brings nothing."""
    p = min(max(arm.total / arm.size, TINY), 1.0 - TINY)
    negentropy = p * math.log(p) + (1.0 - p) * math.log(1.0 - p)
    crossed = p * leader.log_mean + (1.0 - p) * leader.log_rest
    return arm.sharpness * max(negentropy - crossed, 0.0)  # type: ignore[no-any-return]  # a float


@compilable
def index_of(arm: Any, far: float, faded: float, weight: float, least: float) -> float:
    """Return the index of an arm, or ∞ if it is surely above the least one so far.

    e^(−x) is at least (1 − x/4)⁴, which is sooner computed.
    """
    evidence, plays = arm.size * far, weight * (arm.log_size - faded)
    if faded > 0.0:
        root = max(1.0 - 0.25 * faded, 0.0)
        share = root * root
        bound = evidence * share * share + plays
        if bound - least > TINY * (1.0 + evidence + faded):
            return math.inf
        evidence *= math.exp(-faded)
    return evidence + plays  # type: ignore[no-any-return]  # a float


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
def fading_rate(state: Any, arms: int, t: int, vigilance: float) -> float:
    """Return h, how fast the past of an arm fades while it is not played."""
    rate = math.sqrt(math.sqrt(2.0 / arms)) * state.run.changes / t
    return HASTE * rate if vigilance > 0.0 else rate  # type: ignore[no-any-return]  # a float
