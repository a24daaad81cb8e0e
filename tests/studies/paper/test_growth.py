"""How regret grows with T: near √T where policies forget, as T where they do not."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import driftbandit as db
from driftbandit.studies.paper import Growth, growth
from driftbandit.studies.paper.growth import HORIZONS, LOGARITHMS, swaps


@functools.cache
def measured() -> Growth:
    return growth(breakpoints=2, gap=0.4, runs=64, seed=1)


def test_forgetting_policies_grow_as_the_root_of_t() -> None:
    """10³ to 10⁶ rounds, two breakpoints. The proofs add a logarithm, and it shows."""
    for label in ("SW-UCB", "EXP3.S", "D-UCB (padding B)"):
        assert 0.5 < measured().slope(label) < 0.65
        assert measured().slope(label, LOGARITHMS[label]) == pytest.approx(0.5, abs=0.05)


def test_the_printed_padding_delays_the_root() -> None:
    """With 2B the regret of D-UCB is near T at first, and its slope falls towards 1/2."""
    regret = measured().regret["D-UCB"][:, 0]
    slopes = np.diff(np.log(regret)) / np.diff(np.log(HORIZONS))
    assert np.all(np.diff(slopes) < 0)
    assert slopes[-1] < 0.68


def test_a_breakpoint_against_ucb1_costs_a_share_of_t() -> None:
    assert measured().slope("UCB-1") == pytest.approx(1.0, abs=0.06)


def test_bounds_lie_above_the_measured_plays() -> None:
    for label, bound in measured().bounds.items():
        mean, error = measured().plays[label].T
        assert np.all(mean + 5 * error < bound)
    assert measured().bounds["SW-UCB"][-1] < 0.1 * HORIZONS[-1]


def test_breakpoints_cut_equal_stretches() -> None:
    world = swaps(1000, 3, 0.2)
    assert world.breakpoints == (251, 501, 751)
    first = [world.mean_rewards(t, t)[0, 0] for t in (250, 251, 751)]
    assert first == pytest.approx([0.7, 0.3, 0.3])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"horizons": (1000,)}, "horizons must be two or more that increase"),
        ({"horizons": (1000, 100)}, "horizons must be two or more that increase"),
        ({"gap": 0.6}, r"gap must lie in \(0, 0.5\], got 0.6"),
    ],
)
def test_bad_input_is_one_line(settings: dict[str, object], words: str) -> None:
    with pytest.raises(db.InputError, match=words):
        growth(**settings)  # type: ignore[arg-type]  # that is the point
