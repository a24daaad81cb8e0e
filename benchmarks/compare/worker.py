"""One side of a comparison: a process that times what it is asked to, in the code it imports.

It reads one JSON request per line and answers with one line each. It uses only the public API,
so that it runs in any checkout of the package.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

import driftbandit as db

# a policy that a checkout does not have fails when it is asked for, not at import
POLICIES: dict[str, Callable[[int, int], Any]] = {
    "UCB-1": lambda T, K: db.UCB1(),
    "EXP3.S": lambda T, K: db.EXP3S.tuned(T, 2, K),
    "D-UCB": lambda T, K: db.DiscountedUCB(0.9975),
    "SW-UCB": lambda T, K: db.SlidingWindowUCB(1213),
    "KL-UCB": lambda T, K: db.StationaryKLUCB(),
    "Thompson": lambda T, K: db.Thompson(),
    "GLR-klUCB": lambda T, K: db.GLRklUCB.tuned(T, K),  # noqa: PLW0108  # see above
    "Auto": lambda T, K: db.Auto(),
}


def simulated(policy: str, arms: int, horizon: int, runs: int) -> float:
    """Return the seconds per round and run of `simulate` on one thread."""
    player, world = POLICIES[policy](horizon, arms), _world(arms, horizon)
    start = time.process_time()
    db.simulate(player, world, horizon=horizon, runs=runs, seed=1, workers=1)
    return (time.process_time() - start) / (horizon * runs)


def live(policy: str, arms: int, horizon: int) -> float:
    """Return the seconds per round of a live agent: choose and learn."""
    agent = POLICIES[policy](horizon, arms).agent(arms, seed=1)
    choose, learn, draw = agent.choose, agent.learn, Random(1).random
    world = _world(arms, horizon)
    means = getattr(world, "mean_rewards", None) or world.means  # its name in older checkouts
    rows = means(1, horizon).tolist()
    start = time.process_time()
    for row in rows:
        arm = choose()
        learn(arm, 1.0 if draw() < row[arm] else 0.0)
    return (time.process_time() - start) / horizon


def _world(arms: int, horizon: int) -> Any:
    """Return the paper's first world for three arms, else a stationary one."""
    if arms == 3:
        return db.environments.two_swaps(horizon)
    return db.environments.Stationary(np.linspace(0.1, 0.9, arms).round(12))


TASKS: dict[str, Callable[..., float]] = {"simulate": simulated, "live": live}


def main() -> None:
    """Answer requests until the input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer: dict[str, Any] = {"seconds": TASKS[request.pop("task")](**request)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
