"""The slow, obvious truth about late rewards: an index policy on the full history of decisions."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, log, nan, sqrt

from naive_explore import klucb_index

Memory = Callable[[list[float]], list[float]]
"""What is left of each decision, from the times of all of them, the last being now."""
Index = Callable[[float, float, float], float]
"""The index of an arm from its mean, its count, awaited plays included, and the clock."""

CLOSE = 1e-9
"""Indices that differ by less may be the same but for rounding."""


def full(times: list[float]) -> list[float]:
    """Forget nothing."""
    return [1.0 for _ in times]


def discount(gamma: float) -> Memory:
    """Weigh the decision of s rounds ago by γ^s."""
    return lambda times: [gamma**ago for ago in reversed(range(len(times)))]


def window(rounds: int) -> Memory:
    """Remember the last decisions."""
    return lambda times: [float(ago < rounds) for ago in reversed(range(len(times)))]


def half_life(seconds: float) -> Memory:
    """Weigh a decision by one half for every so many seconds since."""
    return lambda times: [0.5 ** ((times[-1] - at) / seconds) for at in times]


def time_window(seconds: float) -> Memory:
    """Remember the decisions of the last seconds."""
    return lambda times: [float(at > times[-1] - seconds) for at in times]


def ucb(mean: float, count: float, clock: float) -> float:
    """Return X̄ + √(ξ log n / N), with ξ = 1/2."""
    return mean + sqrt(0.5 * log(clock) / count)


def kl_ucb(mean: float, count: float, clock: float) -> float:
    """Return max {q : N kl(X̄, q) ≤ log n}."""
    return klucb_index(c=0.0, bound=1.0)(mean, 0.0, count, clock, [], 0)


@dataclass
class Decision:
    """A decision: its arm, when it was made, its reward once that has come, or that it was lost."""

    arm: int
    at: float
    reward: float | None = None
    rewards: list[float] = field(default_factory=list)
    lost: bool = False
    closed: bool = False


@dataclass
class Agent:
    """A memory × an index; everything is computed afresh."""

    memory: Memory
    index: Index
    arms: list[int]
    within: float
    default: float | None
    combine: str = "first"
    plays: list[Decision] = field(default_factory=list)
    fresh_after: dict[int, int] = field(default_factory=dict)
    now: float = -inf

    def known(self, arm: int) -> list[tuple[float, Decision]]:
        """Return the decisions for an arm that count, with what is left of each."""
        weights = self.memory([play.at for play in self.plays])
        plays = enumerate(zip(weights, self.plays, strict=True))
        fresh = self.fresh_after.get(arm, 0)
        return [
            (weight, play)
            for number, (weight, play) in plays
            if play.arm == arm and weight > 0.0 and number >= fresh and not play.lost
        ]

    def evidence(self, arm: int) -> tuple[float, float, float]:
        """Return mean and count of an arm, and the weight of its plays that await their reward."""
        plays = self.known(arm)
        came = [(weight, play.reward) for weight, play in plays if play.reward is not None]
        awaited = sum(weight for weight, play in plays if play.reward is None)
        count = sum(weight for weight, _ in came)
        total = sum(weight * reward for weight, reward in came)
        return (total / count if came else nan), count, awaited

    def index_of(self, arm: int) -> tuple[float, float]:
        """Return the index of an arm, and the weight of its plays that await their reward."""
        mean, count, awaited = self.evidence(arm)
        if not count:
            return (-inf if awaited else inf), awaited
        clock = sum(self.memory([play.at for play in self.plays]))
        return self.index(mean, count + awaited, max(clock, 1.0)), awaited

    def may_choose(self, eligible: list[int]) -> list[int]:
        """Return the arm never played, or all with the largest index, or the fewest awaited."""
        never = [arm for arm in eligible if not any(play.arm == arm for play in self.plays)]
        if never:
            return never[:1]
        rows = {arm: self.index_of(arm) for arm in eligible}
        best = max(index for index, _ in rows.values())
        if best == inf:
            return [arm for arm in eligible if rows[arm][0] == inf][:1]
        if best == -inf:
            fewest = min(awaited for _, awaited in rows.values())
            return [arm for arm in eligible if rows[arm][1] <= fewest * (1.0 + CLOSE)]
        return [arm for arm in eligible if rows[arm][0] >= best - CLOSE]

    def decide(self, arm: int, at: float) -> int:
        """Expire what is too old, and add a decision; return its number."""
        self.expire(at)
        self.plays.append(Decision(arm, self.now))
        return len(self.plays) - 1

    def reward(self, number: int, reward: float, at: float) -> None:
        """Take a reward that comes in time."""
        play = self.plays[number]
        play.rewards.append(reward)
        if self.combine == "first" and play.reward is None:
            play.reward = reward
        self.expire(at)

    def forsake(self, number: int) -> None:
        """Give up on a decision."""
        play = self.plays[number]
        play.closed, play.lost = True, play.reward is None

    def expire(self, now: float) -> None:
        """Close every decision that is older than it may be; no time goes back."""
        self.now = max(self.now, now)
        for play in self.plays:
            if play.closed or play.at + self.within >= now:
                continue
            play.closed = True
            if play.reward is None:
                total = {"last": play.rewards[-1:], "sum": [sum(play.rewards)]}.get(
                    self.combine, []
                )
                play.reward = total[0] if play.rewards and total else self.default
                play.lost = play.reward is None
