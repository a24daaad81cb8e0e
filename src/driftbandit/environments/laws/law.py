"""What a reward law is: a quantile function with a given mean."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.errors import require
from driftbandit.core.value import Value


@dataclasses.dataclass(frozen=True)
class Law(Value):
    """Base of every reward law: how a uniform number becomes a reward in [0, 1].

    A law is one plain function, `quantile(u, mean, parameters)`: for u uniform on (0, 1) its value
    lies in [0, 1], is monotone in u and has exactly the expectation `mean`. All arms use the same
    direction, so policies of a comparison share their luck. A world scales rewards by its bound.

    Your own law is a subclass with its own static `quantile`. It is compiled by the engine and
    called as it is elsewhere, so it may use `math`, arithmetic, `if`, `for` and indexing, and
    other functions marked with `driftbandit.core.marking.compilable`. Its numbers reach it as
    `parameters`, by default the law's fields in order:

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
    """What the command line calls this law."""
    binary: ClassVar[bool] = False
    """Whether rewards are only 0 or 1."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Check that a subclass has a `quantile` of the right form."""
        super().__init_subclass__(**options)
        found = inspect.getattr_static(cls, "quantile")
        static = isinstance(found, staticmethod) and callable(found.__func__)
        fits = static and len(inspect.signature(found.__func__).parameters) == 3
        require(
            fits, f"{cls.__name__}.quantile", found, "be a staticmethod of (u, mean, parameters)"
        )

    @staticmethod
    def quantile(u: float, mean: float, parameters: NDArray[np.float64]) -> float:
        """Return the reward in [0, 1] for the uniform number `u`, of expectation `mean`."""
        raise NotImplementedError

    def parameters(self) -> NDArray[np.float64]:
        """Return the numbers `quantile` needs, a one-dimensional array."""
        return np.array([getattr(self, f.name) for f in dataclasses.fields(self)], dtype=np.float64)

    def reward(self, u: float, mean: float) -> float:
        """Return the reward for one uniform number: `quantile` with this law's parameters."""
        return float(self.quantile(u, mean, self.parameters()))
