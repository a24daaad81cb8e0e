"""Compile ahead of the first use."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable

from driftbandit.core.errors import whole
from driftbandit.core.lanes import FEW
from driftbandit.engine import first_use
from driftbandit.engine.block import play_block
from driftbandit.engine.job import make_job
from driftbandit.environments import Stationary
from driftbandit.policies import EXP3S, UCB1, DiscountedUCB, SlidingWindowUCB


def warmup(progress: Callable[[str, float], None] | None = None, arms: int = 3) -> float:
    """Compile, or load from the cache, the paper's four policies; return the seconds it took.

    Code is made for a number of arms; the paper's worlds have three. From nine on it is the same
    for all. `progress(label, seconds)` is called after each policy.

    >>> warmup() > 0.0
    True
    """
    world = Stationary(means=(0.5,) * min(whole("arms", arms, least=2), FEW + 1))
    start = time.perf_counter()
    for policy in (UCB1(), EXP3S(), DiscountedUCB(0.99), SlidingWindowUCB(10)):
        begun = time.perf_counter()
        job = make_job(policy, world, horizon=20, runs=1, seed=0, checkpoints=1)
        with first_use.explained():
            play_block(dataclasses.replace(job, small=0), 0)
        if progress is not None:
            progress(policy.label, time.perf_counter() - begun)
    return time.perf_counter() - start
