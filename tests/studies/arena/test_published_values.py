"""Published regrets that correct implementations reproduce, and what faulty ones give instead.

Only means are compared: the published spreads are of realised rewards. A published mean is
itself an average over runs, so it is as uncertain as ours.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import driftbandit as db
import textbook
from driftbandit.core.beta_draws import beta_from
from driftbandit.core.numerics import bernoulli_upper
from driftbandit.environments import PROBLEMS
from driftbandit.studies.arena import Entry


class Published(NamedTuple):
    """A published mean, or what the formula gives if that was made by a mistake; how many runs."""

    problem: str
    mean: float
    runs: int = 1_000
    slack: float = 0.5  # for rounding


BESSON = functools.partial(Published, "besson-1")
TEST_1, TEST_2, TEST_3 = (functools.partial(Published, f"f-dsw-{test}") for test in (1, 2, 3))
GAMMA = db.EXP3S.tuned(5_000, breakpoints=4, arms=3)


@dataclasses.dataclass(frozen=True)
class ThreeLogs(db.Explore):
    """KL-UCB with the level 3 log(t − τ_i), which the program behind GLR-klUCB's rows has."""

    @staticmethod
    def index(mean: float, count: float, clock: float) -> float:
        return bernoulli_upper(mean, 3.0 * math.log(clock) / count)


@dataclasses.dataclass(frozen=True)
class FadingPrior(db.Explore):
    """Thompson sampling whose prior Beta(1, 1) is discounted too, beside another that is not.

    The clock of a discount is n = (1 − γ^t) / (1 − γ), so what is left of the prior is γ^t.
    """

    noise = db.BetaPosterior.noise
    prior = True

    discount: float

    @staticmethod
    def index(
        mean: float, count: float, clock: float, noise: Sequence[float], discount: float
    ) -> float:
        wins, left = min(mean, 1.0) * count, 1.0 - (1.0 - discount) * clock
        return beta_from(noise, 1.0 + left + wins, 1.0 + left + (count - wins))


ROWS: dict[str, tuple[Published, Entry]] = {
    "uniform on problem 1": (BESSON(1500.0), db.Uniform()),
    "uniform on problem 2": (Published("besson-2", 1366.67), db.Uniform()),
    "uniform on problem 4": (Published("besson-4", 1479.17), db.Uniform()),
    "EXP3.S": (BESSON(333.0), GAMMA),
    "kl-UCB": (BESSON(270.0), db.StationaryKLUCB()),
    "Thompson": (BESSON(493.0), db.Thompson()),
    "SW-klUCB": (BESSON(177.0), db.SlidingWindowKLUCB(206)),
    "D-klUCB": (BESSON(215.0), db.DiscountedKLUCB(0.99293)),
    "discounted Thompson": (BESSON(424.0), db.DiscountedThompson(0.95)),
}
"""Rows that the package's policies must reproduce."""

FADING = db.Policy(forget=db.Discount(0.99), explore=FadingPrior(0.99))
OPTIMISM = db.KLUCB()
BREAKS = (1001, 2001, 3001, 4001)
GLR = functools.partial(db.GLRUCB.tuned, 5_000, 3, breakpoints=4, explore=ThreeLogs())
M_UCB = db.MUCB.tuned(5_000, 4, 3, window=150, explore=OPTIMISM)
ROUNDED_UP = db.Sweeps(3 / 17.5)
"""A sweep every ⌈K / 0.186⌉ = 17 rounds, as in the program; by the paper's ⌊K / γ⌋ it is 16.

What is left, 2.0, is not explained, so the row has slack: docs/explanation/published-numbers.md.
"""

SLOW_ROWS: dict[str, tuple[Published, Entry]] = {
    "GLR-klUCB, local": (BESSON(74.0), GLR(scope="arm")),
    "GLR-klUCB, global": (BESSON(97.0), GLR(scope="all")),
    "M-klUCB": (BESSON(290.0, slack=2.0), M_UCB.replace(force=ROUNDED_UP)),
    "oracle": (BESSON(56.5), db.OracleRestart(BREAKS, explore=OPTIMISM)),
    "Thompson, f-dsw 1": (TEST_1(223.36), db.Thompson()),
    "Thompson, f-dsw 2": (TEST_2(198.97), db.Thompson()),
    "Thompson, f-dsw 3": (TEST_3(24.91), db.Thompson()),
    "discounted Thompson, f-dsw 1": (TEST_1(110.40), FADING),
    "discounted Thompson, f-dsw 2": (TEST_2(66.85), FADING),
    "discounted Thompson, f-dsw 3": (TEST_3(67.17), FADING),
}
"""The same, with more to compile."""

TEXTBOOK: dict[str, tuple[Published, textbook.Textbook]] = {
    "EXP3.S": (BESSON(333.0), textbook.exp3s(GAMMA.exploration, GAMMA.sharing)),
    "kl-UCB": (BESSON(270.0), textbook.kl_ucb()),
    "Thompson": (BESSON(493.0), textbook.thompson()),
    "discounted Thompson": (BESSON(424.0), textbook.thompson(0.95)),
    "SW-klUCB": (BESSON(177.0), textbook.sliding_kl_ucb(206)),
    "D-klUCB": (BESSON(215.0), textbook.discounted_kl_ucb(0.99293)),
    "oracle": (BESSON(56.5), textbook.kl_ucb(BREAKS)),
    "Thompson, f-dsw 1": (TEST_1(223.36), textbook.thompson()),
    "Thompson, f-dsw 2": (TEST_2(198.97), textbook.thompson()),
    "Thompson, f-dsw 3": (TEST_3(24.91), textbook.thompson()),
    "discounted Thompson, f-dsw 1": (TEST_1(110.40), textbook.thompson(0.99, fault="prior")),
    "discounted Thompson, f-dsw 2": (TEST_2(66.85), textbook.thompson(0.99, fault="prior")),
    "discounted Thompson, f-dsw 3": (TEST_3(67.17), textbook.thompson(0.99, fault="prior")),
}
"""Rows that the formulas reproduce without the package's policies."""

