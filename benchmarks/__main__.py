"""How much faster than the yardsticks: `make bench`. One core, K = 3, T = 10⁴, in one run.

Every figure is the median of interleaved repetitions, so that a busy machine slows all alike.
"""

from __future__ import annotations

import statistics
import time

import driftbandit as db
from benchmarks import plain, vectorised
from driftbandit.experiments import paper

REPEATS = 7


def simulated(policy: db.Strategy, world: db.environments.World, runs: int = 1280) -> float:
    """Time `driftbandit.simulate` on one core, checkpoints included, per round and run."""
    start = time.perf_counter()
    db.simulate(policy, world, horizon=10_000, runs=runs, workers=1)
    return (time.perf_counter() - start) / (10_000 * runs)


def main() -> None:
    """Print nanoseconds a round and ratios."""
    world = db.environments.two_swaps()
    means = world.means(1, 10_000)
    table = means.tolist()
    print("policy     simulate    plain Python   ratio      NumPy   ratio")
    for policy in paper.policies(arms=3)[:4]:
        simulated(policy, world, runs=128)
        ours, slow, wide = [], [], []
        for _ in range(REPEATS):
            ours.append(1e9 * simulated(policy, world))
            slow.append(1e9 * plain.seconds_a_round(policy.label, table))
            wide.append(1e9 * vectorised.seconds_a_round(policy.label, means))
        a, b, c = (statistics.median(values) for values in (ours, slow, wide))
        print(f"{policy.label:8} {a:7.1f} ns {b:11.0f} ns {b / a:6.0f}x {c:7.0f} ns {c / a:6.1f}x")


if __name__ == "__main__":
    main()
