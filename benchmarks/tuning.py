"""How good is what `tune` finds, against a plain grid and scipy's optimisers with as many rounds?

    python -m benchmarks.tuning

Every way plays the same number of rounds and picks the parameters that it finds best. All picks are
then measured with many more runs of other luck. A number is the mean over seeds of the regret above
that of the best pick of all, in percent. Needs scipy.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable

import numpy as np
from scipy import optimize

import driftbandit as db
from driftbandit.engine import changes
from driftbandit.environments import World
from driftbandit.studies.tune.halving import Candidate, successive_halving
from driftbandit.studies.tune.sensitivity import Case
from driftbandit.studies.tune.simulator import Simulator
from driftbandit.studies.tune.task import Task
from driftbandit.studies.tune.tunable import Tunable

HORIZON, RUNS, SEEDS, CHECKED = 5_000, 400, 8, 4_000

Way = Callable[[Task, int], Candidate]


def halving(task: Task, plays: int) -> Candidate:
    return successive_halving(task.wide, task.budget, task.measure, task.along, task.first()).best


def grid(points: int) -> Way:
    """Return a grid with this many values per parameter."""

    def way(task: Task, plays: int) -> Candidate:
        side = [(place + 0.5) / points for place in range(points)]
        places = itertools.product(side, repeat=len(task.wide))
        tried = [_at(task, np.array(place)) for place in places]
        policies = task.policies(task.parameters(one) for one in tried)
        regrets = task.simulator.regrets(policies, max(2, plays // len(tried)), task.seed)
        return min(zip(tried, regrets, strict=True), key=lambda pair: pair[1].mean())[0]

    return way


def simplex(task: Task, plays: int) -> Candidate:
    """Nelder & Mead from the rule's choice."""
    calls = 40
    rule = task.first()
    start = np.full(len(task.wide), 0.5) if not rule else np.array(_places(task, rule[0]))
    corners = [
        start,
        *(start + np.where(start < 0.5, 0.25, -0.25) * row for row in np.eye(start.size)),
    ]
    optimum = optimize.minimize(
        _objective(task, plays // calls),
        start,
        method="Nelder-Mead",
        bounds=[(0.0, 1.0)] * start.size,
        options={"maxfev": calls, "initial_simplex": np.array(corners)},
    )
    return _at(task, optimum.x)


def evolution(task: Task, plays: int) -> Candidate:
    """Differential evolution: nine generations beside the first."""
    size = 8 * len(task.wide)
    optimum = optimize.differential_evolution(
        _objective(task, plays // (10 * size)),
        [(0.0, 1.0)] * len(task.wide),
        popsize=8,
        maxiter=9,
        init="sobol" if size & (size - 1) == 0 else "halton",
        polish=False,
        tol=0.0,
        rng=task.seed,
    )
    return _at(task, optimum.x)


WAYS: dict[str, Way] = {
    "halving": halving,
    **{f"grid {n}": grid(n) for n in (5, 7, 10)},
    "Nelder-Mead": simplex,
    "evolution": evolution,
}


def worlds() -> dict[str, World]:
    environments = db.environments
    return {
        "two swaps": environments.two_swaps(HORIZON),
        "periodic": environments.periodic(HORIZON),
        "random switching": environments.RandomSwitching(3, breakpoints=5, horizon=HORIZON),
        "stationary": environments.Stationary((0.5, 0.6, 0.4)),
    }


def _places(task: Task, one: Candidate) -> list[float]:
    return [choice.place(x) for choice, x in zip(task.wide.values(), one, strict=True)]


def _at(task: Task, place: np.ndarray) -> Candidate:
    inside = np.clip(place, 0.0, 1.0)
    return tuple(choice.at(float(u)) for choice, u in zip(task.wide.values(), inside, strict=True))


def _objective(task: Task, runs: int) -> Callable[[np.ndarray], float]:
    def regret(place: np.ndarray) -> float:
        policies = task.policies([task.parameters(_at(task, place))])
        return float(task.simulator.regrets(policies, max(2, runs), task.seed)[0].mean())

    return regret


def _task(world: World, policy: str, seed: int) -> Task:
    simulator = Simulator((world,), HORIZON)
    tunable = Tunable(policy, HORIZON, world.arms, world.bound)
    case = Case(HORIZON, changes(world, HORIZON), world.arms)
    return Task(tunable, tunable.space(None), simulator, case, RUNS, seed)


def compared(world: World, policy: str) -> dict[str, float]:
    """Return the mean loss of each way in percent, and that of the rule."""
    tasks = [_task(world, policy, seed) for seed in range(SEEDS)]
    plays = tasks[0].budget.plays()
    tried = {name: [way(task, plays) for task in tasks] for name, way in WAYS.items()}
    task = tasks[0]
    choices = list({one for picks in tried.values() for one in picks})
    policies = task.policies(task.parameters(one) for one in choices)
    rule = [] if task.rule is None else [task.rule]
    runs = task.simulator.regrets([*policies, *rule], CHECKED, 10**9)
    regrets = [regret.mean() for regret in runs]
    means, least = dict(zip(choices, regrets, strict=False)), min(regrets)
    losses = {name: np.mean([means[one] for one in picks]) for name, picks in tried.items()}
    losses["rule"] = regrets[-1] if rule else np.nan
    return {name: 100.0 * (float(mean) / least - 1.0) for name, mean in losses.items()}


def main() -> None:
    policies = sys.argv[1:] or ["sw-ucb", "d-ucb", "exp3.s"]
    print("| world | policy |", " | ".join([*WAYS, "rule"]), "|")
    print("|---" * (len(WAYS) + 3) + "|")
    for (title, world), policy in itertools.product(worlds().items(), policies):
        losses = compared(world, policy)
        print(f"| {title} | {policy} |", *(f"{loss:.1f} |" for loss in losses.values()), flush=True)


if __name__ == "__main__":
    main()
