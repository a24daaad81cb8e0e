"""`arena`: policies × problems, all with the same luck."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from driftbandit.core.errors import InputError, one_of, require, whole
from driftbandit.engine.asking import asked
from driftbandit.engine.simulate import simulate
from driftbandit.environments import PROBLEMS, World
from driftbandit.policies import Strategy
from driftbandit.studies.arena.cost import timed
from driftbandit.studies.arena.lineup import Entry, entered, made
from driftbandit.studies.arena.result import Arena, Players, Regrets

Tell = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


def arena(
    policies: Mapping[str, Entry] | Iterable[str | Strategy] | None = None,
    problems: Mapping[str, World] | Iterable[str] | None = None,
    runs: int = 1_000,
    seed: int = 0,
    *,
    repeats: int = 3,
    workers: int | None = None,
    progress: Tell | None = None,
) -> Arena:
    """Play every policy on every problem for `runs` runs, and rank them.

    `policies` are policies, names of the default line-up, or a mapping from labels to policies and
    rules; a rule is a function of (world, horizon) that returns a policy, such as the paper's
    tuned ones. `problems` are names of `PROBLEMS`, or a mapping from names to worlds that have a
    last round. By default all of both.

    On a problem all policies meet the same luck, so differences are paired. After that each policy
    is timed on each problem, `repeats` times on one thread; 0 leaves this out. Same seed, same
    regrets; times are the machine's.

    >>> import driftbandit as db
    >>> found = db.arena(["UCB-1", "SW-UCB"], ["besson-4"], runs=100, repeats=0)
    >>> found.leaderboard["policy"].to_list()
    ['SW-UCB', 'UCB-1']
    """
    number = whole("runs", runs, least=2)
    worlds = _worlds(problems)
    players = _players(entered(policies), worlds, number, seed)
    again = whole("repeats", repeats, least=0)
    regrets = _played(players, worlds, number, seed, workers, progress)
    cost = _timed(players, worlds, again, progress) if again else {}
    return Arena(worlds, players, regrets, cost, number, whole("seed", seed, least=0, most=None))


def _worlds(problems: Mapping[str, World] | Iterable[str] | None) -> dict[str, World]:
    if isinstance(problems, Mapping):
        found = dict(problems)
    else:
        names = PROBLEMS if problems is None else problems
        several = isinstance(names, Iterable) and not isinstance(names, str)
        require(several, "problems", names, "be a list of names, or a mapping from names to worlds")
        found = {name: PROBLEMS[one_of("problem", name, PROBLEMS)]() for name in names}
    require(len(found) > 0, "problems", list(found), "hold at least one problem")
    for name, world in found.items():
        fits = isinstance(world, World)
        require(fits, f"problem {name}", world, "be a world of driftbandit.environments")
        if world.horizon is None:
            raise InputError(f"problem {name} must have a last round: give it a horizon")
    return found


def _players(
    entries: Mapping[str, Entry], worlds: Mapping[str, World], runs: int, seed: int
) -> Players:
    """Make the policies of every problem; what cannot be played is an error before anything is."""
    players: Players = {}
    for name, world in worlds.items():
        horizon = whole("horizon", world.horizon)
        mine = {label: made(label, entry, world, horizon) for label, entry in entries.items()}
        asked(mine.values(), world, horizon, runs, seed, 1)
        players[name] = mine
    return players


def _played(
    players: Players,
    worlds: Mapping[str, World],
    runs: int,
    seed: int,
    workers: int | None,
    progress: Tell | None,
) -> Regrets:
    sizes = {
        name: len(players[name]) * runs * (world.horizon or 0) for name, world in worlds.items()
    }
    total, before, regrets = sum(sizes.values()), 0, {}
    for name, world in worlds.items():

        def tell(done: int, _: int, start: int = before, at: str = name) -> None:
            if progress is not None:
                progress(at, start + done, total)

        tell(0, total)
        mine = players[name].values()
        found = simulate(
            mine, world, None, runs, seed, workers=workers, checkpoints=1, progress=tell
        )
        regrets[name] = {label: found[label].final_regret for label in found}
        before += sizes[name]
    return regrets


def _timed(
    players: Players, worlds: Mapping[str, World], repeats: int, progress: Tell | None
) -> dict[str, dict[str, float]]:
    cost = {}
    for done, (name, world) in enumerate(worlds.items()):
        if progress is not None:
            progress(f"timing on {name}", done, len(worlds))
        cost[name] = timed(players[name], world, repeats)
    return cost
