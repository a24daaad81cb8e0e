"""`simulate`: policies in a world, many runs, on all cores, the same bits whatever the threads."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor, as_completed
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.engine import compiling
from driftbandit.engine.block import Job, Piece, play_block
from driftbandit.engine.result import Outcome, Result
from driftbandit.environments import World
from driftbandit.environments.laws import Law
from driftbandit.errors import InputError, require, whole
from driftbandit.policies import Strategy

Progress = Callable[[int, int], None]


def simulate(
    policies: Strategy | Iterable[Strategy],
    world: World,
    horizon: int | None = None,
    runs: int = 1_000,
    seed: int = 0,
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    checkpoints: int | Sequence[int] = 200,
    progress: Progress | None = None,
) -> Result:
    """Play every policy in `world` for `runs` runs of `horizon` rounds.

    The reward of an arm at round t of a run is a function of (seed, run, t) through one uniform
    number, so all policies meet the same luck and their differences are paired. Regret is the
    pseudo-regret Σ_t μ_t(*) − μ_t(I_t) against the best arm of each round. Same seed, same bits,
    whatever the number of `workers` (threads; default: all cores).

    An `executor` of `concurrent.futures`, such as a process pool, takes the place of threads;
    blocks of runs are sent to it, and the bits stay the same.

    `checkpoints` is how many evenly spaced rounds the curves are kept at, or the rounds
    themselves. `progress(done, total)` is called with the number of rounds played.

    >>> import driftbandit as db
    >>> world = db.environments.Stationary(means=(0.2, 0.8))
    >>> result = db.simulate([db.UCB1(), db.Oracle()], world, horizon=200, runs=100)
    >>> float(result["oracle"].final_regret.max())
    0.0
    >>> bool(result["UCB-1"].final_regret.mean() < 30)
    True
    """
    job = _job(policies, world, horizon, runs, seed, checkpoints)
    threads = whole("workers", workers) if workers is not None else os.cpu_count() or 1
    with compiling.explained():
        pieces = _play(job, min(threads, job.blocks), executor, progress)
    return _result(job, pieces)


def trace(
    policy: Strategy, world: World, horizon: int | None = None, runs: int = 1, seed: int = 0
) -> NDArray[np.int64]:
    """Return the arm played in every round of every run, shape (horizon, runs).

    >>> import driftbandit as db
    >>> world = db.environments.Stationary(means=(0.2, 0.8))
    >>> db.trace(db.UCB1(), world, horizon=6)[:, 0].tolist()[:2]
    [0, 1]
    """
    job = _job(policy, world, horizon, runs, seed, (1,))
    with compiling.explained():
        blocks = [play_block(job, block, trace=True)[0].arms for block in range(job.blocks)]
    return np.concatenate(blocks, axis=1)


def _job(
    policies: Strategy | Iterable[Strategy],
    world: World,
    horizon: int | None,
    runs: int,
    seed: int,
    checkpoints: int | Sequence[int],
) -> Job:
    """Check everything before anything is computed."""
    several = isinstance(policies, Iterable) and not isinstance(policies, str)
    players: tuple[Any, ...] = tuple(policies) if several else (policies,)  # type: ignore[arg-type]  # mypy loses the test above
    require(isinstance(world, World), "world", world, "be a world of driftbandit.environments")
    require(len(players) > 0, "policies", list(players), "hold at least one policy")
    for policy in players:
        require(isinstance(policy, Strategy), "policies", policy, "hold policies only")
        if policy.bound < world.bound:
            raise InputError(
                f"bound of {policy.label} must be at least the world's {world.bound:g}, "
                f"got {policy.bound:g}"
            )
    labels = [policy.label for policy in players]
    require(len(set(labels)) == len(labels), "labels", labels, "be different from each other")
    rounds = _horizon(world, horizon)
    _check_law(world.law)
    return Job(
        policies=players,
        world=world,
        horizon=rounds,
        runs=whole("runs", runs),
        seed=whole("seed", seed, least=0, most=None),
        marks=_marks(checkpoints, rounds),
    )


def _check_law(law: Law) -> None:
    """Try the law at a few points; a user's own may pay what compiled code does not expect."""
    for mean in (0.0, 0.1, 0.5, 1.0):
        for u in (1e-9, 0.25, 0.75, 1.0 - 1e-9):
            reward = law.reward(u, mean)
            if not 0.0 <= reward <= 1.0:
                raise InputError(
                    f"{type(law).__name__}.quantile must pay rewards in [0, 1], got {reward!r} "
                    f"for u = {u:g} and mean = {mean:g}"
                )


