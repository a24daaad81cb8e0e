"""The table of what delay costs is what was measured, and within what was asked of each policy."""

from __future__ import annotations

import numpy as np
import polars
import pytest

import driftbandit as db
from benchmarks import delays
from benchmarks.pages import table_from

ASKED = {10: 177.0, 100: 300.0, 1_000: 811.0}
"""What was asked of Auto, which is quicker since where rewards come at once."""
GAP = 0.217
"""What a decision by uniform play costs, on average over the rounds."""
MISSED = {("SW-UCB", 1_000), ("SW-TS", 1_000)}
"""Windows that are shorter than the delay."""


def limit(at_once: float, delay: int) -> float:
    """Return 1.3 times the regret without delay, and what two starts without rewards cost."""
    unseen = delay * GAP * 2
    return 1.3 * at_once + (1.5 if delay == 1_000 else 4.0) * unseen


def test_the_table_and_the_limits_are_those_of_the_measured_regrets() -> None:
    regrets = polars.read_csv(delays.REGRETS)
    assert table_from(delays.PAGE, delays.REGRETS) == delays.table(regrets)
    means = {(label, delay): mean for label, delay, mean, _, _ in regrets.iter_rows()}
    assert set(means) == {
        (each.label, delay) for each in delays.POLICIES for delay in delays.DELAYS
    }
    over = {
        (label, delay)
        for (label, delay), mean in means.items()
        if label != "Auto" and delay > 0 and mean > limit(means[label, 0], delay)
    }
    assert over == MISSED
    assert all(means["Auto", delay] < most for delay, most in ASKED.items())


def test_auto_finds_a_change_from_late_rewards() -> None:
    """With the plays of the burst before the change, of which 100 are pending all the time."""
    result = db.rehearse(db.Auto(), delays.WORLD, 4_500, delay=100, runs=8)
    assert result["Auto"].play_share[-1][2] > 0.2  # it would be 0.33 if it knew at once
    assert result["Auto"].final_regret.mean() < 400.0


@pytest.mark.slow
@pytest.mark.parametrize("delay", ASKED)
def test_auto_stays_within_the_limits(delay: int) -> None:
    at_once, late = (
        db.rehearse(db.Auto(), delays.WORLD, delays.ROUNDS, delay=each, runs=100)["Auto"]
        for each in (0, delay)
    )
    assert late.final_regret.mean() < ASKED[delay]
    assert np.median(late.final_regret) > np.median(at_once.final_regret)
