"""The slow, obvious truth about policies that choose among policies, on the full history."""

from dataclasses import dataclass, field
from functools import partial
from math import ceil, floor, fsum, inf, log

import naive
import naive_weights
from naive_explore import tuned_index

# --- bandit over bandit --------------------------------------------------------------------------


def windows(block: int) -> list[int]:
    """Return ⌊H^(j/Δ)⌋ for j = 0, …, Δ with Δ = ⌈log H⌉, each once."""
    steps = max(ceil(log(block)), 1)
    windows: list[int] = []
    for j in range(steps + 1):
        window = floor(block ** (j / steps) + 1e-9)
        if window not in windows:
            windows.append(window)
    return windows


def play_bandit_over_bandit(
    table: list[list[float]], uniforms: list[float], block: int, exploration: float, xi: float
) -> list[int]:
    """EXP3 chooses a window for every block of H rounds, in which SW-UCB begins anew."""
    choices = windows(block)
    chosen: list[int] = []
    means: list[float] = []
    arms: list[int] = []
    for start in range(0, len(table), block):
        p = naive_weights.exp3(chosen, means, len(choices), exploration, 1.0)
        choice = naive.draw(p, uniforms[start])
        rows = table[start : start + block]
        policy = partial(naive.sliding_window_ucb, window=choices[choice], xi=xi, bound=1.0)
        played = naive.play(policy, rows)
        chosen.append(choice)
        means.append(fsum(row[arm] for row, arm in zip(rows, played, strict=True)) / block)
        arms += played
    return arms


# --- meta-bandit ---------------------------------------------------------------------------------


@dataclass
class Learner:
    """UCB-tuned, which remembers all it was told; `since` is how much of that the test has seen."""

    K: int
    arms: list[int] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    since: int = 0

    def samples(self, arm: int, first: int = 0) -> list[float]:
        """Return the rewards of an arm."""
        pairs = list(zip(self.arms, self.rewards, strict=True))
        return [x for k, x in pairs[first:] if k == arm]

    def choose(self) -> int:
        """Return the arm of the largest index, the lowest of equals."""
        return naive.argmax([self.index(arm) for arm in range(self.K)])

    def index(self, arm: int) -> float:
        """Return the index of UCB-tuned."""
        seen = self.samples(arm)
        if not seen:
            return inf
        mean = fsum(seen) / len(seen)
        variance = max(fsum(x * x for x in seen) / len(seen) - mean**2, 0.0)
        clock = len(self.arms)
        return tuned_index(1.0)(mean, variance, len(seen), clock, [], self.K)

    def leader(self) -> int:
        """Return the arm with the largest mean."""
        seen = [self.samples(arm) for arm in range(self.K)]
        return naive.argmax([fsum(x) / len(x) if x else -inf for x in seen])

    def fallen(self, arm: int, drift: float, threshold: float) -> bool:
        """Page–Hinkley on what came since: m = Σ (x − x̄ + δ), alarm if max m − m > λ.

        x̄ is the mean of all samples of the arm up to x.
        """
        early, late = len(self.samples(arm)) - len(self.samples(arm, self.since)), self.samples(arm)
        m = top = 0.0
        for n in range(early + 1, len(late) + 1):
            m += late[n - 1] - fsum(late[:n]) / n + drift
            top = max(top, m)
        return top - m > threshold


def play_meta_bandit(
    table: list[list[float]], drift: float, threshold: float, trial: int
) -> tuple[list[int], list[str]]:
    """Return the arms, and who won the trials, "old" or "fresh"."""
    K = len(table[0])
    old, fresh, judge, trying = Learner(K), Learner(K), Learner(2), False
    arms: list[int] = []
    won: list[str] = []
    for row in table:
        who = [old, fresh][judge.choose()] if trying else old
        arm, leader = who.choose(), who.leader()
        arms.append(arm)
        who.arms.append(arm)
        who.rewards.append(row[arm])
        if trying:
            judge.arms.append(0 if who is old else 1)
            judge.rewards.append(row[arm])
            if len(judge.arms) == trial:
                won.append(["old", "fresh"][judge.leader()])
                old = [old, fresh][judge.leader()]
                old.since = len(old.arms)
                trying = False
        elif arm == leader and old.fallen(arm, drift, threshold):
            trying, fresh, judge = True, Learner(K), Learner(2)
    return arms, won
