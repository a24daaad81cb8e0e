"""Every policy in every game, by turns, in processor time."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from benchmarks.grid import lineup
from benchmarks.grid.limits import MORE_WITH_BETA, limit_of
from benchmarks.laws import seconds
from benchmarks.speed.measure import load, machine
from benchmarks.speed.rounds import OURS, Progress, Times, interleaved, ratios, spread
from benchmarks.yardsticks import vectorised
from benchmarks.yardsticks.catalogue import NumPy
from benchmarks.yardsticks.recipe import recipe
from driftbandit.cli.values import parse_policy
from driftbandit.environments import World
from driftbandit.environments.laws import Bernoulli, Beta, Law

COINS, BETA = "coins", "Beta(5)"
LAWS: dict[str, Law] = {COINS: Bernoulli(), BETA: Beta(5.0)}
REWARDS: dict[str, vectorised.Rewards] = {
    COINS: vectorised.coins,
    BETA: functools.partial(vectorised.beta, concentration=5.0),
}
NUMPY = NumPy()
LOOPS = ("ucb-1", "thompson")
"""The policies that are also played by a NumPy program."""
BASE = "ucb-1"
"""What all are compared with; it is always measured."""

Row = dict[str, Any]


class Size(NamedTuple):
    """Runs and rounds of a simulation, and how often each is timed."""

    runs: int = 256
    horizon: int = 2_000
    turns: int = 5


class Entry(NamedTuple):
    """Who plays which policy, with how many arms and which rewards; `preset` names the policy."""

    who: str
    preset: str
    policy: str
    arms: int
    law: str


def measure(
    texts: Sequence[str], arms: Sequence[int], size: Size, progress: Progress | None = None
) -> dict[str, Any]:
    """Time the policies with coins, and with the fewest arms with Beta rewards; return plain data.

    UCB-1 is always among them.
    """
    note = progress or (lambda *_: None)
    before = load()
    games = [*((number, COINS) for number in arms), (min(arms), BETA)]
    texts = list(dict.fromkeys([BASE, *texts]))
    timers = {key: timer for game in games for key, timer in _timers(texts, *game, size)}
    for place, (entry, timer) in enumerate(timers.items()):
        note(f"compiling {entry.policy}, {entry.arms} arms", place, len(timers))
        timer()
    times, _ = interleaved(timers, size.turns, lambda turn: note("by turns", turn, size.turns))
    return {
        "machine": machine(),
        **size._asdict(),
        "load": {"before": before, "after": load()},
        "rows": [_row(entry, times) for entry in times],
    }


def _timers(
    texts: Sequence[str], arms: int, law: str, size: Size
) -> Iterator[tuple[Entry, Callable[[], float]]]:
    """Yield what times a policy once, and its NumPy program, in seconds per round and run."""
    for text, policy in zip(texts, lineup.players(texts, arms, size.horizon), strict=True):
        preset = preset_of(text)
        world = lineup.world(policy, arms, size.horizon, LAWS[law])
        entry = Entry(OURS, preset, policy.label, arms, law)
        yield entry, functools.partial(seconds, policy, world, size.runs, size.horizon)
        if preset in LOOPS and recipe(policy) and isinstance(world, World):
            means = world.mean_rewards(1, size.horizon)
            clock, rewards = time.process_time, REWARDS[law]
            loop = functools.partial(NUMPY.seconds, policy, means, rewards=rewards, clock=clock)
            yield entry._replace(who=NUMPY.name), loop


def preset_of(text: str) -> str:
    """Return the name of the preset that a text calls.

    >>> preset_of("SW-UCB.tuned(breakpoints=1)")
    'sw-ucb'
    """
    return parse_policy(text).name.removesuffix(".tuned")


def _row(entry: Entry, times: Times[Entry]) -> Row:
    """Return what the turns say of an entry, next to UCB-1, its limit and the package."""
    mine, ours = times[entry], times[entry._replace(who=OURS)]
    # UCB-1 is the first policy of every game
    ucb1 = next(times[key] for key in times if (key.arms, key.law) == (entry.arms, entry.law))
    return {
        **entry._asdict(),
        "turns": len(mine),
        "ns": spread([1e9 * value for value in mine]),
        "times_ucb1": min(mine) / min(ucb1),
        "times_driftbandit": spread(ratios(mine, ours)) if entry.who != OURS else None,
        "limit": limit(entry.preset, entry.arms, entry.law, 1e9 * min(ucb1)),
    }


def limit(preset: str, arms: int, law: str, ucb1: float) -> float:
    """Return how many nanoseconds a round may take.

    >>> limit("thompson", 10, COINS, ucb1=4.0), limit("kl-ucb", 3, BETA, ucb1=4.0)
    (200.0, 42.0)
    """
    return limit_of(preset).ns(arms, ucb1) + (MORE_WITH_BETA if law == BETA else 0.0)
