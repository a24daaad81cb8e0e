"""The two experiments of Garivier & Moulines 2008, section 5, with the parameters printed there."""

from __future__ import annotations

import dataclasses
import math

from driftbandit import environments
from driftbandit.environments import World
from driftbandit.policies import EXP3S, UCB1, DiscountedUCB, SlidingWindowUCB, Strategy

HORIZON = 10_000
BREAKPOINTS = (3_000, 5_000)
"""The rounds from which arm 3 of the first experiment is best, and is no longer."""

DISCOUNT = 1.0 - 1.0 / (4.0 * math.sqrt(HORIZON))
"""γ = 1 − 1/(4√T)."""
WINDOW = int(4.0 * math.sqrt(HORIZON * math.log(HORIZON)))
"""τ = 4√(T log T), as a whole number."""

PRINTED, HALVED = "D-UCB", "D-UCB (padding B)"
"""D-UCB with the padding 2B of the paper's formula, and with B, which its figure suggests."""

FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Multiples of each tuning parameter, to see whether the paper's choice is a good one."""


@dataclasses.dataclass(frozen=True)
class Experiment:
    """A world, the policies that play it, and the rounds at which curves are taken."""

    title: str
    world: World
    policies: tuple[Strategy, ...]
    checkpoints: tuple[int, ...]
    horizon: int = HORIZON


def abrupt() -> Experiment:
    """Return the first experiment: three arms, two breakpoints.

    >>> [policy.label for policy in abrupt().policies]
    ['UCB-1', 'EXP3.S', 'D-UCB', 'SW-UCB', 'D-UCB (padding B)']
    """
    rounds = (*range(49, HORIZON, 50), HORIZON)  # each breakpoint is the first round of a block
    world = environments.two_swaps()
    return Experiment("abrupt changes", world, policies(world.arms), rounds)


def continuous() -> Experiment:
    """Return the second experiment: two arms, one of them a cosine of three cycles (R = 1).

    >>> continuous().world.arms
    2
    """
    world = environments.periodic()
    rounds = tuple(range(50, HORIZON + 1, 50))
    return Experiment("continuous changes", world, policies(world.arms), rounds)


def policies(arms: int) -> tuple[Strategy, ...]:
    """Return the paper's four policies, and D-UCB with the padding B."""
    return (
        UCB1(xi=0.5),
        EXP3S.tuned(horizon=HORIZON, breakpoints=len(BREAKPOINTS), arms=arms),
        DiscountedUCB(DISCOUNT, label=PRINTED),
        SlidingWindowUCB(WINDOW),
        DiscountedUCB(DISCOUNT, padding=1.0, label=HALVED),
    )


def sweep() -> Experiment:
    """Return the first experiment with every tuning parameter at several multiples of its value.

    The parameters are 1 − γ of D-UCB, τ of SW-UCB and the exploration of EXP3.S.
    """
    first = abrupt()
    exp3s = EXP3S.tuned(horizon=HORIZON, breakpoints=len(BREAKPOINTS), arms=first.world.arms)
    swept: list[Strategy] = []
    for factor in FACTORS:
        discount, window = 1.0 - factor * (1.0 - DISCOUNT), round(factor * WINDOW)
        exploration = min(1.0, factor * exp3s.exploration)
        swept += [
            DiscountedUCB(discount, label=scaled_label(PRINTED, factor)),
            DiscountedUCB(discount, padding=1.0, label=scaled_label(HALVED, factor)),
            SlidingWindowUCB(window, label=scaled_label("SW-UCB", factor)),
            exp3s.replace(exploration=exploration, label=scaled_label("EXP3.S", factor)),
        ]
    return Experiment("tuning", first.world, tuple(swept), (HORIZON,))


def scaled_label(name: str, factor: float) -> str:
    """Return the label of a policy whose tuning parameter is multiplied by a factor.

    >>> scaled_label("SW-UCB", 0.25)
    'SW-UCB × 0.25'
    """
    return f"{name} × {factor:g}"
