"""Procedures: the family of policies that are a small program with a memory."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, ClassVar

from driftbandit.core.domain import Positive
from driftbandit.core.errors import InputError, whole
from driftbandit.environments import World
from driftbandit.policies.procedures import lockstep
from driftbandit.policies.procedures.live import ProcedureLearner
from driftbandit.policies.setup import Setup
from driftbandit.policies.strategy import Strategy
from driftbandit.rules.rule import Rule


def zeros(memory: Any, arms: int, *numbers: Any) -> None:
    """Leave the memory at zero."""


@dataclasses.dataclass(frozen=True)
class Procedure(Strategy, Rule):
    """Base of policies that are a small program on a flat memory of their own.

    - `memory(arms)`, a method, says how many numbers are kept. They are floats and begin at zero.
    - `choose(memory, arms, t, noise, …)` returns the arm of round t = 1, 2, …, from 0 to arms − 1.
      It must not change the memory: a live agent may choose twice, or be told of another arm.
    - `learn(memory, arms, t, arm, reward, noise, …)` changes the memory, and may be told of any
      arm. The reward is divided by the field `bound`, B, and so lies in [0, 1].
    - `start(memory, arms, …)`, if there is one, sets the memory up before the first round.

    These three are static functions that take the numeric fields last, as floats; `label` and
    `bound` are not among them. `noise` holds as many uniform numbers of (0, 1) as the class
    attribute `noise` says, or the method `draws(arms)` if that depends on the arms: fresh every
    round, the same ones for `choose` and `learn`.

    >>> from dataclasses import dataclass
    >>> import driftbandit as db
    >>> @dataclass(frozen=True)
    ... class LoseShift(db.Procedure):
    ...     good: float = 0.5
    ...
    ...     def memory(self, arms):
    ...         return 1
    ...
    ...     @staticmethod
    ...     def choose(memory, arms, t, noise, good):
    ...         return int(memory[0])
    ...
    ...     @staticmethod
    ...     def learn(memory, arms, t, arm, reward, noise, good):
    ...         memory[0] = arm if reward >= good else (arm + 1) % arms
    >>> agent = LoseShift().agent(arms=["red", "blue"])
    >>> agent.learn("red", reward=0.0)
    >>> agent.choose()
    'blue'
    """

    family: ClassVar[str] = "procedure"
    noise: ClassVar[int] = 0
    start: ClassVar[Callable[..., None]] = staticmethod(zeros)
    choose: ClassVar[Callable[..., int]]
    learn: ClassVar[Callable[..., None]]

    bound: Positive = dataclasses.field(default=1.0, kw_only=True)

    def validate(self) -> None:
        """Check numbers and functions; a subclass that checks more calls this too."""
        super().validate()
        self.check()

    def learner(self, arms: int) -> ProcedureLearner:
        """Return what plays this policy one step at a time."""
        return ProcedureLearner(self, arms)

    def setup(self, world: World, horizon: int) -> Setup:
        """Return the functions and arrays that play this policy in lockstep."""
        return lockstep.setup(self, world, horizon)

    def memory(self, arms: int) -> int:
        """Return how many numbers are kept with so many arms."""
        raise NotImplementedError

    def draws(self, arms: int) -> int:
        """Return how many uniform numbers a round needs with so many arms."""
        return self.noise

    def handed(self) -> dict[str, tuple[str, ...]]:
        """Return the functions of the memory, and what each is handed."""
        return {
            "start": ("memory", "arms"),
            "choose": ("memory", "arms", "t", "noise"),
            "learn": ("memory", "arms", "t", "arm", "reward", "noise"),
        }

    def check(self) -> None:
        """Raise unless there are a memory and the functions of it."""
        if type(self).memory is Procedure.memory:
            name = type(self).__name__
            raise InputError(f"{name} must have a method memory(self, arms): how much is kept")
        super().check()

    def started(self, arms: int) -> list[float]:
        """Return the memory before the first round."""
        name = type(self).__name__
        memory = [0.0] * whole(f"{name}.memory", self.memory(arms), least=0)
        self.start(memory, arms, *self.numbers())
        return memory

    def _named(self) -> list[str]:
        """Return the names of the fields that hold numbers for the functions."""
        return [name for name in super()._named() if name not in ("label", "bound")]
