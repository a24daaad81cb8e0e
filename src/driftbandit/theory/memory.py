"""What a discounted or windowed average remembers, for every round of a log."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from driftbandit.theory.sums import trailing_sums

Floats = NDArray[np.float64]


class Memory(NamedTuple):
    """A discount or a window, applied to a log with a row per round and a column per arm."""

    discount: float
    window: int | None
    last: NDArray[np.intp]
    """The row whose sums hold now: for a discount, that of the arm's last play.

    While an arm is not played, nothing but the age of its discounted average changes. So the
    average is that of its last play: the sums themselves fade away and would end as 0 / 0.
    """

    @classmethod
    def of(cls, mask: Floats, discount: float, window: int | None) -> Memory:
        """Return the memory of a log whose `mask` is 1 where an arm was played, else 0.

        >>> Memory.of(np.array([[1.0], [0.0], [1.0]]), 0.5, None).last.ravel()
        array([0, 0, 2])
        """
        row = np.broadcast_to(np.arange(len(mask))[:, np.newaxis], mask.shape)
        if window is None:
            row = np.maximum.accumulate(np.where(mask > 0.0, row, 0), axis=0)
        return cls(discount, window, row)

    @property
    def rounds(self) -> int:
        """The number of rounds of the log."""
        return len(self.last)

    def total(self, values: Floats, power: int = 1) -> Floats:
        """Return Σ γ^(power · age) value, with ages that count from the row that holds now."""
        sums = trailing_sums(values, self.discount**power, self.window or self.rounds)
        return sums if self.window else np.asarray(np.take_along_axis(sums, self.last, axis=0))

    def fading(self) -> Floats:
        """Return the logarithm of what the weights have lost since the row that holds now."""
        idle = np.arange(self.rounds)[:, np.newaxis] - self.last
        return np.asarray(-math.log(self.discount) * idle)

    def heaviest(self, rounds: NDArray[np.intp]) -> Floats:
        """Return n_t(γ²), the largest possible N_t(γ²), for each round t.

        >>> Memory.of(np.ones((3, 1)), 0.5, None).heaviest(np.array([1, 2, 3]))
        array([1.    , 1.25  , 1.3125])
        """
        held = np.minimum(rounds.astype(np.float64), self.window or math.inf)
        if self.discount == 1.0:
            return np.asarray(held)
        rate = 2.0 * math.log(self.discount)
        return np.asarray(np.expm1(rate * held) / math.expm1(rate))
