"""What the theorems guarantee for a policy in a world."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from driftbandit.core.errors import InputError, require
from driftbandit.environments import World
from driftbandit.policies import EXP3S, Policy, Strategy
from driftbandit.rules.detect import Never
from driftbandit.rules.explore import UCB
from driftbandit.rules.forget import Discount, Full, Window
from driftbandit.theory import discounted, exp3s, windowed
from driftbandit.theory.bound import Bound, regret


def guarantee(policy: Strategy, world: World, horizon: int) -> Bound:
    """Bound the regret of `policy` in `world`, with the world's own gaps and breakpoints.

    There are bounds for full history, discount or window × never × UCB, and for EXP3.S. ξ and the
    padding p matter through p²ξ alone, which must be more than 1/2 for a window or the full
    history, and more than 2 for a discount (whose printed padding is 2). In a world that changes,
    the bound for the full history is vacuous.

    >>> import driftbandit as db
    >>> world = db.environments.two_swaps(horizon=10**6)
    >>> bound = guarantee(db.SlidingWindowUCB(window=20_000, xi=0.6), world, 10**6)
    >>> bound.vacuous, sorted(bound.terms)
    (False, ['arm 0', 'arm 1', 'arm 2'])
    """
    require(isinstance(policy, Strategy), "policy", policy, "be a policy")
    require(isinstance(world, World), "world", world, "be a world")
    fits = policy.bound >= world.bound
    require(
        fits, f"bound of {policy.label}", policy.bound, f"be at least {world.bound:g}, the world's"
    )
    if world.random:
        raise InputError("world must have the same means in all runs: use world.realise(horizon)")
    breaks = len(world.find_breakpoints(horizon))
    if isinstance(policy, EXP3S):
        fits = policy.sharing > 0.0
        require(
            fits, f"sharing of {policy.label}", policy.sharing, "be more than 0 for its theorem"
        )
        return exp3s.regret(
            horizon, breaks, world.arms, policy.exploration, policy.sharing, policy.bound
        )
    plays = _plays(policy, world.arms, horizon, breaks)
    means = world.mean_rewards(1, horizon)
    largest = (means.max(axis=1, keepdims=True) - means).max(axis=0)
    arms = [k for k, gap in enumerate(largest) if gap > 0.0]
    if not arms:
        raise InputError("world must have an arm that is not always a best one")
    smallest = world.gaps(horizon)
    bound = regret([plays(float(smallest[k])) for k in arms], largest[arms].tolist(), horizon)
    terms = dict(zip((f"arm {k}" for k in arms), bound.terms.values(), strict=True))
    return dataclasses.replace(bound, terms=terms)


def _plays(policy: Strategy, arms: int, horizon: int, breaks: int) -> Callable[[float], Bound]:
    """Return the bound on the plays of an arm as a function of its smallest gap."""
    if not isinstance(policy, Policy) or not isinstance(policy.explore, UCB):
        raise InputError(f"policy must be UCB or EXP3.S, got {policy.label}")
    if not isinstance(policy.detect, Never):
        raise InputError(f"policy must never restart, got {policy.detect}")
    forget, weight = policy.forget, policy.explore.padding**2 * policy.explore.xi
    if isinstance(forget, Discount):
        xi = _enough(weight, 2.0) / 4.0
        return lambda gap: discounted.plays(
            horizon, breaks, gap, forget.discount, arms, xi, policy.bound
        )
    if isinstance(forget, Window | Full):
        window = forget.window if isinstance(forget, Window) else horizon
        xi = _enough(weight, 0.5)
        return lambda gap: windowed.plays(horizon, breaks, gap, window, arms, xi, policy.bound)
    raise InputError(f"policy must forget by a discount, a window or not at all, got {forget}")


def _enough(weight: float, least: float) -> float:
    require(weight > least, "padding² · xi", weight, f"be more than {least:g} for its theorem")
    return weight
