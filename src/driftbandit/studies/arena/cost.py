"""What a round of a policy costs, timed apart from the contest."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping

from driftbandit.engine.simulate import simulate
from driftbandit.environments import World
from driftbandit.policies import Strategy

RUNS = 64
"""Runs that are timed, whatever the contest has: the least that are played at full speed."""
PATIENCE = 0.1
"""Seconds after which a policy is timed no more often on a problem."""


def timed(players: Mapping[str, Strategy], world: World, repeats: int) -> dict[str, float]:
    """Return nanoseconds a round and run by label: the median of `repeats` on one thread.

    Policies take turns, so that all meet the same machine, and it is processor time, so that
    waiting for a core does not count. Each policy has been compiled before. Drawing rewards and,
    in a random world, means is part of it.
    """
    times: dict[str, list[float]] = {label: [] for label in players}
    for _ in range(repeats):
        for label, player in players.items():
            if sum(times[label]) <= PATIENCE:
                times[label].append(_seconds(player, world))
    rounds = RUNS * (world.horizon or 0)
    return {label: 1e9 * statistics.median(found) / rounds for label, found in times.items()}


def _seconds(player: Strategy, world: World) -> float:
    start = time.process_time()
    simulate(player, world, runs=RUNS, workers=1, checkpoints=1)
    return time.process_time() - start
