"""What all worlds share: arms, a law of rewards, and perhaps a last round."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from driftbandit.core.domain import Instance
from driftbandit.core.errors import horizon_of
from driftbandit.core.value import Value
from driftbandit.environments.laws import Bernoulli, Law

RewardLaw = Annotated[Law, Instance(Law, "a reward law")]

COIN = Bernoulli()
"""The law a world has by default."""


@dataclass(frozen=True)
class Environment(Value):
    """Base of `World`, whose arms have means, and of `LinearWorld`, whose arms have features."""

    law: RewardLaw = field(default=COIN, kw_only=True)

    if TYPE_CHECKING:  # subclasses have these as fields, properties or class attributes

        @property
        def arms(self) -> int:
            """How many arms there are in a round."""

        @property
        def horizon(self) -> int | None:
            """The last round the world is defined for; None if it never ends."""

        @property
        def seconds_per_round(self) -> float:
            """How long a round takes, for policies that forget by the clock."""
    else:
        horizon = None
        seconds_per_round = 1.0

    def last_round(self, horizon: int | None = None) -> int:
        """Return the horizon, by default the world's own, or raise if the world ends before it."""
        return horizon_of(horizon, self.horizon)
