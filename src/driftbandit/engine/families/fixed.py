"""Players that learn nothing, in lockstep over a block of runs."""

from __future__ import annotations

from typing import Any

from driftbandit.engine.families.setup import Setup, nothing
from driftbandit.engine.passes import LANES
from driftbandit.marking import compilable
from driftbandit.policies.strategy import Strategy


def setup(policy: Strategy, arms: int, horizon: int) -> Setup:
    """Say which functions the engine needs to run `policy`."""
    return Setup(
        choose=choose_uniform if policy.family == "uniform" else choose_best,
        learn=learn,
        functions=(nothing,) * 5,
        numbers=(),
        flags=(),
        rows=1,
        noise=1,
        ring=0,
    )


def begin(state: Any, carry: Any) -> None:
    """Nothing to set up."""


@compilable
def choose_uniform(
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
    """Draw every arm with the same probability."""
    arms = state.shape[1]
    for lane in range(LANES):
        arm[lane] = min(int(noise[0, lane] * arms), arms - 1)


@compilable
def choose_best(
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
    """Play the arm with the largest mean of the round, the lowest of equals."""
    shared = means.shape[2] == 1
    arm[:] = 0
    for k in range(1, state.shape[1]):
        for lane in range(LANES):
            at = 0 if shared else lane
            arm[lane] = k if means[step, k, at] > means[step, arm[lane], at] else arm[lane]


@compilable
def learn(
    factor: Any,
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
    """Learn nothing."""
