"""Which rows count for the value of now: a window or a half-life before the end of the log."""

from __future__ import annotations

import dataclasses

import numpy as np

from driftbandit.core.errors import InputError, shown
from driftbandit.logs.rows import Floats
from driftbandit.rules.forget import HalfLife, TimeWindow


@dataclasses.dataclass(frozen=True)
class Recent:
    """V̂ = Σ_t α_t x_t / Σ_t α_t, x_t being a row's term and α_t its weight by age.

    α_t = 1{T − t < w} for `TimeWindow(w)`, 2^(−(T − t)/h) for `HalfLife(h)`, T the end of the log.
    It estimates the value of now with the bias of what was different then: the longer the memory,
    the less noise and the more bias.

    Reference: Jagerman, Markov & de Rijke, *When people change their mind: off-policy evaluation in
    non-stationary recommendation environments*, WSDM 2019.

    >>> Recent(HalfLife(10.0), end=100.0).weights(np.array([80.0, 90.0, 100.0])).tolist()
    [0.25, 0.5, 1.0]
    """

    memory: HalfLife | TimeWindow
    end: float

    def weights(self, time: Floats) -> Floats:
        """Return the weights of rows by their time."""
        age = self.end - time
        if isinstance(self.memory, HalfLife):
            decayed: Floats = np.exp2(-age / self.memory.numbers()[0])
            return decayed
        return np.where(age < self.memory.numbers()[0], 1.0, 0.0)


def recent_of(memory: object, end: float) -> Recent | None:
    """Return the weights of a memory, None for all rows alike, or raise."""
    if memory is None:
        return None
    if not isinstance(memory, HalfLife | TimeWindow):
        raise InputError(
            f"memory must be a TimeWindow or a HalfLife, or left out, got {shown(memory)}"
        )
    return Recent(memory, end)
