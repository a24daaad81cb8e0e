"""Results that several tests share."""

from __future__ import annotations

import dataclasses
import functools

import driftbandit as db
from driftbandit.studies.paper import Evidence, paper

RUNS = 64


@functools.cache
def evidence() -> Evidence:
    """The paper's experiments with few runs."""
    return Evidence(*(_simulated(part) for part in parts()))


def parts() -> tuple[paper.Experiment, ...]:
    """The experiments in the order in which `Evidence` takes them."""
    return paper.abrupt(), paper.continuous(), paper.sweep()


def _simulated(part: paper.Experiment) -> db.Result:
    return db.simulate(
        part.policies,
        part.world,
        horizon=part.horizon,
        runs=RUNS,
        seed=7,
        checkpoints=part.checkpoints,
    )


def dressed(result: db.Result, clothes: dict[str, str]) -> db.Result:
    """A made-up result in which each policy named has done what another one did."""
    worn = {label: result[clothes.get(label, label)] for label in result}
    return dataclasses.replace(result, outcomes=worn)


def small(runs: int = 8, horizon: int = 400) -> db.Result:
    """A quick comparison of two policies."""
    world = db.environments.two_swaps(horizon)
    players = [db.UCB1(), db.SlidingWindowUCB(50)]
    return db.simulate(players, world, horizon=horizon, runs=runs, seed=1, checkpoints=20)
