"""A world that changes abruptly, at rounds that are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from numpy.typing import ArrayLike

from driftbandit.core.errors import InputError, whole
from driftbandit.environments.given import Breakpoints, Means, increasing, rows_of
from driftbandit.environments.laws import Law
from driftbandit.environments.world import COIN, World


@dataclass(frozen=True, init=False)
class Piecewise(World):
    """Means that stay as they are until the next breakpoint: the paper's setting.

    With breakpoints b_1 < b_2 < …, row 0 of `means` holds in rounds 1 to b_1 − 1, row 1 from
    round b_1 to b_2 − 1, and the last row from the last breakpoint on, for ever.

    Parameters: `breakpoints`, strictly increasing rounds of at least 2; `means`, one row more than
    there are breakpoints, each with one number in [0, bound] for each arm; `horizon`, the world's
    last round, if it has one.

    Reference: Garivier & Moulines, *On upper-confidence bound policies for non-stationary bandit
    problems*, 2008.

    >>> world = Piecewise(breakpoints=[3], means=[[0.5, 0.3], [0.5, 0.9]])
    >>> world.means(2, 3).tolist()
    [[0.5, 0.3], [0.5, 0.9]]
    >>> world.best_arm(4).tolist()
    [0, 0, 1, 1]
    >>> world.breakpoints, world.breakpoints(horizon=2)
    ((3,), [])
    """

    breakpoints: Breakpoints = field()
    means: Means = field()
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
        rounds = increasing("breakpoints", breakpoints)
        rows = rows_of("means", means, self.bound)
        if len(rows) != len(rounds) + 1:
            raise InputError(
                f"means must have {len(rounds) + 1} rows for {len(rounds)} breakpoints, "
                f"got {len(rows)}"
            )
        changes = [b for b, (old, new) in zip(rounds, pairwise(rows), strict=True) if old != new]
        self._set(
            breakpoints=Breakpoints(rounds, changes),
            means=Means(rows, starts=(1, *rounds), last=last),
            horizon=last,
        )

    @property
    def arms(self) -> int:
        """How many arms there are."""
        return len(self.means[0])

    def steady(self, first: int, last: int) -> bool:
        """Say whether there is no breakpoint after `first` up to `last`."""
        return not any(first < b <= last for b in self.breakpoints)
