"""The axis of detection: what makes a policy start over."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from driftbandit.core.errors import InputError, as_float, is_flag, require, whole
from driftbandit.core.state import NOTHING, State
from driftbandit.rules.rule import Rule


def calm(state: Any, reward: float, count: float, *numbers: Any) -> bool:
    """Raise no alarm."""
    return False


def unplanned(t: float, *numbers: Any) -> bool:
    """Plan no restart."""
    return False


@dataclasses.dataclass(frozen=True)
class Detect(Rule):
    """What makes a policy start over, as a function of rewards, of the round, or both.

    - `alarm(state, reward, count, …)` is called after every play, for the arm just played. It gets
      the arm's `state` (the names that the class attribute `state` declares; zero after a restart,
      to be changed in place), the new reward, and the arm's weighted count including it. If it
      returns True, everything known about that arm (`scope = "arm"`) or about all arms
      (`scope = "all"`) is forgotten, clock and state included.
    - `due(t, …)` is called after every round. If it returns True, all arms are forgotten.

    Where single arms are forgotten, `clock` says what the clock in an arm's index counts: with
    `"rounds"`, those since the arm's own last restart, t − τ_i; with `"plays"`, those remembered of
    all arms, Σ_j N_t(j), the same for every arm. Where all are forgotten at once, the two agree.

    `state`, `scope` and `clock` are class attributes without an annotation; the last two may also
    be fields. A rule that must keep as many numbers as a parameter says has a property `room` as
    well: an array of so many numbers per arm, which `alarm` gets after the state.

    >>> from dataclasses import dataclass
    >>> import driftbandit as db
    >>> @dataclass(frozen=True)
    ... class Streak(db.Detect):
    ...     length: float = 20.0
    ...     state = db.State("zeros")
    ...
    ...     @staticmethod
    ...     def alarm(state, reward, count, length):
    ...         state.zeros = state.zeros + 1.0 if reward == 0.0 else 0.0
    ...         return state.zeros >= length
    >>> db.Policy(detect=Streak(30), explore=db.explore.UCB()).detect
    Streak(length=30)
    """

    if TYPE_CHECKING:  # subclasses give these as class attributes, fields or properties

        @property
        def room(self) -> int:
            """How many numbers an arm has besides its state."""

        @property
        def scope(self) -> str:
            """What an alarm makes forget: the "arm" played, or "all"."""

        @property
        def clock(self) -> str:
            """What the clock of an arm counts: "rounds" since its restart, or "plays" of all."""
    else:
        room = 0
        scope = "all"
        clock = "rounds"

    state: ClassVar[State] = NOTHING

    alarm: ClassVar[Callable[..., bool]] = staticmethod(calm)
    due: ClassVar[Callable[..., bool]] = staticmethod(unplanned)

    def validate(self) -> None:
        """Check scope and clock; a subclass that checks more calls this too."""
        super().validate()
        for field, one, other in (("scope", "arm", "all"), ("clock", "rounds", "plays")):
            value = getattr(self, field)
            fits = isinstance(value, str) and value in (one, other)
            require(fits, f"{type(self).__name__}.{field}", value, f"be {one!r} or {other!r}")

    @property
    def eager(self) -> Detect:
        """The rule for rewards that come late: this one, or one that looks at every reward."""
        return self

    @property
    def counts_plays(self) -> bool:
        """Whether arms that are forgotten one by one have one clock, the plays remembered."""
        return self.scope == "arm" and self.clock == "plays"

    def signatures(self) -> dict[str, tuple[str, ...]]:
        """Return the functions of an arm's rewards and of the round."""
        room = ("room",) if self.room else ()
        return {"alarm": ("state", *room, "reward", "count"), "due": ("t",)}

    def _named(self) -> list[str]:
        """Return the names of the fields that hold numbers: `scope` and `clock` are none."""
        return [name for name in super()._named() if name not in ("scope", "clock")]

    def check(self) -> None:
        """Raise unless state, room and scope are what the engine knows."""
        super().check()
        Detect.validate(self)  # a class with a check of its own may have left it out
        name = type(self).__name__
        if hasattr(self, "memory"):
            raise InputError(
                f"{name}.memory is not read: declare state = db.State('name', …) and use state.name"
            )
        silent = self.alarm is calm and self.due is unplanned
        if silent and Detect in type(self).__bases__ and not self.trusted:
            raise InputError(f"{name} must have a staticmethod alarm or due")
        require(isinstance(self.state, State), f"{name}.state", self.state, "be a db.State")
        whole(f"{name}.room", self.room, least=0)
        if not self.trusted:
            self._check_returns()

    def _check_returns(self) -> None:
        """Raise if a function returns something else than yes or no, at a few examples.

        An error there does not count: a rule need not work for numbers that it never meets.
        """
        room = ([0.0] * self.room,) if self.room else ()
        blank = self.state.blank
        examples: list[tuple[str, tuple[Any, ...]]] = [
            ("alarm", (blank(), *room, 0.5, 2.0)),
            ("alarm", (blank(), *room, 0.3, 7.0)),
            ("due", (8.0,)),
        ]
        for name, arguments in examples:
            try:
                answer = getattr(type(self), name)(*arguments, *self.numbers())
            except Exception:  # whatever a user's function raises
                continue
            fits = is_flag(answer) or as_float(answer) in (0.0, 1.0)
            require(fits, f"what {type(self).__name__}.{name} returns", answer, "be True or False")
