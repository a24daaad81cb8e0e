"""The axis of exploration: the index that makes an arm worth a try."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np

from driftbandit.core.errors import InputError, flag, is_flag, is_number, require, whole
from driftbandit.rules.rule import Rule


@dataclasses.dataclass(frozen=True)
class Explore(Rule):
    """How an arm's value is judged; the arm with the largest index is played, ties to the lowest.

    A rule defines one of two functions:

    - `width(clock, …)`, for the index mean + width(clock) / √count. It is computed once a round,
      which makes these the fastest policies;
    - `index(mean, count, clock, …)` for anything else. Class attributes ask for more, which comes
      next in this order: `variance = True` for the weighted variance of the rewards; `noise = n`
      for n uniform random numbers of (0, 1), fresh for every arm and round, one as a number and
      several as a list; `arms = True` for the number of arms.

    An arm with no remembered play is tried first, so the functions see count > 0. With
    `prior = True` the index is computed for such an arm too, with mean 0 and count 0. A field
    called `bound`, if there is one, is the largest reward B the rule can take.

    A costly index that sees count and clock only through the share level(clock) / count, and is
    increasing and concave in it, may say so by two more functions: `level(clock, …)`, and
    `tangent(mean, share, …)`, which returns the index and its derivative with respect to the share.
    The engine then computes it only for arms that could have the largest. If any point of its curve
    is cheaper to find than the one at a share, it may have `near(mean, share, hint, …)` as well,
    which returns the share and the index of a point, the derivative there, and a number that helps
    to find a closer one next time (the hint, at first 0).

    A costly index may have a `draft` with the same arguments: the same number or NaN, by arithmetic
    without branches. The engine computes the draft of all runs in vector code, and the index only
    where that is NaN.

    An index with noise may have a `law(means, counts, clock, …)`, with the number of arms next if
    `arms = True`. It takes lists with one number for each arm that may be played, and returns the
    probability of each to have the largest index. Nothing is compiled here: it may use NumPy.

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
    noise: ClassVar[int] = 0
    arms: ClassVar[bool] = False
    prior: ClassVar[bool] = False
    width: ClassVar[Callable[..., float] | None] = None
    index: ClassVar[Callable[..., float] | None] = None
    draft: ClassVar[Callable[..., float] | None] = None
    level: ClassVar[Callable[..., float] | None] = None
    tangent: ClassVar[Callable[..., tuple[float, float]] | None] = None
    near: ClassVar[Callable[..., tuple[float, float, float, float]] | None] = None
    law: ClassVar[Callable[..., Sequence[float]] | None] = None

    def nan_index(self, arm: int) -> InputError:
        """Return the error of a rule whose index of an arm is not a number."""
        name = type(self).__name__
        return InputError(f"the index of {name} must be a number, got nan for arm {arm}")

    def signatures(self) -> dict[str, tuple[str, ...]]:
        """Return the functions of an arm, and what each is handed."""
        extra = ("variance",) * self.variance + ("noise",) * bool(self.noise)
        arms = ("arms",) * self.arms
        index = ("mean", "count", "clock", *extra, *arms)
        return {
            "width": ("clock", *arms),
            "index": index,
            "draft": index,
            "level": ("clock", *arms),
            "tangent": ("mean", "share", *arms),
            "near": ("mean", "share", "hint", *arms),
            "law": ("means", "counts", "clock", *arms),
        }

    def arguments(self, arms: int) -> tuple[float, ...]:
        """Return the numbers that the functions take last, where there are so many arms."""
        return (float(arms),) * self.arms + self.numbers()

    def __init_subclass__(cls) -> None:
        """Refuse a rule that says nothing, or says it twice.

        A class that comes from another process by value is made empty and filled later.
        """
        super().__init_subclass__()
        body = [value for name, value in vars(cls).items() if name != "__module__"]
        if any(value is not None for value in body):
            cls._say_one_thing()

    def check(self) -> None:
        """Raise unless the rule says one thing, and can be called with its fields."""
        self._say_one_thing()
        name = type(self).__name__
        whole(f"{name}.noise", int(self.noise) if is_flag(self.noise) else self.noise, least=0)
        for attribute in ("variance", "arms", "prior"):
            flag(f"{name}.{attribute}", getattr(self, attribute))
        super().check()
        pair = (self.level is None) == (self.tangent is None)
        require(pair, f"{name}.level", self.level, "come together with tangent")
        if self.tangent is not None and (self.index is None or self.variance or self.noise):
            raise InputError(f"{name}.tangent must belong to an index of mean, count and clock")
        if self.near is not None and self.tangent is None:
            raise InputError(f"{name}.near must come together with tangent")
        if self.draft is not None and (self.index is None or self.tangent is not None):
            raise InputError(f"{name}.draft must belong to an index that has no tangent")
        if not self.trusted:
            self._check_returns()

    def _check_returns(self) -> None:
        """Raise if a function returns something else than a number, at one example.

        An error there does not count: a rule need not work for numbers that it never meets.
        """
        noise = 0.5 if self.noise == 1 else np.full(self.noise, 0.5)
        examples = {"mean": 0.5, "count": 2.0, "clock": 8.0, "variance": 0.1, "noise": noise}
        for name in ("width", "index", "draft"):
            function = getattr(type(self), name)
            before = [examples.get(each, 3.0) for each in self.signatures()[name]]
            if function is None:
                continue
            try:
                number = function(*before, *self.numbers())
            except Exception:  # whatever a user's function raises
                continue
            fits = is_number(number) or is_flag(number)
            require(fits, f"what {type(self).__name__}.{name} returns", number, "be a number")

    @classmethod
    def _say_one_thing(cls) -> None:
        if (cls.width is None) == (cls.index is None):
            raise InputError(f"{cls.__name__} must define exactly one of width and index")
