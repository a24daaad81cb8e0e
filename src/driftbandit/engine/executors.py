"""Where blocks run: in this thread, on threads of this process, or on an executor's workers.

Finished blocks are handed over one by one, in any order, and no more than a few blocks per worker
are on their way, so memory stays bounded however many blocks there are. The first failure ends them
all.
"""

from __future__ import annotations

import functools
import itertools
import multiprocessing
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool

from driftbandit.core.errors import InputError, LostWorkersError, require
from driftbandit.engine import first_use
from driftbandit.engine.block import play_block
from driftbandit.engine.job import Job
from driftbandit.engine.player import Piece
from driftbandit.engine.progress import Meter

AHEAD = 4
"""Blocks on their way per worker, so that none waits for work."""

GUARD = 'a script must guard its start by `if __name__ == "__main__":`'
"""What is most often wrong where new processes end at once."""

MANY = 64
"""Workers that an executor is taken to have by default."""

Collect = Callable[[int, list[Piece]], None]
Submit = Callable[[int], "Future[list[Piece]]"]


def run(
    job: Job,
    blocks: Sequence[int],
    collect: Collect,
    meter: Meter,
    workers: int | None = None,
    executor: Executor | None = None,
) -> None:
    """Play these blocks of a job; `collect(block, pieces)` gets each when it is done."""
    if executor is not None:
        if isinstance(executor, ProcessPoolExecutor):
            refuse_in_child()
        _run_elsewhere(job, blocks, collect, meter, workers or MANY, executor)
        return
    threads = min(workers or os.cpu_count() or 1, len(blocks))
    if threads > 1:
        _run_on_threads(job, blocks, collect, meter, threads)
        return
    for block in blocks:
        collect(block, play_block(job, block, meter))


def refuse_in_child() -> None:
    """Leave a process that another one starts while it imports a script that has no guard.

    It would start processes of its own, which Python refuses with a traceback in each of them. The
    process that started it says what happened.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        sys.exit(1)


def _run_on_threads(
    job: Job, blocks: Iterable[int], collect: Collect, meter: Meter, threads: int
) -> None:
    with ThreadPoolExecutor(threads) as pool:

        def submit(block: int) -> Future[list[Piece]]:
            return pool.submit(play_block, job, block, meter)

        try:
            _window(blocks, collect, submit, AHEAD * threads)
        except BaseException:
            meter.stopped = True  # running blocks end at their next chunk, waiting ones never start
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _run_elsewhere(
    job: Job,
    blocks: Iterable[int],
    collect: Collect,
    meter: Meter,
    workers: int,
    executor: Executor,
) -> None:
    play: Callable[[int], list[Piece]] = functools.partial(play_block, job)
    if not isinstance(executor, ThreadPoolExecutor):
        play = functools.partial(play_packed, packed(job))

    def submit(block: int) -> Future[list[Piece]]:
        return _submitted(executor, play, block)

    def collect_and_count(block: int, pieces: list[Piece]) -> None:
        _check_pieces(job, pieces)
        collect(block, pieces)
        meter.block(block)

    try:
        _window(blocks, collect_and_count, submit, AHEAD * workers)
    except (BrokenExecutor, CancelledError) as error:
        line = _line("the executor lost its workers", error)
        hint = f"; {GUARD}" if isinstance(error, BrokenProcessPool) else ""
        raise LostWorkersError(line + hint) from error
    except OSError as error:
        raise LostWorkersError(_line("a worker of the executor failed", error)) from error
    except Exception as error:
        if type(error).__module__.startswith("distributed"):  # such as KilledWorker
            raise LostWorkersError(_line("the cluster gave up", error)) from error
        raise


def _submitted(
    executor: Executor, play: Callable[[int], list[Piece]], block: int
) -> Future[list[Piece]]:
    """Hand a block to the executor, or raise if it takes none."""
    try:
        future: object = executor.submit(play, block)
    except (RuntimeError, OSError) as error:  # such as one that was shut down
        raise LostWorkersError(_line("the executor takes no work", error)) from error
    require(isinstance(future, Future), "what executor.submit returns", future, "be a Future")
    return future  # type: ignore[return-value]  # mypy loses the test above


def _check_pieces(job: Job, pieces: list[Piece]) -> None:
    """Raise unless a worker returned what it was asked for."""
    several = isinstance(pieces, list) and len(pieces) == len(job.policies)
    fits = several and all(isinstance(piece, Piece) for piece in pieces)
    require(fits, "what the executor returns", pieces, "be what the function it runs returns")


def _line(what: str, error: BaseException) -> str:
    reason = " ".join(str(error).split())
    return f"{what} ({type(error).__name__}{': ' if reason else ''}{reason})"


def _window(blocks: Iterable[int], collect: Collect, submit: Submit, width: int) -> None:
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
                collect(running.pop(future), future.result())
    finally:
        for future in running:
            future.cancel()


def packed(job: object) -> bytes:
    """Return a job as bytes that another process can open.

    These are kilobytes, unless the world holds a table of means. What lives in `__main__` or in a
    notebook is not found by name elsewhere, so it is packed by value where cloudpickle is
    installed, which it is with Dask.

    >>> from driftbandit.engine.job import make_job
    >>> import driftbandit as db
    >>> job = make_job(db.UCB1(), db.environments.two_swaps(), 10_000, 10**6, 0, 200)
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


def _by_value(job: object) -> bytes:
    try:
        import cloudpickle  # noqa: PLC0415  # comes with Dask, is not needed otherwise
    except ImportError:
        return pickle.dumps(job)
    payload: bytes = cloudpickle.dumps(job)
    return payload


@functools.lru_cache(maxsize=4)
def _opened(payload: bytes) -> Job:
    """Open a job once per process: rules that came by value would compile again in every block."""
    job: Job = pickle.loads(payload)
    return job


def play_packed(payload: bytes, block: int) -> list[Piece]:
    """Play a block of a packed job; this is all that is sent to an executor's workers."""
    with first_use.in_one_line():  # here, where the exception still has its traceback
        return play_block(_opened(payload), block)
