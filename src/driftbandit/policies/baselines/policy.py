"""Players that learn nothing: the two ends of the scale."""

from __future__ import annotations

import dataclasses

from driftbandit.environments import AnyWorld
from driftbandit.policies.baselines import lockstep
from driftbandit.policies.baselines.live import UniformLearner
from driftbandit.policies.setup import Setup
from driftbandit.policies.strategy import Strategy


class Baseline:
    """What the baselines share: they learn nothing, and so play in any world."""

    def check_world(self, world: AnyWorld) -> None:
        """Accept any world."""


@dataclasses.dataclass(frozen=True)
class Uniform(Baseline, Strategy):
    """Play every arm with the same probability: what a policy must beat.

    Reference: the γ = 1 end of EXP3, Auer, Cesa-Bianchi, Freund & Schapire 2002.

    >>> Uniform().label
    'uniform'
    """

    label: str = dataclasses.field(default="uniform", kw_only=True)

    def learner(self, arms: int) -> UniformLearner:
        """Return what plays this policy one step at a time."""
        return UniformLearner(arms)

    def setup(self, world: AnyWorld, horizon: int) -> Setup:
        """Return the functions and arrays that play this policy in lockstep."""
        return lockstep.setup(lockstep.choose_uniform)


@dataclasses.dataclass(frozen=True)
class Oracle(Baseline, Strategy):
    """Play the best arm of each round, known only in a simulation: the zero of the regret scale.

    It has no live agent: it needs to know the means. Ties go to the lowest arm.

    Reference: π* of Garivier & Moulines 2008, section 1.2.

    >>> Oracle().label
    'oracle'
    """

    label: str = dataclasses.field(default="oracle", kw_only=True)

    def setup(self, world: AnyWorld, horizon: int) -> Setup:
        """Return the functions and arrays that play this policy in lockstep."""
        return lockstep.setup(lockstep.choose_best)
