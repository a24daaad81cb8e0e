"""The arms that are served are drawn with the probabilities that are logged."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from scipy import stats

from driftbandit.service import events
from driftbandit.service.experiment import Experiment, checked

ARMS = ("a", "b", "c", "d")


def chi_squared(decisions: int, seed: int, **guardrails: Any) -> float:
    """Return the p-value of the arms of so many decisions, given their logged propensities.

    The sum of e(arm) − p is a martingale; its covariance is that of the sum of diag(p) − p pᵀ.
    """
    luck = random.Random(seed)
    policy = {"name": "exp3.s", "exploration": 0.1, "sharing": 1e-4}
    config = checked(events.Config(policy, floor=0.05, **guardrails), ARMS)
    created = events.Created(config, ARMS, f"{seed:064x}")
    experiment = Experiment("x", 1, 0.0, created)
    surplus, spread = np.zeros(4), np.zeros((4, 4))
    drawn: list[events.Decided] = []
    for number in range(decisions):
        if number % 8 == 0:  # eight requests at one position of the log
            law = np.array(list(experiment.law().values()))
        decided = experiment.draw(f"{number}", None, number)
        place = ARMS.index(decided.arm)
        assert decided.probability == law[place]
        surplus += (np.arange(4) == place) - law
        spread += np.diag(law) - np.outer(law, law)
        drawn.append(decided)
        if number % 8 == 7:
            for each in drawn:
                _happen(experiment, each, luck)
            drawn.clear()
    statistic = surplus[:3] @ np.linalg.solve(spread[:3, :3], surplus[:3])
    return float(stats.chi2.sf(statistic, df=3))


def _happen(experiment: Experiment, decided: events.Decided, luck: random.Random) -> None:
    experiment.apply(1, 0.0, decided)
    reward = float(luck.random() < 0.2 + 0.15 * ARMS.index(decided.arm))
    experiment.apply(1, 0.0, events.Rewarded(decided.id, reward))


def test_a_hundred_thousand_decisions() -> None:
    assert chi_squared(100_000, seed=1) > 0.001


def test_shares_and_a_holdout() -> None:
    shares = {"d": events.Bounds(most=0.4), "a": events.Bounds(least=0.15)}
    assert chi_squared(6_000, seed=3, shares=shares, holdout=0.2) > 0.001


@pytest.mark.slow
def test_a_million_decisions() -> None:
    assert chi_squared(1_000_000, seed=2) > 0.001
