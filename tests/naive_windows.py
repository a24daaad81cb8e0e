"""The slow, obvious truth about windows by arm, on the full history."""

from dataclasses import dataclass
from math import inf

import naive_detect
from naive import Index, argmax


def last_plays(arms: list[int], plays: int) -> list[int]:
    """Return the rounds 1..t whose play is one of the last n of its arm."""
    return [t for t, arm in enumerate(arms, start=1) if arms[t:].count(arm) < plays]


@dataclass
class Player(naive_detect.Player):
    """Of each arm the last n plays × a detector × an index × forced exploration."""

    plays: int = 1
    value: Index | None = None

    def index(self, arm: int) -> float:
        """Return the index of what is remembered of the arm since it was last forgotten.

        The clock of an arm is how many plays, of all arms, are remembered since then; or, where
        plays count, how many are remembered of any arm since that one was last forgotten.
        """
        last = last_plays(self.arms, self.plays)
        remembered = [t for t in last if t > self.born(arm)]
        seen = [self.rewards[t - 1] for t in remembered if self.arms[t - 1] == arm]
        if not seen:
            return inf
        if self.counts_plays:
            remembered = [t for t in last if t > self.born(self.arms[t - 1])]
        mean = naive_detect.mean(seen)
        variance = max(0.0, naive_detect.mean([x * x for x in seen]) - mean * mean)
        assert self.value is not None
        return self.value(mean, variance, len(seen), len(remembered))


def play(table: list[list[float]], plays: int, index: Index) -> list[int]:
    """Play without a detector; return the arm of each round."""
    player = Player(len(table[0]), plays=plays, value=index)
    for row in table:
        forced = player.forced(0.5)
        arm = forced if forced >= 0 else argmax([player.index(i) for i in range(player.K)])
        player.learn(arm, row[arm])
    return player.arms
