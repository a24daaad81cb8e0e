"""Worlds whose breakpoints are fixed shares of the horizon, as in the published problems."""

from __future__ import annotations

from collections.abc import Sequence

from driftbandit.core.errors import whole
from driftbandit.environments.laws import Law
from driftbandit.environments.piecewise import Piecewise

Rows = Sequence[Sequence[float]]


def in_segments(
    rows: Rows, horizon: int, law: Law, ends: Sequence[int] | None = None, parts: int | None = None
) -> Piecewise:
    """Return a world whose row j holds up to the share `ends[j]` / `parts` of the horizon.

    A share of the horizon is rounded down to a whole round; the next row holds from the round after
    it. By default all segments are equally long.

    >>> from driftbandit.environments.laws import Bernoulli
    >>> in_segments([[0.1], [0.2], [0.3]], 10, Bernoulli()).breakpoints
    (4, 7)
    """
    whole_parts = len(rows) if parts is None else parts
    T = whole("horizon", horizon, least=whole_parts)
    shares = range(1, len(rows)) if ends is None else ends
    breakpoints = [1 + T * share // whole_parts for share in shares]
    return Piecewise(breakpoints, rows, horizon=T, law=law)
