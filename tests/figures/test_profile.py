"""The picture of a tuning."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib import image

import driftbandit as db


def drawn(name: str, search: dict[str, object] | None) -> tuple[db.Tuned, list[str], list[str]]:
    tuned = db.tune(name, db.environments.two_swaps(200), runs=10, search=search)
    axes = tuned.plot().axes[0]
    return tuned, axes.get_legend_handles_labels()[1], [text.get_text() for text in axes.texts]


def test_a_discount_is_drawn_as_what_it_forgets(tmp_path: Path) -> None:
    tuned = db.tune("d-ucb", db.environments.two_swaps(200), runs=10, search={"discount": None})
    figure = tuned.plot(tmp_path / "tuning.png")
    axes = figure.axes[0]
    line = next(line for line in axes.get_lines() if line.get_label() == "D-UCB")
    np.testing.assert_allclose(
        np.asarray(line.get_xdata()), 1.0 - tuned.profile["discount"].to_numpy()
    )
    np.testing.assert_allclose(np.asarray(line.get_ydata()), tuned.profile["regret"].to_numpy())
    assert (axes.get_xscale(), axes.get_xlabel()) == ("log", "1 − γ")
    assert image.imread(tmp_path / "tuning.png").shape == (704, 1024, 4)


def test_best_and_rule_are_named_and_mistakes_are_ticked() -> None:
    tuned, names, texts = drawn("sw-ucb", None)
    assert any(name.startswith(f"best: τ = {tuned.parameters['window']}") for name in names)
    assert any(name.startswith("rule: τ = 46, ξ = 0.5") for name in names)
    assert texts == ["×¼", "×½", "×2", "×4"]


@pytest.mark.parametrize(
    ("name", "search"),
    [("ucb-1", None), ("sw-ucb", {"window": [5, 10]}), ("sw-ucb", {"xi": [0.0, 0.1]})],
)
def test_other_parameters_can_be_drawn(name: str, search: dict[str, object] | None) -> None:
    _, names, texts = drawn(name, search)
    assert any(name.startswith("best: ") for name in names)
    assert len(texts) in (0, 4)


def test_a_rule_that_forgets_nothing_has_no_place_on_a_logarithm() -> None:
    still = db.environments.Stationary((0.3, 0.7, 0.3))
    tuned = db.tune("d-ucb", still, 200, 10, search={"discount": None})
    assert tuned.rule_parameters == {"discount": 1.0}
    tuned.plot()
