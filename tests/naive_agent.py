"""The slow, obvious truth about late rewards: an index policy on the full history of decisions."""

from dataclasses import dataclass, field
from math import inf, log, sqrt

from naive import Rule, weights_and_clock


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
    """Forgetting by a factor and a span × UCB, with ξ = 1/2; everything is computed afresh."""

    factor: Rule
    span: Rule
    arms: list[int]
    within: float
    default: float | None
    combine: str = "first"
    plays: list[Decision] = field(default_factory=list)
    unknown_before: dict[int, int] = field(default_factory=dict)

    def index(self, arm: int) -> tuple[float, float]:
        """Return the index of an arm, and the weight of its plays that await their reward."""
        if not any(play.arm == arm for play in self.plays):
            return 2 * inf, 0.0
        weights, clock = weights_and_clock(len(self.plays), self.factor, self.span)
        born = self.unknown_before.get(arm, 0)
        mine = [
            (weight, play)
            for number, (weight, play) in enumerate(zip(weights, self.plays, strict=True), start=1)
            if play.arm == arm and weight > 0.0 and number > born and not play.lost
        ]
        known = [(weight, play.reward) for weight, play in mine if play.reward is not None]
        awaited = sum(weight for weight, play in mine if play.reward is None)
        if not known:
            return (-inf if awaited else inf), awaited
        count = sum(weight for weight, _ in known)
        mean = sum(weight * reward for weight, reward in known) / count
        return mean + sqrt(0.5 * log(max(clock, 1.0)) / (count + awaited)), awaited

    def choose(self, eligible: list[int]) -> int:
        """Return the arm never played, or with the largest index, or with the fewest awaited."""
        never = [arm for arm in eligible if not any(play.arm == arm for play in self.plays)]
        if never:
            return never[0]
        indices = {arm: self.index(arm) for arm in eligible}
        best = max(eligible, key=lambda arm: indices[arm][0])
        if indices[best][0] > -inf:
            return best
        return min(eligible, key=lambda arm: indices[arm][1])

    def decide(self, arm: int, at: float) -> int:
        """Expire what is too old, and add a decision; return its number."""
        self.expire(at)
        self.plays.append(Decision(arm, at))
        return len(self.plays) - 1

    def reward(self, number: int, reward: float, at: float) -> None:
        """Take a reward that comes in time."""
        play = self.plays[number]
        play.rewards.append(reward)
        if self.combine == "first" and play.reward is None:
            play.reward = reward
        self.expire(at)

    def expire(self, now: float) -> None:
        """Close every decision that is older than it may be."""
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
