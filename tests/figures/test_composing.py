"""Figures of the user: axes and figures of theirs, settings of theirs, and any label."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import image
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

import driftbandit as db
from driftbandit import figures
from driftbandit.core.errors import InputError
from driftbandit.studies.paper import growth
from shared_results import small

LABELS = [r"$\frac{1}{$", "_mine", "a long name " * 9 + "ends", "5 $ against 7 $"]
WORLD = db.environments.two_swaps(200)


def result() -> db.Result:
    players = [db.UCB1(xi=0.1 * place, label=label) for place, label in enumerate(LABELS)]
    return db.simulate(players, WORLD, runs=10, checkpoints=20)


@functools.cache
def arena() -> Any:
    policies = {label: db.UCB1(xi=0.1 * place) for place, label in enumerate(LABELS)}
    return db.arena(policies, {LABELS[0]: WORLD, LABELS[2]: WORLD}, runs=10, repeats=0)


@functools.cache
def tuned() -> db.Tuned:
    return db.tune("sw-ucb", WORLD, runs=10, search={"window": [5, 10, 20]})


def band() -> Any:
    return db.theory.confidence_band(np.arange(50) % 2.0, window=20)


ONE_PANEL: dict[str, Callable[..., Figure]] = {
    "regret": lambda **on: result().plot(**on),
    "world": WORLD.plot,
    "map": lambda **on: db.environments.Brownian(arms=20).plot(horizon=50, **on),
    "tuning": lambda **on: tuned().plot(**on),
    "arena": lambda **on: arena().plot(**on),
    "band": lambda **on: band().plot(names=["_\ud800"], **on),
}
PANELS: dict[str, Callable[..., Figure]] = {
    "regrets": lambda **on: figures.regrets({"\ud800": small(), LABELS[0]: result()}, **on),
    "family": lambda **on: figures.family({"one": small(), LABELS[2]: result()}, **on),
    "two_panels": lambda **on: figures.two_panels([small(), result()], **on),
    "growth": lambda **on: figures.growth(growth(1, 0.4, [1000, 3000], runs=10), **on),
}


def user_figure(**options: Any) -> Figure:
    figure = Figure(**options)
    FigureCanvasAgg(figure)
    return figure


@pytest.mark.parametrize("name", ONE_PANEL)
def test_a_plot_can_be_drawn_on_axes_of_yours(name: str, tmp_path: Path) -> None:
    figure = user_figure(figsize=(9, 4), dpi=50)
    before, mine = figure.subplots(1, 2)
    drawn = ONE_PANEL[name](ax=mine, path=tmp_path / "both.png")
    assert drawn is figure
    assert mine.has_data()
    assert not before.has_data()
    assert image.imread(tmp_path / "both.png").shape[:2] == (200, 450), "with all of its axes"


@pytest.mark.parametrize("name", PANELS)
def test_several_panels_can_be_drawn_on_a_part_of_your_figure(name: str) -> None:
    figure = user_figure(figsize=(12, 5), dpi=50, layout="constrained")
    parts: Any = figure.subfigures(1, 2)
    before, mine = parts
    assert PANELS[name](figure=mine) is figure
    assert mine.axes
    assert not before.axes
    figure.draw_without_rendering()


@pytest.mark.parametrize("scale", ["xscale", "yscale"])
@pytest.mark.filterwarnings("error")
def test_logarithmic_axes_of_yours_stay_as_they_are(scale: str) -> None:
    ax = user_figure().subplots()
    ax.set(**{scale: "log"})
    small().plot(ax=ax)
    ax.figure.draw_without_rendering()  # type: ignore[union-attr]  # it is no part of one
    assert min(ax.get_xlim()[0] if scale == "xscale" else ax.get_ylim()[0], 1.0) > 0.0


def test_axes_of_three_dimensions_are_refused() -> None:
    ax = user_figure().add_subplot(projection="3d")
    for plot in (small().plot, band().plot):
        with pytest.raises(InputError, match="ax must be matplotlib axes of two dimensions"):
            plot(ax=ax)


def test_what_cannot_be_drawn_on_is_refused() -> None:
    with pytest.raises(InputError, match="ax must be matplotlib axes of two dimensions, got 5"):
        small().plot(ax=5)  # type: ignore[arg-type]  # that is the point
    with pytest.raises(InputError, match="figure must be a figure or a subfigure, got 5"):
        figures.regrets({"one": small()}, figure=5)  # type: ignore[arg-type]  # the same
    with pytest.raises(InputError, match='figure must be made with layout="constrained"'):
        figures.regrets({"one": small()}, figure=user_figure())
    with pytest.raises(
        InputError, match="ax must be matplotlib axes of two dimensions, one per arm: 1"
    ):
        band().plot(ax=user_figure().subplots(2))


def test_settings_of_the_user_win() -> None:
    mine: dict[Any, Any] = {
        "font.family": ["serif"],
        "font.size": 18.0,
        "lines.linewidth": 4.0,
        "grid.color": "red",
        "figure.figsize": [3.0, 2.0],
        "figure.dpi": 50.0,
        "text.usetex": True,
    }
    with mpl.rc_context(mine):
        figure = small().plot()
    axes = figure.axes[0]
    assert figure.get_size_inches().tolist() == [3.0, 2.0]
    assert figure.dpi == 50.0
    assert axes.get_lines()[0].get_linewidth() == 4.0
    assert axes.xaxis.label.get_fontfamily() == ["serif"]
    assert axes.xaxis.label.get_fontsize() == 18.0
    assert axes.xaxis.get_major_ticks()[0].label1.get_fontsize() == 16.0, "letters grow alike"
    assert axes.yaxis.get_gridlines()[0].get_color() == "red"
    assert not axes.xaxis.label.get_usetex(), "names are plain text"


def test_what_the_user_has_not_set_is_ours_also_after_the_call() -> None:
    axes = small().plot().axes[0]
    assert axes.xaxis.get_major_ticks()[0].label1.get_fontsize() == 8.0
    assert axes.get_lines()[0].get_linewidth() == 1.5
    assert not axes.spines["top"].get_visible()


def texts(figure: Figure) -> str:
    """All that a legend, a title or a tick says, in one line."""
    return " ".join(
        " ".join(text.get_text().split())
        for text in figure.findobj()
        if isinstance(text, Text) and text.get_visible()
    )


@pytest.mark.parametrize("name", ["regret", "arena", "regrets", "family", "two_panels"])
def test_any_label_can_be_read_in_every_figure(name: str, tmp_path: Path) -> None:
    figure = {**ONE_PANEL, **PANELS}[name]()
    figure.savefig(tmp_path / "figure.png")  # a formula that is none would fail here
    found = texts(figure)
    for label in LABELS:
        assert label.replace("$", r"\$").strip() in found
    width, height = figure.get_size_inches() * figure.dpi
    for axes in figure.axes[:1] if name == "arena" else figure.axes:  # not the colour bar
        box = axes.get_window_extent()
        assert box.width > 0.15 * width, "names leave room for curves"
        assert box.height > 0.12 * height


def test_an_arm_s_and_a_title_s_dollars_are_no_formula(tmp_path: Path) -> None:
    band().plot(tmp_path / "band.png", names=[LABELS[0]])
    figures.two_panels([small()], tmp_path / "paper.png", titles=[LABELS[0]])

    def make(window: int) -> db.Policy:
        return db.SlidingWindowUCB(window, label=LABELS[0])

    search = {"window": [5, 10]}
    db.tune(make, WORLD, runs=10, search=search).plot(tmp_path / "tuning.png")
