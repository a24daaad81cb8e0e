"""Procedures: the family of policies that are a small program with a state."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, ClassVar

from driftbandit.core.domain import REMEMBERED, Positive
from driftbandit.core.errors import InputError, is_flag, require, whole
from driftbandit.core.state import NOTHING, State
from driftbandit.environments import AnyWorld
from driftbandit.policies.procedures import lockstep
from driftbandit.policies.procedures.live import ProcedureLearner
from driftbandit.policies.setup import Setup
from driftbandit.policies.strategy import Strategy
from driftbandit.rules.rule import Rule


def leave_blank(state: Any, arms: int, *numbers: Any) -> None:
    """Leave the state at zero."""


@dataclasses.dataclass(frozen=True)
class Procedure(Strategy, Rule):
    """Base of policies that are a small program on a state of their own.

    What it keeps is declared by class attributes without an annotation, and begins at zero:

    - `run_state = db.State(…)`: numbers of the run, such as `state.run.episode`;
    - `arm_state = db.State(…)`: numbers of every arm, such as `state.arm[k].count`;
    - a method `room(arms)`: how many more numbers there are in the array `state.room`. With
      `room_state = db.State(…)` they are so many records instead, such as `state.room[i].sum`.

    Three static functions take the numeric fields last, as floats (`label` and `bound` are not
    among them):

    - `choose(state, arms, t, noise, …)` returns the arm of round t = 1, 2, …, from 0 to arms − 1.
      It must not change the state: a live agent may choose twice, or learn about another arm.
    - `learn(state, arms, t, arm, reward, noise, …)` changes the state; any arm may have been
      played. The reward is divided by the field `bound`, B, and so lies in [0, 1].
    - `start(state, arms, …)`, if there is one, sets the state up before the first round.

    `noise` holds as many uniform numbers of (0, 1) as the class attribute `noise` says, or the
    method `draws(arms)` if that depends on the arms: fresh every round, the same ones for `choose`
    and `learn`.

    Live rewards may come late. A procedure with the class attribute `per_arm = True` has one record
    per arm in `state.arm`, with `count` and `mean`, and in `state.room`: an agent may then hand it
    some of the arms only, and more later. It may note decisions by two more functions:
    `decide(state, arms, t, arm, …)` when round t is played, and `forsake(state, arms, t, arm, …)`
    when its reward comes, just before `learn`, or is given up. `learn` then gets the t of the
    decision, and rewards may come in any order; without `decide` their number is t.

    >>> from dataclasses import dataclass
    >>> import driftbandit as db
    >>> @dataclass(frozen=True)
    ... class LoseShift(db.Procedure):
    ...     good: float = 0.5
    ...     run_state = db.State("next")
    ...
    ...     @staticmethod
    ...     def choose(state, arms, t, noise, good):
    ...         return int(state.run.next)
    ...
    ...     @staticmethod
    ...     def learn(state, arms, t, arm, reward, noise, good):
    ...         state.run.next = arm if reward >= good else (arm + 1) % arms
    >>> agent = LoseShift().agent(arms=["red", "blue"])
    >>> agent.learn("red", reward=0.0)
    >>> agent.choose()
    'blue'
    """

    noise: ClassVar[int] = 0
    per_arm: ClassVar[bool] = False
    decide: ClassVar[Callable[..., None] | None] = None
    forsake: ClassVar[Callable[..., None] | None] = None
    run_state: ClassVar[State] = NOTHING
    arm_state: ClassVar[State] = NOTHING
    room_state: ClassVar[State] = NOTHING
    start: ClassVar[Callable[..., None]] = staticmethod(leave_blank)
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

    def setup(self, world: AnyWorld, horizon: int) -> Setup:
        """Return the functions and arrays that play this policy in lockstep."""
        return lockstep.setup(self, world, horizon)

    def records(self, arms: int) -> int:
        """Return how many records `state.arm` has: one per arm, unless a procedure needs more."""
        return arms

    def room(self, arms: int) -> int:
        """Return how many numbers `state.room` has, or records if `room_state` names them."""
        return 0

    def draws(self, arms: int) -> int:
        """Return how many uniform numbers a round needs with so many arms."""
        return self.noise

    def signatures(self) -> dict[str, tuple[str, ...]]:
        """Return the functions of the state, and what each is handed."""
        return {
            "start": ("state", "arms"),
            "choose": ("state", "arms", "t", "noise"),
            "learn": ("state", "arms", "t", "arm", "reward", "noise"),
        }

    def check(self) -> None:
        """Raise unless the states are declared as such, and the functions fit."""
        super().check()
        kind = type(self).__name__
        if hasattr(self, "memory"):
            raise InputError(
                f"{kind}.memory is not read: declare run_state = db.State('name', …) and use "
                "state.run.name"
            )
        if hasattr(self, "state"):
            raise InputError(
                f"{kind}.state is not read: declare run_state = db.State('name', …) for the run, "
                "and arm_state for each arm"
            )
        if not is_flag(self.noise):
            whole(f"{kind}.noise", self.noise, least=0)
        for name in ("run_state", "arm_state", "room_state"):
            state = getattr(self, name)
            require(isinstance(state, State), f"{kind}.{name}", state, "be a db.State")

    def started(self, arms: int) -> SimpleNamespace:
        """Return the state of a live agent before the first round."""
        name = type(self).__name__
        room = whole(f"{name}.room", self.room(arms), 0, REMEMBERED)
        records = whole(f"{name}.records", self.records(arms), least=0)
        named = self.room_state.numbers > 0
        state = SimpleNamespace(
            run=self.run_state.blank(),
            arm=[self.arm_state.blank() for _ in range(records)],
            room=[self.room_state.blank() for _ in range(room)] if named else [0.0] * room,
        )
        self.called("start")(state, arms, *self.numbers())
        return state

    def _named(self) -> list[str]:
        """Return the names of the fields that hold numbers for the functions."""
        return [name for name in super()._named() if name not in ("label", "bound")]
