"""`tune`: the best parameters of a policy in worlds like yours, by simulation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from driftbandit.core.arrays import listed
from driftbandit.core.callbacks import require_function
from driftbandit.core.errors import InputError, horizon_of, is_several, require, whole
from driftbandit.engine import changes
from driftbandit.environments import World
from driftbandit.studies.progress import Progress
from driftbandit.studies.tune.evaluation import EVALUATIONS, evaluate
from driftbandit.studies.tune.halving import successive_halving
from driftbandit.studies.tune.result import Tuned
from driftbandit.studies.tune.sensitivity import Case
from driftbandit.studies.tune.simulator import Simulator
from driftbandit.studies.tune.task import Task
from driftbandit.studies.tune.tunable import Maker, Tunable


def tune(
    policy: Maker | str,
    worlds: World | Iterable[World],
    horizon: int | None = None,
    runs: int = 1_000,
    seed: int = 0,
    *,
    search: Mapping[str, Any] | None = None,
    breakpoints: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Tuned:
    """Search for the parameters of a policy that have the least mean regret.

    `policy` is a preset such as `SlidingWindowUCB`, its name, or any callable that makes a policy
    from parameters. `worlds` is a world or several; with several, the mean of their regrets counts.
    The two may also come in the other order.

    `search` holds the values to try by parameter: a pair (low, high), a `Range`, a list or an
    array of values, one value, or None for the default range. Parameters that it does not name are
    as the papers' rule sets them. Without `search`, these are searched if the policy has them:
    window, discount, exploration, sharing, xi, temperature, zeta, confidence. Padding is not among
    them: an index depends on padding² · ξ only.

    The winner of a successive halving plays `runs` more runs with luck that the search has not met.
    With the same luck play the papers' rule for `breakpoints` changes (by default as many as
    `engine.changes` counts), a profile along the winner's main parameter, and the winner as set by
    a user who misjudges Υ or T by a factor of 2 or 4. `progress(done, total)` is called with rounds
    played.

    >>> import driftbandit as db
    >>> world = db.environments.two_swaps(horizon=500)
    >>> tuned = db.tune(db.SlidingWindowUCB, world, runs=60, search={"window": (10, 500)})
    >>> tuned.rule.forget, bool(tuned.regret["mean"] <= tuned.rule_regret["mean"])
    (Window(window=79), True)
    """
    maker, places = _in_order(policy, worlds)
    rounds, number = _horizon(places, horizon), whole("runs", runs, least=2)
    require_function("progress", progress, "done, total")
    first = whole("seed", seed, least=0, most=None)
    arms, bound = max(world.arms for world in places), max(world.bound for world in places)
    tunable = Tunable(maker, rounds, arms, bound)
    space = tunable.space(search)
    if breakpoints is None:
        breakpoints = changes(places, rounds)
    case = Case(rounds, whole("breakpoints", breakpoints, least=0), arms)
    simulator = Simulator(places, rounds, workers, progress)
    task = Task(tunable, space, simulator, case, number, first)
    simulator.plan(task.budget.plays() + EVALUATIONS * number)
    ladder = successive_halving(task.wide, task.budget, task.measure, task.along, task.first())
    return evaluate(task, ladder)


def _in_order(one: Any, other: Any) -> tuple[Maker | str, tuple[World, ...]]:
    """Return what makes the policy, and the worlds, whichever came first."""
    worlds_first = isinstance(one, World | Sequence) and not isinstance(one, str)
    return (other, _worlds(one)) if worlds_first else (one, _worlds(other))


def _worlds(worlds: Any) -> tuple[World, ...]:
    several = is_several(worlds)
    places = listed("worlds", worlds, "be worlds") if several else [worlds]
    require(len(places) > 0, "worlds", places, "hold at least one world")
    for world in places:
        fits = isinstance(world, World)
        require(fits, "worlds", world, "hold worlds of driftbandit.environments only")
    return tuple(places)


def _horizon(worlds: Sequence[World], horizon: int | None) -> int:
    ends = {horizon_of(horizon, world.horizon) for world in worlds}
    if len(ends) > 1:
        raise InputError(f"horizon must be given: the worlds end at {sorted(ends)}")
    return ends.pop()
