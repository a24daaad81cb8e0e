"""What every policy is: a value with a label, a bound on rewards, and a live agent."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, Unpack, overload

from driftbandit.core.errors import InputError, require
from driftbandit.core.text import is_line
from driftbandit.core.value import Value
from driftbandit.policies.presets.preset import presets_of
from driftbandit.policies.terms import AgentTerms

if TYPE_CHECKING:
    from driftbandit.environments import AnyWorld
    from driftbandit.live.agent import Agent
    from driftbandit.policies.learner import Learner
    from driftbandit.policies.setup import Setup

Arm = TypeVar("Arm", bound=Hashable)


@dataclasses.dataclass(frozen=True)
class Strategy(Value):
    """Base of every policy, whatever its family: index, weights, procedure, linear or baseline.

    A family says how it plays live (`learner`) and how it plays many runs at once (`setup`).
    """

    features: ClassVar[bool] = False
    """Whether it chooses among actions with features, in a linear world."""

    label: str = dataclasses.field(default="", kw_only=True)

    @property
    def bound(self) -> float:
        """The largest reward B the policy can take; infinite if it does not care."""
        return math.inf

    def epochs(self, horizon: int) -> list[tuple[int, Strategy]]:
        """Return what is played from which round on: itself from round 1, for most policies."""
        return [(1, self)]

    def check_world(self, world: AnyWorld) -> None:
        """Raise unless this policy can play in `world`."""
        if world.actions is not None:
            raise InputError(f"{self.label} plays arms without features: give a linear policy")
        if self.bound < world.bound:
            raise InputError(
                f"bound of {self.label} must be at least the world's {world.bound:g}, "
                f"got {self.bound:g}"
            )

    def learner(self, arms: int) -> Learner:
        """Return what plays this policy one step at a time, for a live agent."""
        raise InputError(f"{self.label} plays only in a simulation, where the means are known")

    def setup(self, world: AnyWorld, horizon: int) -> Setup:
        """Return what plays this policy in lockstep over a block of runs, for the engine."""
        raise InputError(f"{type(self).__name__} is a base of policies and cannot be played")

    def remembers(self) -> tuple[float, float]:
        """Return for how many seconds and for how many rounds a play is remembered, at most."""
        return math.inf, math.inf

    @overload
    def agent(self, arms: int, seed: int = 0, **terms: Unpack[AgentTerms]) -> Agent[int]: ...

    @overload
    def agent(
        self, arms: Sequence[Arm], seed: int = 0, **terms: Unpack[AgentTerms]
    ) -> Agent[Arm]: ...

    def agent(
        self, arms: int | Sequence[Arm], seed: int = 0, **terms: Unpack[AgentTerms]
    ) -> Agent[Arm] | Agent[int]:
        """Return a live agent of this policy: choose now, learn when the reward comes.

        `terms` are those of `Agent`: `floor`, `reward_within`, `default_reward`, and so on.

        >>> import driftbandit as db
        >>> agent = db.SlidingWindowUCB(window=100).agent(arms=["red", "blue"], seed=0)
        >>> arm = agent.choose()
        >>> agent.learn(arm, reward=1.0)
        >>> agent.choose()
        'blue'
        """
        from driftbandit.live.agent import Agent  # noqa: PLC0415  # an agent knows policies

        return Agent(self, arms, seed, **terms)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some parameters changed, checked like a new policy.

        A label that you chose stays. The name of a preset stays as long as the copy is in the cell
        of that preset. Any other default label becomes that of the copy.

        >>> import driftbandit as db
        >>> policy = db.SlidingWindowUCB(window=500)
        >>> policy.replace(forget=db.forget.Window(200)).label
        'SW-UCB'
        >>> policy.replace(forget=db.forget.Discount(0.9)).label
        'Discount(discount=0.9) × UCB(xi=0.5, bound=1.0, padding=1.0)'
        >>> policy.replace(label="mine").replace(forget=db.forget.Discount(0.9)).label
        'mine'
        """
        if "label" in changes:
            return super().replace(**changes)
        copy, presets = super().replace(**changes, label=""), presets_of(self)
        if presets:
            stays = any(preset.cell.fits(copy) for preset in presets)
        else:
            stays = self.label != self.default_label()
        return super().replace(**changes) if stays else copy

    def validate(self) -> None:
        """Store the default label where none was given; a subclass that checks more calls this."""
        super().validate()
        default = isinstance(self.label, str) and not self.label
        fits = default or is_line(self.label)
        require(fits, "label", self.label, "be a text of one line, and visible")
        self._set(label=str(self.label) or self.default_label())

    def default_label(self) -> str:
        """Return the label of a policy that is given none."""
        return str(type(self).__dataclass_fields__["label"].default) or type(self).__name__
