"""Nanoseconds per round: the engine and the yardsticks by turns, so that all meet one machine."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from benchmarks.speed.plan import Plan
from benchmarks.yardsticks.yardstick import PLAIN, Live, Yardstick
from driftbandit.engine.simulate import simulate
from driftbandit.policies import Strategy

Progress = Callable[[str, int, int], None]
Row = dict[str, Any]
Timer = Callable[[], float]

OURS = "driftbandit"
PATIENCE = 10.0
"""Seconds after which a program is not timed again."""


class Contender(NamedTuple):
    """Who plays, on how many threads."""

    who: str
    threads: int = 1


class Player(Protocol):
    """What is timed, by whom it is played."""

    @property
    def who(self) -> str:
        """The name of a program."""


Key = TypeVar("Key", bound=Player)
Times = dict[Key, list[float]]
BASE = Contender(OURS)


def rows(plan: Plan, yardsticks: Sequence[Yardstick], progress: Progress) -> Iterator[Row]:
    """Yield one row per policy, number of arms and contender."""
    games = [(arms, policy) for arms in plan.arms for policy in plan.policies(arms)]
    total = len(games) * (plan.repeats + 1)
    for place, (arms, policy) in enumerate(games):
        done, game = place * (plan.repeats + 1), f"{policy.label}, {arms} arms"
        progress(f"compiling {game}", done, total)
        simulated(plan, [policy], arms, 1)

        def step(number: int, start: int = done + 1, game: str = game) -> None:
            progress(game, start + number, total)

        timers = contenders(plan, policy, arms, yardsticks)
        times, failures = interleaved(timers, plan.repeats, step)
        for contender in (*times, *failures):
            yield {
                "who": contender.who,
                "policy": policy.label,
                "arms": arms,
                "threads": contender.threads,
                "ns": spread([1e9 * value for value in times.get(contender, ())]),
                "ratio": spread(ratios(times.get(contender, ()), times[BASE])),
                "failure": failures.get(contender),
            }


def contenders(
    plan: Plan, policy: Strategy, arms: int, yardsticks: Sequence[Yardstick]
) -> dict[Contender, Timer]:
    """Return what times each contender once, in seconds per round and run."""

    def ours(threads: int) -> Timer:
        return lambda: simulated(plan, [policy], arms, threads)

    def theirs(yardstick: Yardstick) -> Timer:
        return lambda: yardstick.seconds(policy, means)

    means = plan.world(arms).mean_rewards(1, min(plan.horizon, arms + plan.steps(arms)))
    timers = {Contender(OURS, threads): ours(threads) for threads in sorted({1, *plan.threads})}
    others: list[Yardstick] = [PLAIN, Live(), *yardsticks]
    able = [other for other in others if other.knows(policy, means)]
    return timers | {Contender(other.name): theirs(other) for other in able}


def interleaved(
    timers: Mapping[Key, Timer], repeats: int, step: Callable[[int], None]
) -> tuple[Times[Key], dict[Key, str]]:
    """Time all by turns, `repeats` times; return the times, and the error of who has none."""
    times: Times[Key] = {contender: [] for contender in timers}
    spent = dict.fromkeys(timers, 0.0)
    failures: dict[Key, str] = {}
    for number in range(repeats):
        step(number)
        for contender, timer in timers.items():
            if contender in failures or spent[contender] > PATIENCE:
                continue
            start = time.perf_counter()
            try:
                times[contender].append(timer())
            except Exception as error:
                if contender.who == OURS:
                    raise
                failures[contender] = f"{type(error).__name__}: {error}"
            spent[contender] += time.perf_counter() - start
    return {key: values for key, values in times.items() if key not in failures}, failures


def simulated(
    plan: Plan, policies: Sequence[Strategy], arms: int, threads: int, runs: int | None = None
) -> float:
    """Time `simulate` with its checkpoints, in seconds per round, run and policy."""
    number = plan.runs_with(arms) if runs is None else runs
    world = plan.world(arms)
    start = time.perf_counter()
    simulate(policies, world, horizon=plan.horizon, runs=number, workers=threads)
    return (time.perf_counter() - start) / (plan.horizon * number * len(policies))


def ratios(values: Sequence[float], base: Sequence[float]) -> list[float]:
    """Return each value divided by the base of the same turn.

    >>> ratios([4.0, 9.0], [2.0, 3.0, 1.0])
    [2.0, 3.0]
    """
    return [value / by for value, by in zip(values, base, strict=False)]


def spread(values: Sequence[float]) -> dict[str, float] | None:
    """Return median and range, or None if there are no values.

    >>> spread([3.0, 1.0, 2.0])
    {'median': 2.0, 'low': 1.0, 'high': 3.0}
    """
    if not values:
        return None
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}


def gains(plan: Plan, rows: Sequence[Row]) -> list[Row]:
    """Return how many times as fast a long job with the fewest arms is on more threads."""
    arms = min(plan.arms)
    mine = [row["ns"]["median"] for row in rows if _is_base(row) and row["arms"] == arms]
    runs = int(1.2e9 * plan.long / (sum(mine) * plan.horizon)) + 1
    policies = plan.policies(arms)
    more = [threads for threads in plan.threads if threads > 1]
    timers = {
        Contender(OURS, threads): _job(plan, policies, arms, threads, runs)
        for threads in (1, *sorted(more))
    }
    times, _ = interleaved(timers, min(3, plan.repeats), lambda _: None)
    rounds = runs * plan.horizon * len(policies)
    return [
        {
            "arms": arms,
            "threads": threads,
            "runs": runs,
            "seconds": spread([rounds * value for value in times[Contender(OURS, threads)]]),
            "gain": spread(ratios(times[BASE], times[Contender(OURS, threads)])),
        }
        for _, threads in timers
    ]


def _job(plan: Plan, policies: Sequence[Strategy], arms: int, threads: int, runs: int) -> Timer:
    return lambda: simulated(plan, policies, arms, threads, runs)


def _is_base(row: Row) -> bool:
    return (row["who"], row["threads"]) == BASE
