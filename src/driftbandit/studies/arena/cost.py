"""The time per round of each policy, measured apart from the simulation."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping

from driftbandit.engine.simulate import simulate
from driftbandit.environments import World
from driftbandit.policies import Strategy

RUNS = 64
"""Runs per timing: the fewest that are played at full speed."""
PATIENCE = 0.1
"""Seconds after which a policy is not timed again on a problem."""


def time_policies(policies: Mapping[str, Strategy], world: World, repeats: int) -> dict[str, float]:
    """Return nanoseconds per round and run by label: the median of `repeats` on one thread.

    Policies take turns, so that all meet the same load. It is processor time, so that waiting for
    a core does not count. Compiling is not included: each policy has played before, in the form in
    which it is timed, mostly that of middling jobs. Drawing rewards and, in a random world, means
    is included.
    """
    seconds: dict[str, list[float]] = {label: [] for label in policies}
    for _ in range(repeats):
        for label, policy in policies.items():
            if sum(seconds[label]) <= PATIENCE:
                seconds[label].append(_seconds(policy, world))
    rounds = RUNS * (world.horizon or 0)
    return {label: 1e9 * statistics.median(times) / rounds for label, times in seconds.items()}


def _seconds(policy: Strategy, world: World) -> float:
    start = time.process_time()
    simulate(policy, world, runs=RUNS, workers=1, checkpoints=1)
    return time.process_time() - start
