"""A world that changes abruptly, at declared rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from driftbandit.core.errors import InputError, whole
from driftbandit.core.rounds import increasing_rounds
from driftbandit.environments.environment import COIN
from driftbandit.environments.laws import Law
from driftbandit.environments.parameters import Row, all_rows, rounds_between
from driftbandit.environments.world import World, run_of


@dataclass(frozen=True, init=False)
class Piecewise(World):
    """Means that stay as they are until the next breakpoint: the paper's setting.

    With breakpoints b_1 < b_2 < …, row 0 of `means` holds in rounds 1 to b_1 − 1, row 1 from
    round b_1 to b_2 − 1, and the last row from the last breakpoint on, for ever.

    Parameters: `breakpoints`, strictly increasing rounds of at least 2; `means`, one row more than
    there are breakpoints, each with one number in [0, bound] per arm; `horizon`, the world's last
    round, if it has one.

    Reference: Garivier & Moulines, *On upper-confidence bound policies for non-stationary bandit
    problems*, 2008.

    >>> world = Piecewise(breakpoints=[3], means=[[0.5, 0.3], [0.5, 0.9]])
    >>> world.breakpoints, world.means
    ((3,), ((0.5, 0.3), (0.5, 0.9)))
    >>> world.mean_rewards(2, 3).tolist()
    [[0.5, 0.3], [0.5, 0.9]]
    >>> world.best_arm(4).tolist()
    [0, 0, 1, 1]
    """

    breakpoints: tuple[int, ...]
    means: tuple[Row, ...]
    horizon: int | None = None

    def __init__(
        self,
        breakpoints: Sequence[int],
        means: ArrayLike,
        *,
        horizon: int | None = None,
        law: Law = COIN,
        bound: float = 1.0,
    ) -> None:
        """Check and store breakpoints and means."""
        super().__init__(law=law, bound=bound)
        last = None if horizon is None else whole("horizon", horizon)
        rounds = increasing_rounds("breakpoints", breakpoints)
        rows = all_rows("means", means, self.bound)
        if len(rows) != len(rounds) + 1:
            raise InputError(
                f"means must have {len(rounds) + 1} rows for {len(rounds)} breakpoints, "
                f"got {len(rows)}"
            )
        self._set(breakpoints=rounds, means=rows, horizon=last)

    @property
    def arms(self) -> int:
        """How many arms there are."""
        return len(self.means[0])

    @cached_property
    def _rows(self) -> NDArray[np.float64]:
        return np.array(self.means)

    def mean_rewards(self, first: int, last: int) -> NDArray[np.float64]:
        """Return the means of rounds `first` to `last`, both included: one row per round."""
        rounds = rounds_between(first, last, self.horizon)
        return self._rows[np.searchsorted(self.breakpoints, rounds, side="right")]

    def levels(self) -> NDArray[np.float64]:
        """Return the means of all stretches."""
        return self._rows

    def find_breakpoints(
        self, horizon: int | None = None, seed: int = 0, run: int = 0
    ) -> list[int]:
        """Return the breakpoints up to the horizon whose means differ from those before.

        >>> world = Piecewise(breakpoints=[3, 5, 9], means=[[0.1], [0.1], [0.2], [0.3]])
        >>> world.find_breakpoints(), world.find_breakpoints(horizon=8)
        ([5, 9], [5])
        """
        run_of(seed, run)
        last = np.inf if horizon is None else whole("horizon", horizon)
        stretches = zip(self.breakpoints, pairwise(self.means), strict=True)
        return [b for b, (old, new) in stretches if old != new and b <= last]

    def steady(self, first: int, last: int) -> bool:
        """Return whether there is no breakpoint after `first` up to `last`."""
        return not any(first < b <= last for b in self.breakpoints)
