"""Exponential weights in lockstep over a block of runs."""

from __future__ import annotations

import math
from typing import Any

from driftbandit.engine.families.setup import Setup, nothing
from driftbandit.engine.passes import LANES
from driftbandit.marking import compilable
from driftbandit.policies.learners import LIGHTEST, rescaling_period
from driftbandit.policies.weights import Weights
from driftbandit.special import exp_within_one

WEIGHT, CHANCE = range(2)
"""Rows of `state`: the weight and the probability of an arm."""


def setup(policy: Weights, arms: int, horizon: int) -> Setup:
    """Say which functions and how much memory the engine needs to run `policy`."""
    policy.check(arms)
    exp = exp_within_one if policy.steepest(arms) <= 1.0 else any_exp
    period = float(rescaling_period(policy, arms))
    return Setup(
        choose=choose,
        learn=learn_lone if policy.lone else learn_all,
        functions=(policy.exponent, exp, nothing, nothing, nothing),
        numbers=(policy.numbers(), (policy.exploration, policy.sharing, policy.bound, period)),
        flags=(),
        rows=2,
        noise=1,
        ring=0,
    )


@compilable
def any_exp(x: float) -> float:
    """Return eˣ."""
    return math.exp(x)


def begin(state: Any, carry: Any) -> None:
    """Give all arms the same weight."""
    state[:] = 1.0


@compilable
def choose(
    index: Any,
    call: Any,
    step: int,
    state: Any,
    carry: Any,
    numbers: Any,
    noise: Any,
    means: Any,
    scratch: Any,
    arm: Any,
) -> None:
    """Draw the arm i with probability p_i = (1 − γ) w_i / W + γ / K by one uniform number."""
    exploration = numbers[1][0]
    arms = state.shape[1]
    floor = exploration / arms
    total, share, level = scratch[0], scratch[1], noise[0]
    for lane in range(LANES):
        total[lane] = 0.0
        arm[lane] = 0
    for k in range(arms):
        weight = state[WEIGHT, k]
        for lane in range(LANES):
            total[lane] += weight[lane]
    for lane in range(LANES):
        share[lane] = (1.0 - exploration) / total[lane]
    cumulated = scratch[2]
    cumulated[:] = 0.0
    for k in range(arms):
        weight, chance = state[WEIGHT, k], state[CHANCE, k]
        last = k == arms - 1
        for lane in range(LANES):
            chance[lane] = share[lane] * weight[lane] + floor
            cumulated[lane] += chance[lane]
            arm[lane] += 0 if last or level[lane] < cumulated[lane] else 1


@compilable
def learn_lone(
    exponent: Any,
    exp: Any,
    alarm: Any,
    t: int,
    state: Any,
    carry: Any,
    ring: Any,
    numbers: Any,
    flags: Any,
    scratch: Any,
    gone: Any,
    bound: float,
    arm: Any,
    x: Any,
) -> None:
    """Raise the weight of the arm played, then share; `scratch` still holds W from `choose`."""
    _, sharing, top, period = numbers[1]
    arms = float(state.shape[1])
    power = scratch[1]
    for lane in range(LANES):
        power[lane] = state[CHANCE, arm[lane], lane]
    for lane in range(LANES):
        gain = x[lane] / (top * power[lane])
        power[lane] = exp(exponent(gain, power[lane], arms, *numbers[0]))
    for lane in range(LANES):
        state[WEIGHT, arm[lane], lane] *= power[lane]
    finish(t, state, sharing, period, scratch)


@compilable
def learn_all(
    exponent: Any,
    span: Any,
    alarm: Any,
    t: int,
    state: Any,
    carry: Any,
    ring: Any,
    numbers: Any,
    flags: Any,
    scratch: Any,
    gone: Any,
    bound: float,
    arm: Any,
    x: Any,
) -> None:
    """Raise the weights of all arms, then share."""
    _, sharing, top, period = numbers[1]
    arms = float(state.shape[1])
    for k in range(state.shape[1]):
        weight, chance = state[WEIGHT, k], state[CHANCE, k]
        for lane in range(LANES):
            gain = x[lane] / top / chance[lane] if arm[lane] == k else 0.0
            weight[lane] *= math.exp(exponent(gain, chance[lane], arms, *numbers[0]))
    finish(t, state, sharing, period, scratch)


@compilable
def finish(t: int, state: Any, sharing: float, period: float, scratch: Any) -> None:
    """Share, and rescale now and then to a largest weight of 1."""
    total, largest = scratch[0], scratch[1]
    arms = state.shape[1]
    if sharing > 0.0:
        share = math.e * sharing / arms
        for k in range(arms):
            weight = state[WEIGHT, k]
            for lane in range(LANES):
                weight[lane] += share * total[lane]
    if t % int(period) == 0:
        largest[:] = 0.0
        for k in range(arms):
            for lane in range(LANES):
                largest[lane] = max(largest[lane], state[WEIGHT, k, lane])
        for k in range(arms):
            for lane in range(LANES):
                state[WEIGHT, k, lane] = max(state[WEIGHT, k, lane] / largest[lane], LIGHTEST)
