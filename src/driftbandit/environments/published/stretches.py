"""Stretches of rounds in given proportions, as the published problems have them."""

from __future__ import annotations

from collections.abc import Sequence

from driftbandit.core.errors import whole
from driftbandit.environments.laws import Law
from driftbandit.environments.piecewise import Piecewise

Rows = Sequence[Sequence[float]]


def stretched(
    rows: Rows, horizon: int, law: Law, ends: Sequence[int] | None = None, parts: int | None = None
) -> Piecewise:
    """Return a world whose row j holds until a share `ends[j]` / `parts` of the rounds is played.

    Shares of rounds are rounded down, and new means hold from the round after. By default all
    stretches are equally long.

    >>> from driftbandit.environments.laws import Bernoulli
    >>> stretched([[0.1], [0.2], [0.3]], 10, Bernoulli()).breakpoints
    (4, 7)
    """
    whole_parts = len(rows) if parts is None else parts
    T = whole("horizon", horizon, least=whole_parts)
    shares = range(1, len(rows)) if ends is None else ends
    breakpoints = [1 + T * share // whole_parts for share in shares]
    return Piecewise(breakpoints, rows, horizon=T, law=law)
