"""What a family tells the engine about a policy."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.lanes import Known

Function = Callable[..., Any]


def nothing(*anything: Any) -> float:
    """Fill the place of a function that a family does not use."""
    return 0.0


@dataclasses.dataclass(frozen=True)
class Setup:
    """The functions that play a policy in lockstep, their numbers, and the memory they need.

    `begin(space, shape, arms)` sets the arrays up before the first round.
    `rows` numbers are kept an arm and lane, and `memory` more for a detector, `ring` rounds of
    plays, or `plays` of every arm; `noise` uniform numbers are drawn a round and lane, and the
    first `forced` rounds play arms 0, 1, 2, … in turn. `flags` are compiled in, `numbers` are not.
    Where arms are `crowded`, those of a lane lie side by side. `own` is what a lane's own
    memory is at first.
    """

    begin: Function
    choose: Function
    learn: Function
    functions: tuple[Function, ...]
    numbers: tuple[tuple[float, ...], ...]
    flags: tuple[Known, ...]
    rows: int
    noise: int
    ring: int
    plays: int = 0
    memory: int = 0
    force: Function = nothing
    forced: int = 0
    crowded: bool = False
    own: NDArray[np.float64] = dataclasses.field(default_factory=lambda: np.zeros(0))
