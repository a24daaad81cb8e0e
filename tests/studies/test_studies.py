"""Studies load on first use, and refuse what is no list or function."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import driftbandit as db
from driftbandit import studies
from driftbandit.studies.rehearse.conditions import Conditions
from driftbandit.studies.rehearse.traffic import traffic_of
from driftbandit.studies.tune.simulator import seed_of

WORLD = db.environments.Stationary(means=(0.2, 0.5, 0.8), law=db.environments.laws.Exact())


def test_every_study_is_there_in_a_fresh_process() -> None:
    code = (
        "import sys, driftbandit as db; print(db.studies.arena.LINEUP['UCB-1'] is not None,"
        " db.studies.tune.Range(1, 2).low, 'matplotlib' in sys.modules,"
        " db.studies.paper.reproduce.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "1", "False", "reproduce"]


def test_an_unknown_study_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'bench'"):
        studies.bench  # noqa: B018  # that is the point


@pytest.mark.parametrize("progress", [5, "loud", lambda: None])
def test_a_progress_that_cannot_be_called_is_refused_before_anything_runs(
    progress: Any, tmp_path: Path
) -> None:
    studies: list[Callable[[], object]] = [
        lambda: db.simulate(db.UCB1(), WORLD, horizon=10, runs=2, progress=progress),
        lambda: db.tune("sw-ucb", WORLD, horizon=10, runs=2, progress=progress),
        lambda: db.arena(["UCB-1"], ["two-swaps"], runs=2, progress=progress),
        lambda: db.studies.paper.growth(horizons=(10, 20), runs=2, progress=progress),
        lambda: db.studies.paper.reproduce(tmp_path / "new", runs=2, progress=progress),
    ]
    for study in studies:
        with pytest.raises(db.InputError, match=r"^progress must be a function of \("):
            study()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", [np.array(0.5), np.array(None, dtype=object), 5, "x"], ids=repr)
def test_a_single_thing_is_no_list_of_policies_worlds_or_problems(value: Any) -> None:
    calls: list[Callable[[], object]] = [
        lambda: db.simulate(value, WORLD, horizon=10, runs=2),
        lambda: db.trace(value, WORLD, horizon=10),
        lambda: db.tune("sw-ucb", value, horizon=10, runs=2),
        lambda: db.arena(value, ["two-swaps"], runs=2),
        lambda: db.arena(["UCB-1"], value, runs=2),
        lambda: db.engine.changes(value, 100),
        lambda: db.studies.paper.growth(horizons=value, runs=2),
    ]
    for call in calls:
        with pytest.raises(db.InputError, match=r"^(polic|world|problems|horizons)\w* must "):
            call()


def test_sets_have_no_order_to_play_or_record_in() -> None:
    marks: Any = frozenset([5, 10])
    with pytest.raises(db.InputError, match=r"^checkpoints must have an order"):
        db.simulate(db.UCB1(), WORLD, horizon=10, runs=2, checkpoints=marks)


def test_large_seeds_of_studies_are_not_small_ones_of_another_rung_or_run() -> None:
    small = {seed_of(5, rung) for rung in range(4)}
    assert small.isdisjoint(seed_of(5 + rung * 2**32, 0) for rung in range(1, 4))
    assert seed_of(5, 3) == int(np.random.SeedSequence([5, 3]).generate_state(1, np.uint64)[0])
    conditions = Conditions(lost=0.5)
    lost = [
        traffic_of(conditions, 200, 1.0, seed, run).deliveries
        for seed, run in ((5, 1), (5 + 2**32, 0), (5 + 2**32, 1))
    ]
    assert lost[0] != lost[1]
    assert lost[1] != lost[2]
