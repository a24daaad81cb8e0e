"""The base of all reward laws: a quantile function with a certain mean."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.errors import require
from driftbandit.core.value import Value
from driftbandit.environments.laws.lookup import Lookup


@dataclasses.dataclass(frozen=True)
class Law(Value):
    """Base of every reward law: how a uniform number becomes a reward in [0, 1].

    A law is one plain function, `quantile(u, mean, parameters)`: for u uniform on (0, 1) its value
    lies in [0, 1], is monotone in u and has exactly the expectation `mean`. All arms use the same
    direction, so the policies of a comparison share their luck. A world multiplies rewards by its
    bound.

    Your own law is a subclass with its own static `quantile`. The engine compiles it; elsewhere it
    runs as plain Python. It may use `math`, arithmetic, `if`, `for`, indexing, and functions
    marked with `driftbandit.core.marking.compilable`. `parameters` are the law's numbers, by
    default its fields in order:

    >>> @dataclasses.dataclass(frozen=True)
    ... class ThreePoint(Law):
    ...     middle: float = 0.5  # how likely the reward is the mean itself
    ...     @staticmethod
    ...     def quantile(u, mean, parameters):
    ...         coin = (1.0 - parameters[0]) * (1.0 - mean)
    ...         if u <= coin:
    ...             return 0.0
    ...         return mean if u <= coin + parameters[0] else 1.0
    >>> law = ThreePoint(0.5)
    >>> [law.reward(u, 0.6) for u in (0.1, 0.5, 0.9)]
    [0.0, 0.6, 1.0]
    """

    name: ClassVar[str] = ""
    """The name of this law on the command line."""
    binary: ClassVar[bool] = False
    """Whether rewards are only 0 or 1."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Check that `quantile` has the right form; drop a parent's `lookup` of another one."""
        super().__init_subclass__(**options)
        method = inspect.getattr_static(cls, "quantile")
        static = isinstance(method, staticmethod) and callable(method.__func__)
        fits = static and len(inspect.signature(method.__func__).parameters) == 3
        require(
            fits, f"{cls.__name__}.quantile", method, "be a staticmethod of (u, mean, parameters)"
        )
        if "quantile" in vars(cls) and "lookup" not in vars(cls):
            cls.lookup = Law.lookup  # type: ignore[method-assign]  # a parent's is for its quantile

    @staticmethod
    def quantile(u: float, mean: float, parameters: NDArray[np.float64]) -> float:
        """Return the reward in [0, 1] for the uniform number `u`; its expectation is `mean`."""
        raise NotImplementedError

    def parameters(self) -> NDArray[np.float64]:
        """Return the numbers that `quantile` needs, as a one-dimensional array."""
        return np.array([getattr(self, f.name) for f in dataclasses.fields(self)], dtype=np.float64)

    def lookup(self, means: Sequence[float] | None) -> Lookup | None:
        """Return how `simulate` looks rewards up in place of computing quantiles, if it may.

        `means` are all that will occur, in units of the bound, where a world can name them; else
        None. A law without a `lookup` is computed in every round.
        """
        return None

    def reward(self, u: float, mean: float) -> float:
        """Return the reward for one uniform number, with this law's parameters."""
        return float(self.quantile(u, mean, self.parameters()))
