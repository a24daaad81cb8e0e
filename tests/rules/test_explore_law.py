"""The law of an exploration rule is the law of its own index."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import pytest
from scipy import stats

import driftbandit as db
from driftbandit.engine import compiler

DRAWS = 100_000
MEANS, COUNTS = [0.3, 0.5, 0.5, 0.45], [12.0, 30.0, 25.0, 6.0]
ONE_CLOCK, OWN_CLOCKS = [80.0] * 4, [80.0, 20.0, 50.0, 300.0]

RULES: list[tuple[db.Explore, list[float], list[float], list[float]]] = [
    (db.explore.Thompson(), MEANS, COUNTS, ONE_CLOCK),
    (db.explore.Thompson(0.5, 2.0), [0.3, 0.0, 0.5, 0.2], [12.0, 0.0, 25.0, 0.7], ONE_CLOCK),
    (db.explore.Thompson(bound=5.0), [1.0, 2.0, 5.0], [9.0, 3.0, 0.2], [80.0] * 3),
    (db.explore.GaussianThompson(), MEANS, COUNTS, ONE_CLOCK),
    (db.explore.GaussianThompson(2.0, 0.2, 3.0), MEANS, [12.0, 0.1, 2.0, 600.0], ONE_CLOCK),
    (db.explore.EpsilonGreedy(0.3), MEANS, COUNTS, ONE_CLOCK),
    (db.explore.EpsilonGreedy(1.0), MEANS, COUNTS, ONE_CLOCK),
    (db.explore.DecayingGreedy(8.0), MEANS, COUNTS, ONE_CLOCK),
    (db.explore.DecayingGreedy(4.0), MEANS, COUNTS, OWN_CLOCKS),
    (db.explore.DecayingGreedy(6.0), MEANS, COUNTS, OWN_CLOCKS),
    (db.explore.Softmax(0.1), MEANS, COUNTS, ONE_CLOCK),
]


@functools.cache
def counter(index: Any) -> Any:
    """Return compiled code that counts how often each arm has the largest index."""
    compiler.register([index])

    def count(means: Any, counts: Any, clock: Any, noise: Any, arguments: Any) -> Any:
        plays = np.zeros(means.size)
        for row in noise:
            lead, leader = -np.inf, 0
            for k in range(means.size):
                value = index(means[k], counts[k], clock[k], row[k], *arguments)
                if value > lead:
                    lead, leader = value, k
            plays[leader] += 1.0
        return plays

    return numba.njit(error_model="numpy")(count)


def frequencies(rule: Any, means: list[float], counts: list[float], clock: list[float]) -> Any:
    """How often each arm has the largest index, the lowest of equals."""
    noise = np.random.default_rng(1).random((DRAWS, len(means), rule.noise))
    rows = noise if rule.noise > 1 else noise[:, :, 0]
    numbers = [np.array(each) for each in (means, counts, clock)]
    return counter(rule.index)(*numbers, rows, tuple(map(float, rule.arguments(len(means)))))


@pytest.mark.parametrize(("rule", "means", "counts", "clock"), RULES)
def test_the_law_is_that_of_the_index(
    rule: Any, means: list[float], counts: list[float], clock: list[float]
) -> None:
    law = np.array(rule.law(means, counts, clock, *rule.arguments(len(means))))
    assert law.sum() == pytest.approx(1.0, abs=1e-12)
    plays = frequencies(rule, means, counts, clock)
    assert stats.chisquare(plays, DRAWS * law, sum_check=False).pvalue > 1e-3


def test_greedy_laws_are_plain_numbers() -> None:
    greedy, decaying = db.explore.EpsilonGreedy(0.2), db.explore.DecayingGreedy(5.0)
    law = greedy.law([0.5, 0.9, 0.9], [1.0] * 3, [3.0] * 3, *greedy.arguments(3))
    assert law == pytest.approx([0.2 / 3, 0.8 + 0.2 / 3, 0.2 / 3])
    law = decaying.law([0.5, 0.9], [50.0] * 2, [100.0] * 2, *decaying.arguments(2))
    assert law == pytest.approx([0.05, 0.95])
    same = decaying.law([0.5, 0.9], [50.0] * 2, [100.0, 100.0 + 1e-9], *decaying.arguments(2))
    assert same == pytest.approx(law, abs=1e-9)


def test_the_law_of_softmax_does_not_overflow() -> None:
    rule = db.explore.Softmax(1e-6)
    assert rule.law([0.0, 1.0, 1.0], [1.0] * 3, [3.0] * 3, *rule.numbers()) == [0.0, 0.5, 0.5]


@pytest.mark.parametrize("rule", [db.explore.Thompson, db.explore.GaussianThompson])
def test_scaling_rewards_and_bound_together_changes_no_law(rule: Any) -> None:
    one, three = rule(bound=1.0), rule(bound=3.0)
    scaled = [3.0 * mean for mean in MEANS]
    law = one.law(MEANS, COUNTS, ONE_CLOCK, *one.numbers())
    same = three.law(scaled, COUNTS, ONE_CLOCK, *three.numbers())
    assert same == pytest.approx(law, abs=1e-12)


def test_a_rule_of_your_own_may_have_a_law_or_none() -> None:
    assert db.Explore.law is None
    assert db.explore.UCB().law is None

    @dataclass(frozen=True)
    class Wrong(db.Explore):
        noise = 1

        @staticmethod
        def index(mean: float, count: float, clock: float, noise: float) -> float:
            return noise

        @staticmethod
        def law(means: list[float]) -> list[float]:
            return [1.0 / len(means)] * len(means)

    with pytest.raises(db.InputError, match=r"Wrong.law must be a staticmethod of \(means, counts"):
        db.Policy(explore=Wrong())
