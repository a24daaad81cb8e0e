"""Exponential weights: which functions play what a rule says.

Weights are multiplied up (`multiplying`), also where exploration is watched (`watching`); where the
rate changes they are computed afresh from sums (`scores`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from driftbandit.core.lanes import NO, YES
from driftbandit.core.numerics import exp_within_one
from driftbandit.environments import World
from driftbandit.policies.setup import Setup, nothing
from driftbandit.policies.weights import lockstep_multiply as multiplying
from driftbandit.policies.weights import lockstep_scores as scores
from driftbandit.policies.weights import lockstep_watching as watching
from driftbandit.policies.weights.live import rescaling_period

if TYPE_CHECKING:
    from driftbandit.policies.weights.policy import Weights


def setup(policy: Weights, world: World, horizon: int) -> Setup:
    """Say which functions and how much memory the engine needs to run `policy`."""
    arms = world.arms
    policy.check(arms)
    if policy.schedule is not None:
        return scores.setup(policy, world, horizon)
    steepest, watch = policy.steepest(arms), policy.watch(arms)
    wide = multiplying.exp_within_two if steepest <= 2.0 else multiplying.any_exp
    learn = multiplying.learn_lone if policy.lone else multiplying.learn_all
    times = (float(rescaling_period(policy, arms)), float(policy.batch))
    return Setup(
        begin=multiplying.begin,
        choose=multiplying.choose if watch is None else watching.choose_apart,
        learn=learn if watch is None else watching.learn_watching,
        functions=(
            policy.exponent,
            exp_within_one if steepest <= 1.0 else wide,
            *(nothing,) * 5,
        ),
        numbers=(
            policy.numbers(),
            (policy.exploration, policy.share(arms), policy.bound),
            times,
            watch or (),
        ),
        flags=(YES if policy.fresh else NO, YES if policy.batch else NO),
        rows=1 if watch is None else 3,
        noise=1,
        ring=0,
    )
