"""The winner measured with luck that the search has not met, beside all it is compared with.

The winner of a search is flattered: among many candidates it is also the luckiest. With new luck
its mean is honest, and every difference from it is paired.
"""

from __future__ import annotations

import math
from typing import Any

from driftbandit.core.statistics import interval
from driftbandit.studies.tune.families import Parameters, read
from driftbandit.studies.tune.measuring import Array
from driftbandit.studies.tune.mistakes import FACTORS, subjects
from driftbandit.studies.tune.searching import EVEN, NEARBY, Ladder, walked
from driftbandit.studies.tune.task import Task
from driftbandit.studies.tune.tuned import Rows, Tuned

MEASURED = 2 + 2 * len(FACTORS) + EVEN + 2 * len(NEARBY) + 1
"""Policies that are measured at most, where a list of values is not longer than the profile."""


def measured(task: Task, ladder: Ladder) -> Tuned:
    """Measure the best candidate and return all that is known of it."""
    best = task.parameters(ladder.best)
    mistakes = [(what, factor) for what in subjects(best) for factor in FACTORS]
    wrong = [task.case.mistaken(best, what, factor) for what, factor in mistakes]
    values = walked(task.wide[task.along], best[task.along])
    profile = [best | {task.along: value} for value in values]
    policies = task.policies([best, *wrong, *profile])
    rule = [] if task.rule is None else [task.rule]
    regret, *met = task.arena.regrets([*policies, *rule], task.runs, task.seed)
    task.arena.finish()
    label = f"{policies[0].label}, tuned"
    return Tuned(
        policy=policies[0].replace(label=label),
        rule=task.rule,
        parameters={name: best[name] for name in task.shown},
        rule_parameters=None if task.rule is None else read(task.rule, task.shown),
        regret=interval(regret),
        rule_regret=interval(met[-1]) if rule else None,
        gain=interval(met[-1] - regret) if rule else None,
        basis="defaults" if task.family.tuned is None else "rule",
        along=task.along,
        worlds=tuple(task.arena.worlds),
        horizon=task.arena.horizon,
        runs=task.runs,
        seed=task.seed,
        breakpoints=task.case.breakpoints,
        search=dict(task.space),
        rows=Rows(
            candidates=[_candidate(task, line) for line in ladder.log],
            wrong=[
                {"about": what, "factor": factor, **_setting(task, moved), **_loss(seen, regret)}
                for (what, factor), moved, seen in zip(mistakes, wrong, met, strict=False)
            ],
            profile=[
                {task.along: value, **_loss(seen, regret)}
                for value, seen in zip(values, met[len(wrong) :], strict=False)
            ],
        ),
    )


def _setting(task: Task, parameters: Parameters) -> Parameters:
    return {name: parameters[name] for name in task.shown}


def _loss(regret: Array, best: Array) -> dict[str, float]:
    """Return a regret with its interval, and by how much it exceeds the best one, in pairs."""
    found, loss = interval(regret), interval(regret - best)
    mean = float(best.mean())
    return {
        "regret": found["mean"],
        "low": found["low"],
        "high": found["high"],
        "loss": loss["mean"],
        "loss_low": loss["low"],
        "loss_high": loss["high"],
        "percent": 100.0 * loss["mean"] / mean if mean > 0.0 else math.nan,
    }


def _candidate(task: Task, line: dict[str, Any]) -> dict[str, Any]:
    """Return a line of the search's log with numbers in place of arrays."""
    regret = interval(line["regret"])
    return {
        "stage": line["stage"],
        "rung": line["rung"],
        **_setting(task, task.parameters(line["candidate"])),
        "runs": len(line["regret"]),
        "regret": regret["mean"],
        "standard_error": regret["standard_error"],
        "kept": line["kept"],
    }
