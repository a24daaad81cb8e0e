"""Baselines in lockstep over a block of runs."""

from __future__ import annotations

from typing import Any

from driftbandit.core.lanes import Block, width_of
from driftbandit.core.marking import compilable
from driftbandit.policies.setup import Function, Setup


def setup(choose: Function) -> Setup:
    """Return what plays a baseline that chooses its arms like this."""
    return Setup(choose=choose, learn=learn, noise=1)


@compilable
def choose_uniform(player: Any, block: Block, t: int, row: int) -> None:
    """Draw every arm with the same probability."""
    arms = block.arms
    for lane in range(width_of(block)):
        block.arm[lane] = min(int(block.noise[lane] * arms), arms - 1)


@compilable
def choose_best(player: Any, block: Block, t: int, row: int) -> None:
    """Choose the arm with the largest mean of the round, the lowest of equals."""
    arm, means, each = block.arm, block.means, 1 if block.means.shape[2] > 1 else 0
    for lane in range(width_of(block)):
        arm[lane] = 0
    for k in range(1, block.arms):
        for lane in range(width_of(block)):
            better = means[row, k, each * lane] > means[row, arm[lane], each * lane]
            arm[lane] = k if better else arm[lane]


@compilable
def learn(player: Any, block: Block, t: int, row: int) -> None:
    """Learn nothing."""
