"""`rehearse`: live agents in a simulated world, under the conditions of production."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import itertools
import multiprocessing
import pickle
import signal
import threading
import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from multiprocessing import resource_tracker
from typing import Any, Unpack

from driftbandit.core.callbacks import require_function
from driftbandit.core.errors import LostWorkersError, check_names, require, whole
from driftbandit.engine.collector import Collector
from driftbandit.engine.executors import GUARD, packed, refuse_in_child
from driftbandit.engine.job import make_job
from driftbandit.engine.player import Piece
from driftbandit.engine.progress import Meter, Progress
from driftbandit.engine.result import Result
from driftbandit.environments import World
from driftbandit.live.ledger import TERMS
from driftbandit.live.memory import warn_of_short_memory
from driftbandit.policies.strategy import Strategy
from driftbandit.policies.terms import AgentTerms
from driftbandit.studies.rehearse.conditions import HOURS, Conditions
from driftbandit.studies.rehearse.play import Play, play_run


def rehearse(
    policies: Strategy | Iterable[Strategy],
    world: World,
    decisions: int | None = None,
    *,
    delay: Any = 0,
    lost: float = 0.0,
    duplicated: float = 0.0,
    arrivals: Any = None,
    arms: Any = None,
    servers: int = 1,
    behind: int = 0,
    runs: int = 100,
    seed: int = 0,
    workers: int = 1,
    checkpoints: int | Sequence[int] = 200,
    progress: Progress | None = None,
    **terms: Unpack[AgentTerms],
) -> Result:
    """Let live agents decide in `world`, and hand them rewards as production would.

    The result is like that of `simulate`, and is the same for policies that draw nothing and for
    exponential weights if none of these conditions is set:

    - `delay`: how late rewards come, a number of decisions, or a time such as "10m"; a pair is the
      shortest and the longest, all between them being equally likely; a function turns a uniform
      number into a number of decisions;
    - `lost`, `duplicated`: the shares of rewards that never come, and that come twice;
    - `arrivals`: decisions per hour, one number or one for each hour of the day, at random moments;
      by default one decision for every round of the world, a second apart unless the world says
      otherwise;
    - `arms`: a mapping from arms that come and go to their (first round, last round), None for
      the first or last of all; regret is against the best arm in play;
    - `servers`, `behind`: so many agents take turns and learn from one log of all decisions and
      rewards, of which each has not seen the last `behind` events.

    Anything else is for the agents: `floor`, `reward_within`, `default_reward` and so on (`Agent`).
    A reward that comes when its decision is over is refused by them, and lost.

    `workers` is the number of processes that play, each whole runs. As always with processes, a
    script that asks for several must guard its start by `if __name__ == "__main__":`.

    >>> import driftbandit as db
    >>> world = db.environments.two_swaps(horizon=1_000)
    >>> result = db.rehearse(db.DiscountedUCB(discount=0.99), world, delay=50, lost=0.1, runs=10)
    >>> result
    <Result: D-UCB in Piecewise, 1,000 rounds, 10 runs, seed 0>
    """
    check_names(terms, "rehearse", OPTIONS)
    job = make_job(policies, world, decisions, runs, seed, checkpoints, "decisions")
    require(isinstance(job.world, World), "world", world, "have arms with means, not with features")
    assert isinstance(job.world, World)
    conditions = Conditions.checked(delay, lost, duplicated, arrivals, arms, servers, behind)
    conditions.in_play(1, job.world.arms)
    require_function("progress", progress, "done, total")
    play = Play(dataclasses.replace(job, lanes=1), job.world, conditions, terms)
    _try_terms(play)
    collector, meter = Collector(play.job), Meter(play.job, progress)
    for run, pieces in enumerate(_played(play, min(whole("workers", workers), job.runs))):
        collector.add(run, pieces)
        meter.block(run)
    return collector.result()


OPTIONS = (*list(inspect.signature(rehearse).parameters)[2:-1], *TERMS)
"""The names of all options of a rehearsal, those of its agents included."""


def _try_terms(play: Play) -> None:
    """Make an agent of every policy, which checks the terms; warn where memory is short."""
    rates, seconds = play.conditions.arrivals, play.world.seconds_per_round
    pace = sum(rates) / (3600.0 * HOURS) if rates else 1.0 / seconds
    for policy in play.job.policies:
        agent = policy.agent(play.world.arms, **play.terms)
        within = agent.reward_within
        warn_of_short_memory(policy, within, pace * (within or 0.0), 4)
        _warn_of_silence(play, pace, within)


def _warn_of_silence(play: Play, pace: float, within: float | None) -> None:
    """Warn if rewards come when all is over, or when nobody waits for them."""
    delay, rounds = play.conditions.delay, float(play.job.horizon)
    unit, last = ("s", rounds / pace) if delay.in_seconds else ("decisions", rounds)
    if delay.shortest >= last:
        text = f"and the last decision comes after about {last:g} {unit}: hardly a reward comes"
    elif delay.in_seconds and within is not None and delay.shortest > within:
        text = f"and reward_within is {within:g} s: no reward comes in time"
    else:
        return
    warnings.warn(f"delay is {delay.shortest:g} {unit} or more, {text}", stacklevel=4)


def _played(play: Play, workers: int) -> Iterator[list[Piece]]:
    """Play all runs, here or in other processes; yield them in order."""
    runs = range(play.job.runs)
    if workers == 1:
        yield from map(functools.partial(play_run, play), runs)
        return
    refuse_in_child()
    _start_tracker()
    context = multiprocessing.get_context("spawn")  # a fork would copy locks that threads hold
    pool = ProcessPoolExecutor(workers, context, initializer=_leave_ctrl_c_to_the_parent)
    try:
        yield from pool.map(_play_packed, itertools.repeat(packed(play)), runs)
    except BrokenExecutor:
        raise LostWorkersError(
            f"a process of the rehearsal ended; nothing is kept; {GUARD}"
        ) from None
    finally:
        processes = list((pool._processes or {}).values())  # before 3.14 there is no other way
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()


def _start_tracker() -> None:
    """Start Python's tracker of shared semaphores so that it outlives a terminal that closes.

    It ignores Ctrl-C and SIGTERM. Ended by SIGHUP, it would leave tracebacks of its successor.
    """
    number, main = getattr(signal, "SIGHUP", None), threading.main_thread()
    if number is None or threading.current_thread() is not main:  # others may set no signals
        return
    before = signal.signal(number, signal.SIG_IGN)
    try:
        resource_tracker.ensure_running()
    finally:
        signal.signal(number, signal.SIG_DFL if before is None else before)


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_packed(payload: bytes, run: int) -> list[Piece]:
    return play_run(_opened(payload), run)


@functools.lru_cache(maxsize=1)
def _opened(payload: bytes) -> Play:
    """Open a rehearsal once per process."""
    play: Play = pickle.loads(payload)
    return play
