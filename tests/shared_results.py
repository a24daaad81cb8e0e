"""Results that several tests share."""

from __future__ import annotations

import dataclasses
import functools

import driftbandit as db
from driftbandit.studies.paper import Evidence, experiments

RUNS = 64


@functools.cache
def evidence() -> Evidence:
    """The paper's experiments with few runs."""
    return Evidence(*(_simulate(experiment) for experiment in parts()))


def parts() -> tuple[experiments.Experiment, ...]:
    """The experiments in the order in which `Evidence` takes them."""
    return experiments.abrupt(), experiments.continuous(), experiments.sweep()


def _simulate(experiment: experiments.Experiment) -> db.Result:
    return db.simulate(
        experiment.policies,
        experiment.world,
        horizon=experiment.horizon,
        runs=RUNS,
        seed=7,
        checkpoints=experiment.checkpoints,
    )


def dressed(result: db.Result, clothes: dict[str, str]) -> db.Result:
    """Return a result in which some policies wear the outcomes of others."""
    worn = {label: result[clothes.get(label, label)] for label in result}
    return dataclasses.replace(result, outcomes=worn)


def small(runs: int = 8, horizon: int = 400) -> db.Result:
    """A quick comparison of two policies."""
    world = db.environments.two_swaps(horizon)
    players = [db.UCB1(), db.SlidingWindowUCB(50)]
    return db.simulate(players, world, horizon=horizon, runs=runs, seed=1, checkpoints=20)
