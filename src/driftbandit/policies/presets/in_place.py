"""What explores in a preset where `explore` may take the place of UCB(ξ, B)."""

from __future__ import annotations

from driftbandit.core.errors import InputError, plain, shown
from driftbandit.rules.explore import UCB, Explore


def ucb_or(explore: Explore | None, xi: float, bound: float, usual: float = 0.5) -> Explore:
    """Return UCB, or the rule in its place; raise if ξ or B would then have no effect.

    >>> ucb_or(None, 0.5, 1.0)
    UCB(xi=0.5, bound=1.0, padding=1.0)
    >>> ucb_or(UCB(2.0), 0.7, 1.0)
    Traceback (most recent call last):
    driftbandit.InputError: xi must be left out where explore takes the place of UCB, got 0.7
    """
    ucb = UCB(xi, bound)
    if explore is None:
        return ucb
    if ucb.xi != usual:
        raise InputError(
            f"xi must be left out where explore takes the place of UCB, got {plain(ucb.xi)}"
        )
    own = getattr(explore, "bound", ucb.bound)
    if ucb.bound not in (1.0, own):
        raise InputError(f"explore must have the bound {plain(ucb.bound)}, got {shown(explore)}")
    return explore