def _horizon(world: World, horizon: int | None) -> int:
    if horizon is None:
        if world.horizon is None:
            raise InputError("horizon must be given: the world has no end of its own")
        return world.horizon
    rounds = whole("horizon", horizon)
    if world.horizon is not None and rounds > world.horizon:
        raise InputError(f"horizon must be at most the world's {world.horizon}, got {rounds}")
    return rounds


def _marks(checkpoints: int | Sequence[int], horizon: int) -> tuple[int, ...]:
    """Return the rounds at which curves are kept, the last one always among them."""
    if isinstance(checkpoints, int | float | np.number):
        count = min(whole("checkpoints", checkpoints), horizon)
        return tuple(sorted({round(horizon * (i + 1) / count) for i in range(count)}))
    marks = [whole("checkpoints", mark) for mark in checkpoints]
    rising = all(early < late for early, late in itertools.pairwise(marks))
    inside = bool(marks) and marks[-1] <= horizon
    require(rising and inside, "checkpoints", marks, f"rise from 1 to at most {horizon}")
    return tuple(marks) if marks[-1] == horizon else (*marks, horizon)


class _Meter:
    """Adds up the rounds done by all threads, and stops them when the caller has gone."""

    def __init__(self, job: Job, progress: Progress | None) -> None:
        self.total = job.horizon * job.runs * len(job.policies)
        self.done, self.lock, self.progress = 0, threading.Lock(), progress
        self.stopped = False

    def __call__(self, rounds: int) -> None:
        if self.stopped:
            raise CancelledError
        with self.lock:
            self.done += rounds
            if self.progress is not None:
                self.progress(self.done, self.total)


def _play(
    job: Job, threads: int, executor: Executor | None, progress: Progress | None
) -> list[list[Piece]]:
    """Play all blocks, in any order; return them in theirs."""
    meter = _Meter(job, progress)
    if executor is not None:
        return list(_told(executor.map(partial(play_block, job), range(job.blocks)), job, meter))
    if threads == 1:
        return [play_block(job, block, meter) for block in range(job.blocks)]
    with ThreadPoolExecutor(threads) as pool:
        try:
            blocks = [pool.submit(play_block, job, block, meter) for block in range(job.blocks)]
            for done in as_completed(blocks):  # not in order: the first failure ends them all
                done.result()
        except BaseException:
            meter.stopped = True  # running blocks end at their next chunk, waiting ones never start
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [block.result() for block in blocks]


def _told(blocks: Iterable[list[Piece]], job: Job, meter: _Meter) -> Iterator[list[Piece]]:
    """Pass blocks on as they come from elsewhere, and say how many rounds that was."""
    for block, pieces in enumerate(blocks):
        meter(job.live(block) * job.horizon * len(job.policies))
        yield pieces


def _result(job: Job, blocks: list[list[Piece]]) -> Result:
    outcomes = {
        policy.label: _outcome(job, policy, [block[place] for block in blocks])
        for place, policy in enumerate(job.policies)
    }
    return Result(
        world=job.world,
        horizon=job.horizon,
        runs=job.runs,
        seed=job.seed,
        times=np.array(job.marks),
        outcomes=outcomes,
    )


def _outcome(job: Job, policy: Strategy, pieces: list[Piece]) -> Outcome:
    times = np.array(job.marks, dtype=np.float64)[:, None]
    total: Any = sum(piece.play_totals for piece in pieces)
    square: Any = sum(piece.play_squares for piece in pieces)
    share = total / (times * job.runs)
    variance = np.maximum(square / (times**2 * job.runs) - share**2, 0.0)
    return Outcome(
        policy=policy,
        regret=np.concatenate([piece.regret for piece in pieces]),
        suboptimal_plays=np.concatenate([piece.suboptimal_plays for piece in pieces]),
        plays=np.concatenate([piece.plays for piece in pieces]),
        play_share=share,
        share_error=np.sqrt(variance / max(job.runs - 1, 1)),
    )
