"""Players that learn nothing, in lockstep over a block of runs."""

from __future__ import annotations

from typing import Any

from driftbandit.core.lanes import Known, Shape, Space, known_lanes
from driftbandit.core.marking import compilable
from driftbandit.policies.setup import Function, Setup, nothing


def setup(choose: Function) -> Setup:
    """Return what plays a baseline that chooses its arm like this."""
    return Setup(
        begin=begin,
        choose=choose,
        learn=learn,
        functions=(nothing,) * 7,
        numbers=(),
        flags=(),
        rows=1,
        noise=1,
        ring=0,
    )


def begin(space: Space, shape: Shape, arms: int) -> None:
    """Nothing to set up."""


@compilable
def choose_uniform(
    index: Any, call: Any, lanes: int, shape: Shape, few: Known, arms: int, row: int, space: Any,
    numbers: Any, flags: tuple[Known, ...], means: Any,
) -> None:  # fmt: skip  # the signature of all families
    """Draw every arm with the same probability."""
    for lane in range(known_lanes(lanes)):
        space.arm[lane] = min(int(space.noise[lane] * arms), arms - 1)


@compilable
def choose_best(
    index: Any, call: Any, lanes: int, shape: Shape, few: Known, arms: int, row: int, space: Any,
    numbers: Any, flags: tuple[Known, ...], means: Any,
) -> None:  # fmt: skip  # the signature of all families
    """Play the arm with the largest mean of the round, the lowest of equals."""
    arm, each = space.arm, 1 if means.shape[2] > 1 else 0
    for lane in range(known_lanes(lanes)):
        arm[lane] = 0
    for k in range(1, arms):
        for lane in range(known_lanes(lanes)):
            better = means[row, k, each * lane] > means[row, arm[lane], each * lane]
            arm[lane] = k if better else arm[lane]


@compilable
def learn(
    factor: Any, span: Any, alarm: Any, due: Any, lanes: int, shape: Shape, few: Known, arms: int,
    t: int, space: Any, numbers: Any, flags: tuple[Known, ...], bound: float,
) -> None:  # fmt: skip  # the signature of all families
    """Learn nothing."""
