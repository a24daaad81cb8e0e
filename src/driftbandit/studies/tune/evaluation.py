"""The winner of a search, measured with luck that the search has not met.

Among many candidates the winner is also the luckiest, so its regret in the search is too low. With
fresh luck its mean is honest, and every difference from it is paired.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from driftbandit.core.statistics import interval
from driftbandit.studies.tune.halving import EVEN, NEARBY, Ladder, Trial, walk
from driftbandit.studies.tune.result import Rows, Tuned
from driftbandit.studies.tune.sensitivity import FACTORS, subjects
from driftbandit.studies.tune.simulator import Array
from driftbandit.studies.tune.task import Task
from driftbandit.studies.tune.tunable import Parameters, read_parameters

EVALUATIONS = 2 + 2 * len(FACTORS) + EVEN + 2 * len(NEARBY) + 1
"""Policies to measure at most, unless a list of values is longer than the profile of a range."""


def evaluate(task: Task, ladder: Ladder) -> Tuned:
    """Measure the best candidate, and all that it is compared with."""
    best = task.parameters(ladder.best)
    errors = [(about, factor) for about in subjects(best) for factor in FACTORS]
    wrong = [task.case.misjudged(best, about, factor) for about, factor in errors]
    values = walk(task.wide[task.along], best[task.along])
    profile = [best | {task.along: value} for value in values]
    policies = task.policies([best, *wrong, *profile])
    rule = [] if task.rule is None else [task.rule]
    regret, *regrets = task.simulator.regrets([*policies, *rule], task.runs, task.seed)
    task.simulator.finish()
    losses = [_loss(other, regret) for other in regrets]
    rows = Rows(
        candidates=[_candidate(task, trial) for trial in ladder.log],
        wrong=[
            {"about": about, "factor": factor, **_setting(task, parameters), **loss}
            for (about, factor), parameters, loss in zip(errors, wrong, losses, strict=False)
        ],
        profile=[
            {task.along: value, **loss}
            for value, loss in zip(values, losses[len(wrong) :], strict=False)
        ],
    )
    return Tuned(
        policy=policies[0].replace(label=f"{policies[0].label}, tuned"),
        parameters=_setting(task, best),
        regret=interval(regret),
        rows=rows,
        **_rule(task, regret, regrets),
        **_circumstances(task),
    )


def _circumstances(task: Task) -> dict[str, Any]:
    """Return what was tuned, where, and how."""
    return {
        "along": task.along,
        "worlds": tuple(task.simulator.worlds),
        "horizon": task.simulator.horizon,
        "runs": task.runs,
        "seed": task.seed,
        "breakpoints": task.case.breakpoints,
        "search": dict(task.space),
    }


def _rule(task: Task, regret: Array, regrets: Sequence[Array]) -> dict[str, Any]:
    """Return the rule's policy and its regret, which is the last one."""
    basis = "defaults" if task.tunable.rule_maker is None else "rule"
    if task.rule is None:
        return {
            "rule": None,
            "rule_parameters": None,
            "rule_regret": None,
            "gain": None,
            "basis": basis,
        }
    return {
        "rule": task.rule,
        "rule_parameters": read_parameters(task.rule, task.shown),
        "rule_regret": interval(regrets[-1]),
        "gain": interval(regrets[-1] - regret),
        "basis": basis,
    }


def _setting(task: Task, parameters: Parameters) -> Parameters:
    return {name: parameters[name] for name in task.shown}


def _loss(regret: Array, best: Array) -> dict[str, float]:
    """Return a regret with its interval, and by how much it exceeds the best one, run by run."""
    own, loss = interval(regret), interval(regret - best)
    mean = float(best.mean())
    return {
        "regret": own["mean"],
        "low": own["low"],
        "high": own["high"],
        "loss": loss["mean"],
        "loss_low": loss["low"],
        "loss_high": loss["high"],
        "percent": 100.0 * loss["mean"] / mean if mean > 0.0 else math.nan,
    }


def _candidate(task: Task, trial: Trial) -> dict[str, Any]:
    regret = interval(trial.regret)
    return {
        "stage": trial.stage,
        "rung": trial.rung,
        **_setting(task, task.parameters(trial.candidate)),
        "runs": len(trial.regret),
        "regret": regret["mean"],
        "standard_error": regret["standard_error"],
        "kept": trial.survived,
    }
