"""`simulate`: policies in a world, many runs, anywhere, the same bits wherever they are played."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.callbacks import require_function
from driftbandit.core.errors import InputError, LostWorkersError, require, whole
from driftbandit.engine import executors, first_use
from driftbandit.engine.block import play_block
from driftbandit.engine.checkpoint import Store
from driftbandit.engine.collector import Collector
from driftbandit.engine.job import Job, make_job
from driftbandit.engine.player import Piece
from driftbandit.engine.progress import Meter, Progress
from driftbandit.engine.result import Result
from driftbandit.environments import AnyWorld
from driftbandit.policies import Strategy


def simulate(
    policies: Strategy | Iterable[Strategy],
    world: AnyWorld,
    horizon: int | None = None,
    runs: int = 1_000,
    seed: int = 0,
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoints: int | Sequence[int] = 200,
    progress: Progress | None = None,
) -> Result:
    """Play every policy in `world` for `runs` runs of `horizon` rounds.

    The reward of an arm at round t of a run is a function of (seed, run, t) through one uniform
    number, so all policies meet the same luck and their differences are paired. Regret is the
    pseudo-regret Σ_t μ_t(*) − μ_t(I_t) against the best arm of each round. Same seed, same bits,
    whatever the number of `workers` (threads; default: all cores). Policies and world may also come
    in the other order.

    An `executor` of `concurrent.futures` takes the place of threads: a process pool, Dask's
    `client.get_executor()`, or an `MPIPoolExecutor`. Blocks of runs are sent to it as kilobytes,
    and the bits stay the same. `workers` then says how many it has, by default 64; four blocks per
    worker are on their way at a time. A lost executor raises `LostWorkersError`. Call this from
    outside the executor: in its only worker it waits for itself, for ever.

    With a `checkpoint` folder, every finished block of runs is kept there, and a second start of
    the same job plays only the rest. The job may have more runs than before: run r is the same. A
    folder of another job is refused.

    `checkpoints` is how many evenly spaced rounds the curves are kept at, or the rounds
    themselves. `progress(done, total)` is called with the number of rounds played.

    In a linear world (`driftbandit.linear`) the arms are the actions of a round, drawn from the
    run's own stream, and the policies are linear ones, `Uniform` or `Oracle`.

    >>> import driftbandit as db
    >>> world = db.environments.Stationary(means=(0.2, 0.8))
    >>> result = db.simulate([db.UCB1(), db.Oracle()], world, horizon=200, runs=100)
    >>> float(result["oracle"].final_regret.max())
    0.0
    >>> bool(result["UCB-1"].final_regret.mean() < 30)
    True
    """
    job = make_job(policies, world, horizon, runs, seed, checkpoints)
    number = None if workers is None else whole("workers", workers)
    fits = executor is None or isinstance(executor, Executor)
    require(fits, "executor", executor, "be an executor of concurrent.futures")
    require_function("progress", progress, "done, total")
    store = None if checkpoint is None else Store(checkpoint, job)
    try:
        return _result(job if store is None else store.job, store, progress, number, executor)
    except LostWorkersError as lost:
        raise LostWorkersError(f"{lost}; {_way_on(store)}") from lost.__cause__
    finally:
        if store is not None:
            store.withdraw()


def _result(
    job: Job,
    store: Store | None,
    progress: Progress | None,
    workers: int | None,
    executor: Executor | None,
) -> Result:
    """Play what is missing of a job; return the result of all of it."""
    collector, meter = Collector(job), Meter(job, progress)
    missing = _missing(job, store, collector, meter)

    def collect(block: int, pieces: list[Piece]) -> None:
        if store is not None:
            store.write(block, pieces)
        collector.add(block, pieces)

    with first_use.explained():
        executors.run(job, missing, collect, meter, workers, executor)
    return collector.result()


def _missing(job: Job, store: Store | None, collector: Collector, meter: Meter) -> Sequence[int]:
    """Collect the blocks that an earlier start has finished; return those to be played."""
    if store is None:
        return range(job.blocks)
    missing = []
    for block in range(job.blocks):
        pieces = store.read(block)
        if pieces is None:
            missing.append(block)
        else:
            collector.add(block, pieces)
            meter.block(block)
    return missing


def _way_on(store: Store | None) -> str:
    if store is None:
        return "nothing is kept: give a checkpoint folder to be able to go on"
    return f"blocks that were finished are kept in {store.folder}: start again to play the rest"


def trace(
    policy: Strategy,
    world: AnyWorld,
    horizon: int | None = None,
    runs: int = 1,
    seed: int = 0,
) -> NDArray[np.int64]:
    """Return the arm played in every round of every run, shape (horizon, runs).

    In a linear world it is the number of the action. Policy and world may come in either order.

    >>> import driftbandit as db
    >>> world = db.environments.Stationary(means=(0.2, 0.8))
    >>> db.trace(db.UCB1(), world, horizon=6)[:, 0].tolist()[:2]
    [0, 1]
    """
    job = make_job(policy, world, horizon, runs, seed, (1,))
    require(len(job.policies) == 1, "policy", policy, "be one policy")
    arms = _room_for_trace(job)
    with first_use.explained():
        for block in range(job.blocks):
            first = block * job.width
            arms[:, first : first + job.live(block)] = play_block(job, block, trace=True)[0].arms
    return arms


def _room_for_trace(job: Job) -> NDArray[np.int64]:
    try:
        return np.empty((job.horizon, job.runs), dtype=np.int64)
    except (MemoryError, ValueError):  # the second from NumPy, beyond what it can count
        raise InputError(
            f"horizon must be smaller, or runs: {job.horizon} rounds of {job.runs} runs need "
            f"{8 * job.horizon * job.runs / 1e9:,.0f} GB of memory"
        ) from None
