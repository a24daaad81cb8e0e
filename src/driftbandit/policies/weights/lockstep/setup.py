"""Which functions play exponential weights in lockstep.

Weights are multiplied up (`multiply`), also where exploration is watched (`watch`); where the rate
changes they are computed from sums every round (`scores`).
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from driftbandit.core.lanes import flag
from driftbandit.core.numerics import exp_within_one
from driftbandit.environments import AnyWorld
from driftbandit.policies.setup import Function, Setup, nothing
from driftbandit.policies.weights.live.multiply import rescaling_period
from driftbandit.policies.weights.lockstep import multiply, scores, watch
from driftbandit.policies.weights.lockstep.state import Flags, Numbers, Rules, make_state

if TYPE_CHECKING:
    from driftbandit.policies.weights.policy import Weights


def setup(policy: Weights, world: AnyWorld, horizon: int) -> Setup:
    """Return what plays `policy` in lockstep in a world."""
    arms = world.arms
    policy.check(arms)
    choose, learn, rows = steps(policy, arms)
    return Setup(
        choose=choose,
        learn=learn,
        rules=Rules(
            exponent=policy.exponent,
            exp=nothing if policy.schedule is not None else exponential(policy.steepest(arms)),
            schedule=policy.schedule or nothing,
            radius=policy.radius or nothing,
            floor=policy.floor or nothing,
        ),
        numbers=numbers_of(policy, arms),
        flags=Flags(flag(policy.fresh), flag(policy.batch > 0), flag(floored(policy))),
        make_state=functools.partial(make_state, rows),
        noise=1,
    )


def steps(policy: Weights, arms: int) -> tuple[Function, Function, int]:
    """Return how the policy chooses and learns, and how many rows an arm needs."""
    if policy.schedule is not None:
        return scores.choose, scores.learn, 5 if floored(policy) else 2
    if policy.watch(arms) is not None:
        return watch.choose, watch.learn, 3
    return multiply.choose, multiply.learn_one if policy.lone else multiply.learn_all, 1


def floored(policy: Weights) -> bool:
    """Say whether every arm has its own least probability."""
    return policy.floor is not None and policy.radius is not None


def exponential(steepest: float) -> Function:
    """Return the quickest exponential function for exponents of this size."""
    if steepest <= 1.0:
        return exp_within_one
    return multiply.exp_within_two if steepest <= 2.0 else multiply.any_exp


def numbers_of(policy: Weights, arms: int) -> Numbers:
    """Return the parameters of the policy with so many arms."""
    plain = policy.schedule is None
    draws, threshold = policy.watch(arms) or (0.0, 0.0)
    return Numbers(
        exponent=policy.numbers(),
        exploration=policy.exploration,
        share=policy.share(arms),
        bound=policy.bound,
        period=float(rescaling_period(policy, arms)) if plain else 0.0,
        batch=float(policy.batch),
        draws=draws,
        threshold=threshold,
    )
