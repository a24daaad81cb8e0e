"""Exponential weights: which functions play what a rule says.

Weights are multiplied up (`multiplying`), also where exploration is watched (`watching`); where the
rate changes they are computed afresh from sums (`scores`).
"""

from __future__ import annotations

from driftbandit.engine.families import multiplying, scores, watching
from driftbandit.engine.families.setup import Setup, nothing
from driftbandit.engine.space import NO, YES, Shape, Space
from driftbandit.environments import World
from driftbandit.policies.learners import rescaling_period
from driftbandit.policies.weights import Weights
from driftbandit.special import exp_within_one


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


def begin(space: Space, shape: Shape, arms: int) -> None:
    """Give all arms the same weight, or score; whatever else is kept of them is zero."""
    space.state[: shape[0]] = 1.0
