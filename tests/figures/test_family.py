"""The picture of a family: shares of plays of the best arm, and who is shaded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib import image

import driftbandit as db
from driftbandit import figures
from driftbandit.core.errors import InputError
from driftbandit.figures.family import best_share

WORLD = db.environments.two_swaps(horizon=500)


def test_the_share_is_that_of_the_rounds_between_checkpoints() -> None:
    result = db.simulate(db.UCB1(), WORLD, runs=20, seed=3, checkpoints=[100, 149, 249, 500])
    arms, best = db.trace(db.UCB1(), WORLD, runs=20, seed=3), WORLD.best_arm()
    right = arms == best[:, np.newaxis]
    expected = [right[a:b].mean() for a, b in [(0, 100), (100, 149), (149, 249), (249, 500)]]
    np.testing.assert_allclose(best_share(result["UCB-1"], result.times, best), expected)


def test_a_column_a_result_and_the_second_stretch_shaded(tmp_path: Path) -> None:
    result = db.simulate(db.UCB1(), WORLD, runs=10, seed=0)
    figure = figures.family({"one": result, "two": result}, tmp_path / "family.png")
    assert [axes.get_title("left") for axes in figure.axes] == ["one", "two", "", ""]
    for axes in figure.axes:
        (span,) = axes.patches
        assert span.get_extents().transformed(axes.transData.inverted()).intervalx == pytest.approx(
            (150, 250)
        )
    assert image.imread(tmp_path / "family.png").ndim == 3


def test_random_worlds_have_no_one_best_arm() -> None:
    world = db.environments.PROBLEMS["jmlr-random"]()
    result = db.simulate(db.Oracle(), world, horizon=20, runs=2)
    with pytest.raises(InputError, match="world must be the same in all runs"):
        figures.family({"random": result})
    with pytest.raises(InputError, match="results must hold at least one"):
        figures.family({})
