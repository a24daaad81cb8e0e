"""`tune`: the best parameters of a policy in worlds like yours, found by simulation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from driftbandit.core.errors import InputError, horizon_of, require, whole
from driftbandit.engine import changes
from driftbandit.environments import World
from driftbandit.studies.tune.afresh import MEASURED, measured
from driftbandit.studies.tune.families import Family, Maker
from driftbandit.studies.tune.measuring import Arena, Progress
from driftbandit.studies.tune.mistakes import Case
from driftbandit.studies.tune.searching import search as search_box
from driftbandit.studies.tune.task import Task
from driftbandit.studies.tune.tuned import Tuned


def tune(
    worlds: World | Iterable[World],
    family: Maker | str,
    horizon: int | None = None,
    runs: int = 1_000,
    seed: int = 0,
    *,
    search: Mapping[str, Any] | None = None,
    breakpoints: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Tuned:
    """Search the parameters of a family of policies for the least mean regret.

    `worlds` is a world or several; of several, the mean regret counts. `family` is a preset such
    as `SlidingWindowUCB`, its name, or any callable that makes a policy from parameters.

    `search` says what is tried, by the parameter's name: a pair (low, high), a `Range`, a list of
    values, one value, or None for the default range. Parameters that it does not name are as the
    papers' rule sets them. Without `search`, these are searched if the family has them: window,
    discount, exploration, sharing, xi, temperature, zeta, confidence. Padding is not among them:
    an index sees padding² · ξ only.

    The best candidate of a successive halving is measured afresh, with `runs` runs of luck that
    the search has not met, beside the papers' rule for `breakpoints` changes (by default as many
    as the best arm makes), a profile of its main parameter, and itself as it were set by who is
    wrong about Υ or T by a factor of 2 or 4. `progress(done, total)` is called with rounds played.

    >>> import driftbandit as db
    >>> world = db.environments.two_swaps(horizon=500)
    >>> tuned = db.tune(world, db.SlidingWindowUCB, runs=60, search={"window": (10, 500)})
    >>> tuned.rule.forget, bool(tuned.regret["mean"] <= tuned.rule_regret["mean"])
    (Window(window=79), True)
    """
    places = _places(worlds)
    rounds, number = _horizon(places, horizon), whole("runs", runs, least=2)
    first = whole("seed", seed, least=0, most=None)
    arms, bound = max(world.arms for world in places), max(world.bound for world in places)
    maker = Family(family, rounds, arms, bound)
    space = maker.space(search)
    arena = Arena(places, rounds, workers, progress)
    if breakpoints is None:
        breakpoints = changes(places, rounds)
    case = Case(rounds, whole("breakpoints", breakpoints, least=0), arms)
    task = Task(maker, space, arena, case, number, first)
    arena.plan(task.plan.plays() + MEASURED * number)
    ladder = search_box(task.wide, task.plan, task.measure, task.along, task.first())
    return measured(task, ladder)


def _places(worlds: World | Iterable[World]) -> tuple[World, ...]:
    several = isinstance(worlds, Iterable) and not isinstance(worlds, str)
    places: tuple[Any, ...] = tuple(worlds) if several else (worlds,)  # type: ignore[arg-type]  # mypy loses the test above
    require(len(places) > 0, "worlds", list(places), "hold at least one world")
    for world in places:
        fits = isinstance(world, World)
        require(fits, "worlds", world, "hold worlds of driftbandit.environments only")
    return places


def _horizon(worlds: Sequence[World], horizon: int | None) -> int:
    ends = {horizon_of(horizon, world.horizon) for world in worlds}
    if len(ends) > 1:
        raise InputError(f"horizon must be given: the worlds end at {sorted(ends)}")
    return ends.pop()
