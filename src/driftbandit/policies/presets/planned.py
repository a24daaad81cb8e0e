"""The named policies that start over by plan, whatever they see.

Both forget nothing between restarts. `explore`, where it is given, takes the place of UCB(ξ, B).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Unpack

from driftbandit.core.errors import real, whole
from driftbandit.core.numerics import ceiling_of
from driftbandit.policies.index.policy import Policy
from driftbandit.policies.presets.in_place import ucb_or
from driftbandit.policies.presets.preset import Cell, preset
from driftbandit.policies.presets.tuned import Others, Parameters, sets
from driftbandit.rules.detect import KnownRestart, PeriodicRestart
from driftbandit.rules.explore import UCB, Explore


@sets("period")
def wandering(
    horizon: int, variation: float, arms: int, *, bound: float = 1.0, **others: Unpack[Others]
) -> Parameters:
    """Set H = ⌈(K log K)^(1/3) (T B / V)^(2/3)⌉, at most T, where V = Σ_t max_i |Δμ_t(i)|."""
    T, K = whole("horizon", horizon), whole("arms", arms, least=2)
    V = real("variation", variation, "(0, inf)") / real("bound", bound, "(0, inf)")
    period = int(ceiling_of(math.cbrt(K * math.log(K)) * math.cbrt(T / V) ** 2))
    return {"period": min(period, T)}


@preset("periodic-ucb", Cell(Policy, detect=PeriodicRestart), tuned=wandering)
def PeriodicUCB(
    period: int,
    xi: float = 0.5,
    bound: float = 1.0,
    explore: Explore | None = None,
    label: str = "periodic UCB",
) -> Policy:
    """UCB-1 that starts over every H rounds, full history × planned restarts × UCB.

    H is `period`. `tuned` knows the horizon, the total variation of the means, and the arms.

    Fails where little changes: it pays for learning in every period. It is hardly ever the best,
    and seldom bad.

    Reference: Besbes, Gur & Zeevi 2014, whose Rexp3 restarts EXP3 so.

    >>> PeriodicUCB.tuned(horizon=10_000, variation=1.0, arms=3).detect
    PeriodicRestart(period=691)
    """
    return Policy(
        detect=PeriodicRestart(period),
        explore=ucb_or(explore, xi, bound),
        label=label,
    )


@preset("oracle-restart", Cell(Policy, detect=KnownRestart, explore=(UCB, Explore)))
def OracleRestart(
    rounds: Sequence[int],
    xi: float = 0.5,
    bound: float = 1.0,
    explore: Explore | None = None,
    label: str = "oracle restart",
) -> Policy:
    """UCB-1 that is told when the world changes, full history × known restarts × UCB.

    `rounds` are the first rounds of new stretches. What a detector can hope for at best.

    Not to be confused with `Oracle`, which knows the means. Not always the best: after a breakpoint
    that leaves the best arm as it is, what was known was worth keeping.

    Reference: Besson, Kaufmann, Maillard & Seznec 2022, section 6.

    >>> OracleRestart([3000, 5000]).detect
    KnownRestart(rounds=(3000, 5000))
    """
    detect = KnownRestart(rounds)
    return Policy(detect=detect, explore=ucb_or(explore, xi, bound), label=label)
