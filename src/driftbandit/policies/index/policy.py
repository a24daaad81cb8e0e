"""Index policies: forget × detect × explore, and forced exploration beside them."""

from __future__ import annotations

import dataclasses
import math
from typing import Annotated

from driftbandit.environments import AnyWorld
from driftbandit.policies.index.live.choose import IndexLearner
from driftbandit.policies.index.live.learner import index_learner
from driftbandit.policies.index.lockstep.setup import setup
from driftbandit.policies.setup import Setup
from driftbandit.policies.strategy import Strategy
from driftbandit.rules.detect import Detect, Never
from driftbandit.rules.explore import UCB, Explore
from driftbandit.rules.force import Force, Unforced
from driftbandit.rules.forget import Forget, Full
from driftbandit.rules.rule import Axis

FULL, NEVER, PLAIN, UNFORCED = Full(), Never(), UCB(), Unforced()
"""What a policy does on an axis where nothing else is said."""


@dataclasses.dataclass(frozen=True)
class Policy(Strategy):
    """A policy as a value: how it forgets × what makes it start over × how it explores.

    Each round the arm with the largest index is played, ties going to the lowest arm; an arm with
    no remembered play comes first. The index of round t uses what was seen up to round t − 1. In
    rounds that `force` claims, the arm it names is played instead.

    >>> from driftbandit import Window
    >>> Policy(forget=Window(500), explore=UCB(xi=0.6), label="mine").label
    'mine'
    >>> Policy().label
    'Full() × UCB(xi=0.5, bound=1.0, padding=1.0)'
    """

    forget: Annotated[Forget, Axis(Forget)] = FULL
    detect: Annotated[Detect, Axis(Detect)] = NEVER
    explore: Annotated[Explore, Axis(Explore)] = PLAIN
    force: Annotated[Force, Axis(Force)] = UNFORCED

    def default_label(self) -> str:
        """Return the rules, written out."""
        rules = (self.forget, self.detect, self.explore, self.force)
        return " × ".join(repr(rule) for rule in rules if rule not in (NEVER, UNFORCED))

    def learner(self, arms: int) -> IndexLearner:
        """Return the quickest learner for this policy; all take the same decisions."""
        return index_learner(self, arms)

    def setup(self, world: AnyWorld, horizon: int) -> Setup:
        """Return the functions and arrays that play this policy in lockstep."""
        if not self.forget.by_clock:
            return setup(self, world, horizon)
        forget = self.forget.in_rounds(world.seconds_per_round)
        return setup(self.replace(forget=forget), world, horizon)

    def remembers(self) -> tuple[float, float]:
        """Return for how many seconds and for how many rounds the memory lasts."""
        return self.forget.remembers()

    @property
    def bound(self) -> float:
        """The bound B of the exploration rule and of the detector, the smaller one."""
        return min(float(getattr(rule, "bound", math.inf)) for rule in (self.explore, self.detect))
