"""Index policies whose rewards come late: decisions, and rewards as old as their decisions."""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from driftbandit.policies.index.live.memory import Memory, detector_state
from driftbandit.policies.learner import total_of

STATE = (
    "rounds", "weight", "stretch", "clock", "untried", "totals", "lost", "squares", "counts",
    "means", "roots", "variances", "plays", "own", "clocks", "born", "restarts", "restarted",
    "awaited", "open", "waiting", "states", "_factor", "_span", "time", "times",
)  # fmt: skip  # as they stand in `Memory`


class DecidingMemory(Memory):
    """A memory in which a play may come before its reward."""

    kept = STATE

    def decide(self, arm: int, probability: float, u: float) -> None:
        """Begin a round; its play counts from now on, and its reward is awaited."""
        self.learn(arm, None)
        self.waiting[self.rounds] = (arm, self.weight)
        self.open[arm] += 1
        self.awaited[arm] += self.weight
        self._size(arm)
        if self._restarts:
            self._restart_if_due()

    def reward(self, round: int, reward: float) -> bool:
        """Learn a reward as that of a play of its round, unless that is forgotten by now."""
        play = self._give_up(round)
        if play is None:
            return False
        arm, weight = play
        if self._by_arm:
            plays = self.own[arm]
            place = next(place for place, (made, _) in enumerate(plays) if made == round)
            plays[place] = round, reward
        elif self.plays:
            self.plays[round - self.rounds - 1] = arm, weight, reward
        self._change(arm, weight, reward)
        if self._restarts:
            self._detect(arm, reward, round)
        return True

    def forsake(self, round: int) -> None:
        """Give up on a reward: the play no longer counts, though its round has passed."""
        self._give_up(round)

    def tick(self, at: float) -> None:
        """Take in the time of the round that comes; it does not run backwards."""
        self.elapsed = max(at - self.time, 0.0) if self.rounds else 0.0
        self.time = max(at, self.time) if self.rounds else at

    def add_arm(self) -> None:
        """Make place for one more arm, which was never tried."""
        arm = len(self.counts)
        for row in (self.totals, self.lost, self.squares, self.counts, self.awaited):
            row.append(0.0)
        self.variances.append(0.0)
        self.open.append(0)
        self.own.append(deque())
        self.clocks.append(0.0)
        self.born.append(self.rounds)
        self.states.append(detector_state(self.policy.detect))
        if isinstance(self.means, np.ndarray):
            self.means, self.roots = np.append(self.means, math.inf), np.append(self.roots, 0.0)
        else:
            self.means.append(math.inf)
            self.roots.append(0.0)  # type: ignore[union-attr]  # a list like the means
        if not self.policy.explore.prior:
            self.untried.append(arm)

    def forget_arm(self, arm: int) -> None:
        """Forget what is known of an arm, awaited plays included, as after a restart."""
        for made in [made for made, (each, _) in self.waiting.items() if each == arm]:
            self._give_up(made)
        self._clear(arm)
        self.clocks[arm], self.born[arm] = 0.0, self.rounds
        self.states[arm] = detector_state(self.policy.detect)
        self._forget_later({arm})

    @property
    def alarms(self) -> int:
        """How often it started over."""
        return self.restarts

    @property
    def remembered(self) -> float:
        """The sum of the counts."""
        return total_of(self.counts) / self.weight

    def knowledge(self, arm: int) -> dict[str, float | None]:
        """Return mean and count, the plays that await their reward, and the last restart."""
        count = self.counts[arm]
        return {
            "mean": float(self.means[arm]) if count else None,
            "count": count / self.weight,
            "pending": float(self.open[arm]),
            "last_change": float(self.born[arm]) if self.born[arm] else None,
        }
