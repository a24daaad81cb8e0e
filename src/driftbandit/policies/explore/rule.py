"""The axis of exploration: the index that makes an arm worth a try."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import ClassVar

from driftbandit.errors import InputError
from driftbandit.policies.rule import Rule


@dataclasses.dataclass(frozen=True)
class Explore(Rule):
    """How an arm's value is judged; the arm with the largest index is played, ties to the lowest.

    A rule defines one of two functions:

    - `width(clock, …)`, for the index mean + width(clock) / √count. It is computed once a round,
      which makes these the fastest policies;
    - `index(mean, count, clock, …)` for anything else. With the class attribute `variance = True`
      the weighted variance of the rewards comes fourth, and with `noise = True` a uniform random
      number of (0, 1), fresh for every arm and round, comes next.

    An arm with no remembered play is always tried first, so the functions see count > 0. A field
    called `bound`, if there is one, is the largest reward B the rule can take.

    >>> from dataclasses import dataclass
    >>> import math
    >>> import driftbandit as db
    >>> @dataclass(frozen=True)
    ... class Optimist(db.Explore):
    ...     scale: float = 1.0
    ...
    ...     @staticmethod
    ...     def index(mean, count, clock, scale):
    ...         return mean + scale / math.sqrt(count)
    >>> agent = db.Policy(explore=Optimist(0.5)).agent(arms=2)
    >>> agent.choose()
    0
    """

    variance: ClassVar[bool] = False
    noise: ClassVar[bool] = False
    width: ClassVar[Callable[..., float] | None] = None
    index: ClassVar[Callable[..., float] | None] = None

    def handed(self) -> dict[str, tuple[str, ...]]:
        """Return the functions of an arm, of which a rule has one."""
        extra = ("variance",) * self.variance + ("noise",) * self.noise
        return {"width": ("clock",), "index": ("mean", "count", "clock", *extra)}

    def __init_subclass__(cls) -> None:
        """Refuse a rule that says nothing, or says it twice.

        A class that comes from another process by value is made empty and filled later.
        """
        super().__init_subclass__()
        body = {name: found for name, found in vars(cls).items() if name != "__module__"}
        if any(found is not None for found in body.values()):
            cls._say_one_thing()

    def check(self) -> None:
        """Raise unless the rule says one thing, and can be called with its fields."""
        self._say_one_thing()
        super().check()

    @classmethod
    def _say_one_thing(cls) -> None:
        if (cls.width is None) == (cls.index is None):
            raise InputError(f"{cls.__name__} must define exactly one of width and index")
