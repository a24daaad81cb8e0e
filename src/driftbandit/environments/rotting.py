"""A world whose rewards only decay."""

from __future__ import annotations

from driftbandit.core.errors import real, whole
from driftbandit.environments.environment import COIN
from driftbandit.environments.laws import Law
from driftbandit.environments.piecewise import Piecewise


def rotting(horizon: int = 10_000, drop: float = 0.4, *, law: Law = COIN) -> Piecewise:
    """Return a world of two arms: one stays at 1/2, the other falls below it after T/4 rounds.

    The second has the mean 1/2 + drop/2, and 1/2 − drop/2 after T/4 rounds. In the source the drop
    comes with the plays of the arm; here it comes with the rounds, for all policies alike.

    Reference: Seznec, Locatelli, Carpentier, Lazaric & Valko, *Rotting bandits are no harder than
    stochastic ones*, 2019, section 5.

    >>> rotting(400).mean_rewards(100, 101).tolist()
    [[0.5, 0.7], [0.5, 0.3]]
    """
    rounds, half = whole("horizon", horizon, least=4), 0.5 * real("drop", drop, "[0, 1]")
    means = (0.5, 0.5 + half), (0.5, 0.5 - half)
    return Piecewise((rounds // 4 + 1,), means, horizon=rounds, law=law)
