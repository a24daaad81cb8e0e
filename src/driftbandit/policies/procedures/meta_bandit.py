"""Meta-bandit: after an alarm, what was learned competes with learning anew."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import MutableSequence, Sequence

from driftbandit.core.errors import real, whole
from driftbandit.core.marking import compilable
from driftbandit.policies.procedures.policy import Procedure
from driftbandit.rules.explore import TunedUCB

Memory = MutableSequence[float]
tuned_index = TunedUCB.index

LEFT, OLD, JUDGE = range(3)
"""Places: rounds left of a trial, which of two learners is the old one, and then three bandits with
five numbers an arm: the judge, whose two arms are the old learner and the fresh one, and these."""

COUNT, TOTAL, SQUARE, WALK, TOP, ROOM = range(6)
"""Of an arm: plays, rewards, their squares; where the walk of its rewards is, and its highest."""


@dataclasses.dataclass(frozen=True)
class MetaBandit(Procedure):
    """Adapt-EvE: UCB-tuned, a Page–Hinkley test on its best arm, and a meta-bandit after an alarm.

    The walk of an arm, m = Σ (x − x̄ + δ), x̄ the mean of its plays so far, falls when the arm gets
    worse. If the arm with the largest mean is played and its walk is then more than λ below its
    highest point, there is a trial: for `trial` rounds another UCB-tuned with two arms chooses
    between the old learner and a fresh one, who then chooses the arm and learns. The one with the
    larger mean reward stays, the old one of equals, and all its walks begin anew. δ is `drift`, λ
    is `threshold`, in units of B.

    Only the best arm is watched, and only its fall: it fails where another arm gets better. A trial
    costs as much as the worse of the two learners does. Nothing is proved of it.

    The source takes δ = 0.005, 1,000 rounds, and λ from 50 to 500.

    Reference: Hartland, Gelly, Baskiotis, Teytaud & Sebag, *Multi-armed bandit, dynamic
    environments and meta-bandits*, 2006. How the test follows the best arm is not in what we know
    of it, and our choice.

    >>> MetaBandit(threshold=100.0).label
    'meta-bandit'
    """

    label: str = dataclasses.field(default="meta-bandit", kw_only=True)
    drift: float = 0.005
    threshold: float = 50.0
    trial: int = 1_000

    def __post_init__(self) -> None:
        """Check δ, λ and the length of a trial."""
        self._set(
            drift=real("drift", self.drift, "[0, inf)"),
            threshold=real("threshold", self.threshold, "(0, inf)"),
            trial=whole("trial", self.trial, least=2),
        )
        super().__post_init__()

    def memory(self, arms: int) -> int:
        """Return room for three bandits."""
        return JUDGE + (2 + 2 * arms) * ROOM

    @staticmethod
    def choose(
        memory: Memory, arms: int, t: int, noise: Sequence[float], drift: float, threshold: float,
        trial: float,
    ) -> int:  # fmt: skip  # what is handed, then the fields
        """Ask the learner whose turn it is."""
        return favourite(memory, learner(arms, asked(memory)), arms)

    @staticmethod
    def learn(
        memory: Memory, arms: int, t: int, arm: int, reward: float, noise: Sequence[float],
        drift: float, threshold: float, trial: float,
    ) -> None:  # fmt: skip  # as above
        """Let the same learner learn; end a trial or begin one."""
        who = asked(memory)
        own = learner(arms, who)
        leader = best(memory, own, arms)
        add(memory, own + arm * ROOM, reward, drift)
        if memory[LEFT] > 0.0:
            add(memory, JUDGE + (0 if who == int(memory[OLD]) else ROOM), reward, drift)
            memory[LEFT] -= 1.0
            if memory[LEFT] == 0.0:
                decide(memory, arms)
        elif arm == leader:
            walk, top = memory[own + arm * ROOM + WALK], memory[own + arm * ROOM + TOP]
            if top - walk > threshold:
                memory[LEFT] = trial
                clear(memory, JUDGE, 2)
                clear(memory, learner(arms, 1 - who), arms)


@compilable
def learner(arms: int, which: int) -> int:
    """Return where the numbers of a learner begin."""
    return JUDGE + (2 + which * arms) * ROOM


@compilable
def asked(memory: Memory) -> int:
    """Return which learner has its turn."""
    old = int(memory[OLD])
    if memory[LEFT] == 0.0 or favourite(memory, JUDGE, 2) == 0:
        return old
    return 1 - old


@compilable
def favourite(memory: Memory, own: int, arms: int) -> int:
    """Return the arm that UCB-tuned plays, the lowest of equals; first those without a play."""
    clock, found, lead = 0.0, 0, -math.inf
    for k in range(arms):
        clock += memory[own + k * ROOM + COUNT]
    for k in range(arms):
        count, total = memory[own + k * ROOM + COUNT], memory[own + k * ROOM + TOTAL]
        if count == 0.0:
            return k
        mean = total / count
        variance = max(memory[own + k * ROOM + SQUARE] / count - mean * mean, 0.0)
        index = tuned_index(mean, count, clock, variance, 1.0)
        if index > lead:
            found, lead = k, index
    return found


@compilable
def best(memory: Memory, own: int, arms: int) -> int:
    """Return the arm with the largest mean, the lowest of equals; −1 if none was played."""
    found, lead = -1, -math.inf
    for k in range(arms):
        count = memory[own + k * ROOM + COUNT]
        if count > 0.0 and memory[own + k * ROOM + TOTAL] / count > lead:
            found, lead = k, memory[own + k * ROOM + TOTAL] / count
    return found


@compilable
def add(memory: Memory, place: int, reward: float, drift: float) -> None:
    """Add a play to an arm, and a step to its walk."""
    memory[place + COUNT] += 1.0
    memory[place + TOTAL] += reward
    memory[place + SQUARE] += reward * reward
    memory[place + WALK] += reward - memory[place + TOTAL] / memory[place + COUNT] + drift
    memory[place + TOP] = max(memory[place + TOP], memory[place + WALK])


@compilable
def clear(memory: Memory, own: int, arms: int) -> None:
    """Know nothing of the arms of a bandit."""
    for place in range(own, own + arms * ROOM):
        memory[place] = 0.0


@compilable
def decide(memory: Memory, arms: int) -> None:
    """End a trial: the learner with the larger mean is the old one from now on."""
    if best(memory, JUDGE, 2) == 1:
        memory[OLD] = 1.0 - memory[OLD]
    own = learner(arms, int(memory[OLD]))
    for k in range(arms):
        memory[own + k * ROOM + WALK] = memory[own + k * ROOM + TOP] = 0.0
