"""`arena`: play policies × problems with the same luck, and rank the policies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from driftbandit.core.arrays import listed
from driftbandit.core.callbacks import require_function
from driftbandit.core.errors import InputError, one_of, require, whole
from driftbandit.core.text import is_line
from driftbandit.engine.job import make_job
from driftbandit.engine.simulate import simulate
from driftbandit.environments import PROBLEMS, World
from driftbandit.policies import Strategy
from driftbandit.studies.arena.cost import time_policies
from driftbandit.studies.arena.lineup import RANKED, Entry, entries_by_label, make_policy
from driftbandit.studies.arena.result import Arena, Players, Regrets
from driftbandit.studies.progress import TitledProgress, part


def arena(
    policies: Mapping[str, Entry] | Iterable[str | Strategy] | None = None,
    problems: Mapping[str, World] | Iterable[str] | None = None,
    runs: int = 1_000,
    seed: int = 0,
    *,
    repeats: int = 3,
    workers: int | None = None,
    progress: TitledProgress | None = None,
) -> Arena:
    """Play every policy on every problem for `runs` runs, and rank them.

    `policies` are policies, names of the default line-up, or a mapping from labels to policies and
    rules. A rule is a function of (world, horizon) that returns a policy, such as a paper's tuning
    rule. `problems` are names of `PROBLEMS`, or a mapping from names to worlds that have a last
    round. By default all policies of the line-up play the 15 problems that are ranked: all but
    f-dsw-2 and f-dsw-3.

    On each problem all policies meet the same luck, so differences are paired. After that each
    policy is timed on each problem, `repeats` times on one thread; 0 skips the timing. The same
    seed gives the same regrets; times depend on the machine.

    >>> import driftbandit as db
    >>> result = db.arena(["UCB-1", "SW-UCB"], ["besson-4"], runs=100, repeats=0)
    >>> result.leaderboard["policy"].to_list()
    ['SW-UCB', 'UCB-1']
    """
    number = whole("runs", runs, least=2)
    worlds = _worlds(problems)
    players = _players(entries_by_label(policies), worlds, number, seed)
    times = whole("repeats", repeats, least=0)
    require_function("progress", progress, "title, done, total")
    regrets = _play(players, worlds, number, seed, workers, progress)
    cost = _cost(players, worlds, times, progress) if times else {}
    return Arena(worlds, players, regrets, cost, number, whole("seed", seed, least=0, most=None))


def _worlds(problems: Mapping[str, World] | Iterable[str] | None) -> dict[str, World]:
    if isinstance(problems, Mapping):
        worlds = dict(problems)
    else:
        names = RANKED if problems is None else problems
        allowed = "be a list of names, or a mapping from names to worlds"
        chosen = [one_of("problem", name, PROBLEMS) for name in listed("problems", names, allowed)]
        worlds = {name: PROBLEMS[name]() for name in chosen}
    require(len(worlds) > 0, "problems", list(worlds), "hold at least one problem")
    for name, world in worlds.items():
        require(is_line(name), "problems", name, "have names of one line that can be seen")
        fits = isinstance(world, World)
        require(fits, f"problem {name}", world, "be a world of driftbandit.environments")
        if world.horizon is None:
            raise InputError(f"problem {name} must have a last round: give it a horizon")
    return worlds


def _players(
    entries: Mapping[str, Entry], worlds: Mapping[str, World], runs: int, seed: int
) -> Players:
    """Make the policies of every problem; raise before anything is played if one cannot play."""
    players: Players = {}
    for name, world in worlds.items():
        horizon = whole("horizon", world.horizon)
        policies = {
            label: make_policy(label, entry, world, horizon) for label, entry in entries.items()
        }
        make_job(policies.values(), world, horizon, runs, seed, 1)
        players[name] = policies
    return players


def _play(
    players: Players,
    worlds: Mapping[str, World],
    runs: int,
    seed: int,
    workers: int | None,
    progress: TitledProgress | None,
) -> Regrets:
    sizes = {
        name: len(players[name]) * runs * (world.horizon or 0) for name, world in worlds.items()
    }
    total, before, regrets = sum(sizes.values()), 0, {}
    for name, world in worlds.items():
        result = simulate(
            players[name].values(),
            world,
            None,
            runs,
            seed,
            workers=workers,
            checkpoints=1,
            progress=part(progress, name, before, total),
        )
        regrets[name] = {label: result[label].final_regret for label in result}
        before += sizes[name]
    return regrets


def _cost(
    players: Players, worlds: Mapping[str, World], repeats: int, progress: TitledProgress | None
) -> dict[str, dict[str, float]]:
    cost = {}
    for done, (name, world) in enumerate(worlds.items()):
        if progress is not None:
            progress(f"timing on {name}", done, len(worlds))
        cost[name] = time_policies(players[name], world, repeats)
    return cost
