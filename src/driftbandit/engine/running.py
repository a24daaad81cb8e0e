"""Where blocks run: in this thread, on threads of this process, or on an executor's workers.

Finished blocks are handed over one by one, in any order, and no more than a few blocks for each
worker are on their way, so memory stays bounded however many blocks there are. The first failure
ends them all.
"""

from __future__ import annotations

import functools
import itertools
import os
import pickle
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)

from driftbandit.core.errors import InputError, LostWorkersError
from driftbandit.engine.block import Job, Piece, play_block

AHEAD = 4
"""Blocks on their way for each worker, so that none waits for work."""

MANY = 64
"""Workers that an executor is taken to have unless it is said."""

Progress = Callable[[int, int], None]
Keep = Callable[[int, list[Piece]], None]
Submit = Callable[[int], "Future[list[Piece]]"]


class Meter:
    """Adds up the rounds done by all workers, and stops threads when the caller has gone."""

    def __init__(self, job: Job, progress: Progress | None) -> None:
        self.job, self.progress = job, progress
        self.total = job.horizon * job.runs * len(job.policies)
        self.done, self.lock, self.stopped = 0, threading.Lock(), False

    def __call__(self, rounds: int) -> None:
        """Count rounds just played."""
        if self.stopped:
            raise CancelledError
        with self.lock:
            self.done += rounds
            if self.progress is not None:
                self.progress(self.done, self.total)

    def block(self, block: int) -> None:
        """Count all rounds of a block that was played elsewhere."""
        self(self.job.live(block) * self.job.horizon * len(self.job.policies))


def run(
    blocks: Sequence[int],
    keep: Keep,
    meter: Meter,
    workers: int | None = None,
    executor: Executor | None = None,
) -> None:
    """Play these blocks of the meter's job; `keep(block, pieces)` gets each when it is done."""
    if executor is not None:
        _run_elsewhere(blocks, keep, meter, workers or MANY, executor)
        return
    threads = min(workers or os.cpu_count() or 1, len(blocks))
    if threads > 1:
        _run_on_threads(blocks, keep, meter, threads)
        return
    for block in blocks:
        keep(block, play_block(meter.job, block, meter))


def _run_on_threads(blocks: Iterable[int], keep: Keep, meter: Meter, threads: int) -> None:
    with ThreadPoolExecutor(threads) as pool:

        def submit(block: int) -> Future[list[Piece]]:
            return pool.submit(play_block, meter.job, block, meter)

        try:
            _window(blocks, keep, submit, AHEAD * threads)
        except BaseException:
            meter.stopped = True  # running blocks end at their next chunk, waiting ones never start
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _run_elsewhere(
    blocks: Iterable[int], keep: Keep, meter: Meter, workers: int, executor: Executor
) -> None:
    play: Callable[[int], list[Piece]] = functools.partial(play_block, meter.job)
    if not isinstance(executor, ThreadPoolExecutor):
        play = functools.partial(play_packed, packed(meter.job))

    def submit(block: int) -> Future[list[Piece]]:
        return executor.submit(play, block)

    def keep_and_tell(block: int, pieces: list[Piece]) -> None:
        keep(block, pieces)
        meter.block(block)

    try:
        _window(blocks, keep_and_tell, submit, AHEAD * workers)
    except (BrokenExecutor, CancelledError) as error:
        raise LostWorkersError(_line("the executor lost its workers", error)) from error
    except Exception as error:
        if type(error).__module__.startswith("distributed"):  # such as KilledWorker
            raise LostWorkersError(_line("the cluster gave up", error)) from error
        raise


def _line(what: str, error: BaseException) -> str:
    told = " ".join(str(error).split())
    return f"{what} ({type(error).__name__}{': ' if told else ''}{told})"


def _window(blocks: Iterable[int], keep: Keep, submit: Submit, width: int) -> None:
    """Keep up to `width` blocks on their way; when one fails, call the others back."""
    waiting = iter(blocks)
    running: dict[Future[list[Piece]], int] = {}
    try:
        while True:
            for block in itertools.islice(waiting, width - len(running)):
                running[submit(block)] = block
            if not running:
                return
            done = wait(running, return_when=FIRST_COMPLETED).done
            while done:
                future = done.pop()
                keep(running.pop(future), future.result())
    finally:
        for future in running:
            future.cancel()


def packed(job: Job) -> bytes:
    """Return the job as bytes that another process can open; kilobytes, unless means are given.

    What lives in `__main__` or in a notebook is not found by name elsewhere, so it is packed by
    value where cloudpickle is installed, which it is with Dask.

    >>> from driftbandit.engine.asking import asked
    >>> import driftbandit as db
    >>> job = asked(db.UCB1(), db.environments.two_swaps(), 10_000, 10**6, 0, 200)
    >>> len(packed(job)) < 4096
    True
    """
    try:
        plain = pickle.dumps(job)
        return _by_value(job) if b"__main__" in plain else plain
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"policies and world must be picklable to be played elsewhere: {reason}"
        ) from None


def _by_value(job: Job) -> bytes:
    try:
        import cloudpickle  # noqa: PLC0415  # comes with Dask, is not needed otherwise
    except ImportError:
        return pickle.dumps(job)
    told: bytes = cloudpickle.dumps(job)
    return told


@functools.lru_cache(maxsize=4)
def _opened(told: bytes) -> Job:
    """Open a job once a process: rules that came by value would compile anew in every block."""
    job: Job = pickle.loads(told)
    return job


def play_packed(told: bytes, block: int) -> list[Piece]:
    """Play a block of a packed job; this is all that is sent to an executor's workers."""
    return play_block(_opened(told), block)
