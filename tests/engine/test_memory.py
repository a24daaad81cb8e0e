"""Every number exists once, and nothing grows with the horizon: counted, not measured."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import driftbandit as db
from same_bits import ARRAYS

WORLD = db.environments.Stationary((0.2, 0.8))
POLICIES = [db.UCB1(), db.Uniform()]


def peak(work: Callable[[], object]) -> int:
    """Return the most bytes that `work` held at a time, beyond what there was before."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def own_bytes(result: db.Result) -> int:
    return sum(getattr(result[label], name).nbytes for label in result for name in ARRAYS)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> db.Result:
    """Many runs of few rounds, all of them checkpoints; also compiles, and loads what is needed."""
    made = db.simulate(POLICIES, WORLD, horizon=200, runs=20_000, workers=2)
    folder = tmp_path_factory.mktemp("loads_polars_and_matplotlib")
    made.save(folder)
    made.plot(folder / "regret.png")
    return made


@pytest.mark.parametrize("checkpointed", [False, True])
def test_a_result_exists_once(result: db.Result, tmp_path: Path, checkpointed: bool) -> None:
    folder = tmp_path / "checkpointed" if checkpointed else None

    def simulate() -> None:
        db.simulate(POLICIES, WORLD, horizon=200, runs=20_000, workers=2, checkpoint=folder)

    assert peak(simulate) < 1.3 * own_bytes(result)
    if checkpointed:  # and so it does when all of it comes from the folder
        assert peak(simulate) < 1.3 * own_bytes(result)


def test_what_is_made_of_a_result_copies_no_curves(result: db.Result, tmp_path: Path) -> None:
    assert peak(result.summary().to_dict) < 0.1 * own_bytes(result)
    pieces = 2**24  # in which NumPy writes arrays, however large they are
    assert peak(lambda: result.save(tmp_path / "out")) < 0.1 * own_bytes(result) + pieces
    assert peak(lambda: result.plot(tmp_path / "out" / "regret.png")) < 0.1 * own_bytes(result)


@pytest.mark.parametrize(
    ("world", "horizon"),
    [
        # a fixed world keeps the means of a short job, so that both horizons must be long
        (db.environments.Stationary((0.5,) * 40), 30_000),
        (db.environments.Drift([0.0] * 40, [1.0] * 40, horizon=120_000), 30_000),
        (db.environments.Brownian(arms=4), 3_000),
    ],
    ids=lambda value: type(value).__name__,
)
def test_memory_does_not_grow_with_the_horizon(world: db.environments.World, horizon: int) -> None:
    policies = [db.Uniform(), db.SlidingWindowUCB(50)]

    def simulate(horizon: int) -> Callable[[], object]:
        return lambda: db.simulate(policies, world, horizon=horizon, runs=1, workers=1)

    simulate(100)()
    short, long = peak(simulate(horizon)), peak(simulate(4 * horizon))
    assert long < short + 2**17  # 90,000 (or 9,000) rounds more; a little is noise
    assert long < 2**25
