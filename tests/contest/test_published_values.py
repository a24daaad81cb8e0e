"""Published regrets that right implementations give back, and what wrong ones give instead.

Only means are compared: the published spreads are of realised rewards. A published mean is itself
one of so many runs, so it is as uncertain as ours.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import driftbandit as db
import textbook
from driftbandit.contest import Entry
from driftbandit.environments import PROBLEMS


class Published(NamedTuple):
    """A published mean of so many runs."""

    problem: str
    mean: float
    runs: int = 1_000


BESSON = functools.partial(Published, "besson-1")
F_DSW = functools.partial(Published, "f-dsw-1")
GAMMA = db.EXP3S.tuned(5_000, breakpoints=4, arms=3)

ROWS: dict[str, tuple[Published, Entry]] = {
    "uniform on problem 1": (BESSON(1500.0), db.Uniform()),
    "uniform on problem 2": (Published("besson-2", 1366.67), db.Uniform()),
    "uniform on problem 4": (Published("besson-4", 1479.17), db.Uniform()),
    "EXP3.S": (BESSON(333.0), GAMMA),
}
"""What policies of the package must give back; a line a row."""

TEXTBOOK: dict[str, tuple[Published, textbook.Textbook]] = {
    "EXP3.S": (BESSON(333.0), textbook.exp3s(GAMMA.exploration, GAMMA.sharing)),
    "kl-UCB": (BESSON(270.0), textbook.kl_ucb()),
    "Thompson": (BESSON(493.0), textbook.thompson()),
    "discounted Thompson": (BESSON(424.0), textbook.thompson(0.95)),
    "SW-klUCB": (BESSON(177.0), textbook.sliding_kl_ucb(206)),
    "D-klUCB": (BESSON(215.0), textbook.discounted_kl_ucb(0.99293)),
    "oracle": (BESSON(56.5), textbook.kl_ucb(restarts=(1001, 2001, 3001, 4001))),
    "Thompson, f-dsw": (F_DSW(223.4), textbook.thompson()),
    "discounted Thompson, f-dsw": (F_DSW(110.4), textbook.thompson(0.99, fault="prior")),
}
"""What the formulas give back, without the package's policies."""

FAULTS: dict[str, tuple[Published, textbook.Textbook]] = {
    "EXP3.S shares with the played arm only": (
        BESSON(360.5),
        textbook.exp3s(GAMMA.exploration, GAMMA.sharing, share_to_all=False),
    ),
    "DTS discounts the played arm only": (BESSON(117.8), textbook.thompson(0.95, fault="played")),
    "D-klUCB counts in whole numbers": (
        BESSON(1500.0),
        textbook.discounted_kl_ucb(0.99293, whole_counts=True),
    ),
}
"""What mistakes of public programs give; docs/explanation/published-numbers.md tells these."""


def agree(ours: NDArray[np.float64], published: Published) -> None:
    """Both are means of runs that scatter alike; four standard errors, and rounding."""
    error = ours.std(ddof=1) * math.sqrt(1.0 / len(ours) + 1.0 / published.runs)
    assert abs(ours.mean() - published.mean) < 4.0 * error + 0.5


@pytest.mark.parametrize("name", ROWS)
def test_a_policy_gives_its_published_regret_back(name: str) -> None:
    published, entry = ROWS[name]
    found = db.arena({name: entry}, [published.problem], runs=4_000, seed=1, repeats=0)
    agree(found.regrets[published.problem][name], published)


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


def test_a_mistake_is_far_from_the_textbook() -> None:
    """Seen already in few runs: sharing with one arm alone is another algorithm."""
    world = PROBLEMS["besson-1"]()
    right = textbook.regret(TEXTBOOK["EXP3.S"][1], world, runs=200, seed=3)
    wrong = textbook.regret(FAULTS["EXP3.S shares with the played arm only"][1], world, 200, seed=3)
    error = math.sqrt((right.var(ddof=1) + wrong.var(ddof=1)) / 200)
    assert wrong.mean() - right.mean() > 3.0 * error
