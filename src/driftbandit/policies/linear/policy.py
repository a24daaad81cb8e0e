"""Linear policies: forget × detect × confidence."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Annotated, ClassVar, Unpack

from driftbandit.core.domain import Positive
from driftbandit.core.errors import InputError, require
from driftbandit.environments import AnyWorld
from driftbandit.environments.linear import LinearWorld
from driftbandit.policies.linear import lockstep
from driftbandit.policies.linear.schedule import Schedule
from driftbandit.policies.setup import Setup
from driftbandit.policies.strategy import Strategy
from driftbandit.policies.terms import AgentTerms
from driftbandit.rules.confidence import Confidence, Ellipsoid
from driftbandit.rules.detect import Detect, Never
from driftbandit.rules.detect.rule import calm
from driftbandit.rules.forget import Forget, Full
from driftbandit.rules.rule import Axis

if TYPE_CHECKING:
    from driftbandit.live.linear import LinearAgent

FULL, NEVER, ELLIPSOID = Full(), Never(), Ellipsoid()
"""What a linear policy does on an axis where nothing else is said."""

LONGEST = 1e100
"""Actions are shorter than this, so that no sum overflows."""


@dataclasses.dataclass(frozen=True)
class LinearPolicy(Strategy):
    """A policy for actions with features: how it forgets × when it starts over × how sure it is.

    Rewards are taken to be aᵀθ_t plus noise, a being the features of the action played. With the
    weights w_s that the forgetting rule gives the rounds s ≤ t,

        V = Σ_s w_s a_s a_sᵀ + λI,  Ṽ = Σ_s w_s² a_s a_sᵀ + λI,  θ̂ = V⁻¹ Σ_s w_s x_s a_s,

    and the action with the largest aᵀθ̂ + β √(aᵀ V⁻¹ Ṽ V⁻¹ a) is played, the first of equals.
    Where all weights are 1, Ṽ = V and the root is √(aᵀ V⁻¹ a).

    Parameters: `forget`, any rule of that axis that goes by rounds (`ArmWindow` does not);
    `detect`, when all is forgotten at once, by plan only (`PeriodicRestart`, `KnownRestart`);
    `confidence`, the radius β; `ridge` λ.

    A detector that raises alarms is refused: alarms are about arms.

    >>> from driftbandit import Window
    >>> LinearPolicy(forget=Window(500), label="mine").label
    'mine'
    """

    features: ClassVar[bool] = True

    forget: Annotated[Forget, Axis(Forget)] = FULL
    detect: Annotated[Detect, Axis(Detect)] = NEVER
    confidence: Annotated[Confidence, Axis(Confidence)] = ELLIPSOID
    ridge: Positive = 0.1

    def validate(self) -> None:
        """Check that the rules are for linear policies, and that the radius is a number."""
        super().validate()
        require(
            not self.forget.by_arm, "forget", self.forget, "go by rounds: there are no arms here"
        )
        by_rounds = not self.forget.by_clock
        require(by_rounds, "forget", self.forget, "go by rounds, not by the clock")
        planned = self.detect.alarm is calm
        require(planned, "detect", self.detect, "plan its restarts: alarms are about arms")
        self._check_radius()

    def default_label(self) -> str:
        """Return the rules, written out."""
        rules = (self.forget, self.detect, self.confidence)
        return " × ".join(repr(rule) for rule in rules if rule != NEVER)

    def _check_radius(self) -> None:
        schedule, name = self.schedule(dimension=1), type(self.confidence).__name__
        for _ in range(3):
            radius = schedule.radius
            fits = math.isfinite(radius) and radius >= 0.0
            require(fits, f"{name}.radius with {self.forget!r}", radius, "lie in [0, inf)")
            schedule.step()

    @property
    def length(self) -> float:
        """The longest action L that the policy can take."""
        return min(float(getattr(self.confidence, "length", LONGEST)), LONGEST)

    def remembers(self) -> tuple[float, float]:
        """Return for how many seconds and for how many rounds the memory lasts."""
        return self.forget.remembers()

    def schedule(self, dimension: int) -> Schedule:
        """Return what this policy does round by round, from the first on."""
        return Schedule(self.forget, self.detect, self.confidence, self.ridge, dimension)

    def check_world(self, world: AnyWorld) -> None:
        """Raise unless the world has features, and no action longer than this policy can take."""
        if not isinstance(world, LinearWorld):
            raise InputError(
                f"{self.label} needs features: simulate it in a world of driftbandit.linear"
            )
        if self.length < world.length * (1.0 - 1e-9):
            raise InputError(
                f"length of {self.label} must be at least the actions' {world.length:g}, "
                f"got {self.length:g}"
            )

    def setup(self, world: AnyWorld, horizon: int) -> Setup:
        """Return the functions and arrays that play this policy in lockstep."""
        assert isinstance(world, LinearWorld)  # see check_world
        return lockstep.setup(self, world, horizon)

    def agent(  # type: ignore[override]  # features, not arms
        self, dimension: int | None = None, seed: int = 0, **terms: Unpack[AgentTerms]
    ) -> LinearAgent:
        """Return a live agent of this policy for actions of `dimension` features.

        `terms` are those of `Agent`: `floor`, `reward_within`, `default_reward`, and so on.

        >>> import driftbandit as db
        >>> agent = db.LinUCB().agent(dimension=2)
        >>> features = [[1.0, 0.0], [0.0, 1.0]]
        >>> row = agent.choose(features)
        >>> agent.learn(features[row], reward=1.0)
        >>> agent.choose(features)
        1
        """
        from driftbandit.live.linear import LinearAgent  # noqa: PLC0415  # an agent knows policies

        if dimension is None or "arms" in terms:
            raise InputError(
                "agent of a linear policy must be given dimension, the features of an action, "
                f"got {', '.join(terms) or 'nothing'}"
            )
        return LinearAgent(self, dimension, seed, **terms)
