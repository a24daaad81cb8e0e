"""A linear world whose θ changes abruptly, at declared rounds."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.domain import Checked, Count
from driftbandit.core.errors import InputError
from driftbandit.core.rounds import increasing_rounds
from driftbandit.environments.linear.actions import finite_rows
from driftbandit.environments.linear.world import LinearWorld
from driftbandit.environments.parameters import rounds_between


@dataclasses.dataclass(frozen=True)
class PiecewiseLinear(LinearWorld):
    """θ stays as it is until the next breakpoint.

    Parameters: `breakpoints`, strictly increasing rounds of at least 2; `thetas`, one row more than
    there are breakpoints: row 0 holds up to the round before the first breakpoint; `horizon`, the
    last round, if there is one; `actions` and `law` as for every linear world.

    >>> world = PiecewiseLinear(breakpoints=[3], thetas=[[1.0, 0.0], [0.0, 1.0]])
    >>> world.theta(2, 3).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    breakpoints: Annotated[Sequence[int], Checked(increasing_rounds)]
    thetas: Sequence[Sequence[float]]
    horizon: Count | None = None

    def validate(self) -> None:
        """Check that there is one row more than breakpoints."""
        rounds = self.breakpoints
        rows = finite_rows("thetas", self.thetas)
        if len(rows) != len(rounds) + 1:
            raise InputError(
                f"thetas must have {len(rounds) + 1} rows for {len(rounds)} breakpoints, "
                f"got {len(rows)}"
            )
        self._set(thetas=tuple(map(tuple, rows.tolist())))
        super().validate()

    @property
    def dimension(self) -> int:
        """The number of features d."""
        return len(self.thetas[0])

    def theta(self, first: int, last: int) -> NDArray[np.float64]:
        """Return θ of rounds `first` to `last`, both included: one row per round."""
        rounds = rounds_between(first, last, self.horizon)
        return np.array(self.thetas)[np.searchsorted(self.breakpoints, rounds, side="right")]