LATE = (2501, 3126, 3751, 4376)
SELFISH = textbook.exp3s(GAMMA.exploration, GAMMA.sharing, share_to_all=False)
PLAYED = textbook.thompson(0.95, fault="played")
ROUNDED = textbook.discounted_kl_ucb(0.99293, fault="played")
PROBLEM_2, PROBLEM_4 = (functools.partial(Published, name) for name in ("besson-2", "besson-4"))
FAULTS: dict[str, tuple[Published, textbook.Textbook]] = {
    "EXP3.S shares with the played arm only": (BESSON(352.0), SELFISH),
    "EXP3.S shares with the played arm only, problem 2": (PROBLEM_2(310.0), SELFISH),
    "EXP3.S shares with the played arm only, problem 4": (PROBLEM_4(551.0), SELFISH),
    "DTS discounts the played arm only": (BESSON(209.0), PLAYED),
    "DTS discounts the played arm only, problem 2": (PROBLEM_2(249.0), PLAYED),
    "DTS discounts the played arm only, problem 4": (PROBLEM_4(250.0), PLAYED),
    "D-klUCB discounts the played arm, in whole numbers": (BESSON(1456.0), ROUNDED),
    "D-klUCB does so, problem 2": (PROBLEM_2(1328.0), ROUNDED),  # published: 1442
    "D-klUCB does so, problem 4": (PROBLEM_4(911.0), ROUNDED),
    "D-klUCB discounts all arms, in whole numbers": (
        BESSON(1500.0),
        textbook.discounted_kl_ucb(0.99293, fault="all"),
    ),
    "the oracle forgets one arm": (BESSON(37.0), textbook.kl_ucb(BREAKS, one_arm=True)),
    "the oracle forgets one arm, problem 2": (
        PROBLEM_2(45.0),
        textbook.kl_ucb(BREAKS, one_arm=True),
    ),
    "the oracle forgets one arm, problem 4": (PROBLEM_4(68.0), textbook.kl_ucb(LATE, one_arm=True)),
}
"""Regrets of faults in a public program: docs/explanation/published-numbers.md.

All are published, but for two of D-klUCB: that on problem 2 is what the formula with the mistake
gives, and the last was made later.
"""


def agree(ours: NDArray[np.float64], published: Published) -> None:
    """Both are means of runs that scatter alike; four standard errors, and slack."""
    error = ours.std(ddof=1) * math.sqrt(1.0 / len(ours) + 1.0 / published.runs)
    assert abs(ours.mean() - published.mean) < 4.0 * error + published.slack


@pytest.mark.parametrize("name", ROWS)
def test_a_policy_gives_its_published_regret_back(name: str) -> None:
    agree(played(*ROWS[name]), ROWS[name][0])


@pytest.mark.slow  # for compiling
@pytest.mark.parametrize("name", SLOW_ROWS)
def test_a_policy_that_compiles_for_long_does_so_too(name: str) -> None:
    agree(played(*SLOW_ROWS[name]), SLOW_ROWS[name][0])


def played(published: Published, entry: Entry) -> NDArray[np.float64]:
    result = db.arena({"it": entry}, [published.problem], runs=4_000, seed=1, repeats=0)
    return result.regrets[published.problem]["it"]


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTBOOK)
def test_a_textbook_gives_the_published_regret_back(name: str) -> None:
    published, policy = TEXTBOOK[name]
    agree(textbook.regret(policy, PROBLEMS[published.problem](), runs=1_000, seed=2), published)


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_a_mistake_gives_another_regret(name: str) -> None:
    published, policy = FAULTS[name]
    agree(textbook.regret(policy, PROBLEMS[published.problem](), runs=1_000, seed=2), published)


@pytest.mark.slow
def test_a_prior_that_fades_matters_where_arms_rise() -> None:
    """It makes arms that earned nothing look better; paired, since both meet the same luck."""
    plain = db.DiscountedThompson(0.99)
    for published, low, high in ((TEST_1(110.40), -0.5, 0.7), (TEST_2(66.85), 1.0, 2.0)):
        apart = played(published, FADING) - played(published, plain)
        assert low < apart.mean() < high


@pytest.mark.slow
def test_m_ucb_as_printed_sweeps_more_often() -> None:
    """Nearly all its regret is that of sweeps, 1500 K / period: 281 for 16 rounds, 265 for 17."""
    printed = played(BESSON(290.0), M_UCB.replace(force=db.Sweeps(0.186)))
    program = played(*SLOW_ROWS["M-klUCB"])
    assert float((printed - program).mean()) == pytest.approx(1500 * (3 / 16 - 3 / 17), rel=0.15)


def test_a_mistake_is_far_from_the_textbook() -> None:
    """Seen already in few runs: sharing with one arm alone is another algorithm."""
    world = PROBLEMS["besson-1"]()
    right = textbook.regret(TEXTBOOK["EXP3.S"][1], world, runs=200, seed=3)
    wrong = textbook.regret(FAULTS["EXP3.S shares with the played arm only"][1], world, 200, seed=3)
    error = math.sqrt((right.var(ddof=1) + wrong.var(ddof=1)) / 200)
    assert wrong.mean() - right.mean() > 3.0 * error
