"""Comparisons side by side: how often the best arm is played, and the regret."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from numpy.typing import NDArray

from driftbandit.core.errors import require
from driftbandit.figures import looks, page, style
from driftbandit.figures.regret import draw_regret, from_zero, labels_of
from driftbandit.figures.world import stretches

if TYPE_CHECKING:
    from driftbandit.engine import Outcome, Result


def family(
    results: Mapping[str, Result],
    path: str | os.PathLike[str] | None = None,
    *,
    figure: Figure | SubFigure | None = None,
    colors: Mapping[str, str] | None = None,
) -> Figure:
    """Draw one column per result: the share of plays of the best arm, and the regret.

    The share is taken between checkpoints. Every second stretch with the same best arm is shaded.
    The worlds must not be random. `figure` draws on a figure or subfigure of yours, `colors` sets
    the colours of some labels.

    >>> import driftbandit as db
    >>> world = db.environments.two_swaps(1_000)
    >>> result = db.simulate([db.UCB1()], world, horizon=1_000, runs=10, seed=0)
    >>> [axes.get_ylabel() for axes in family({"one": result}).axes]
    ['plays of the best arm', 'cumulative regret']
    """
    page.require_results(results)
    for result in results.values():
        require(not result.world.random, "world", result.world, "be the same in all runs")
    lines = looks.lines(labels_of(results.values()), colors)
    width = 1.2 + 5.2 * len(results) ** 0.75
    with page.sheet(width, 5.2 + style.room_below(lines, width), path, figure=figure) as sheet:
        grid = sheet.subplots(2, len(results), sharex="col", squeeze=False, height_ratios=(5, 6))
        for column, (name, result) in enumerate(results.items()):
            upper, lower = grid[0][column], grid[1][column]
            _column(upper, lower, result, lines)
            upper.set_title(style.legible(name), loc="left")
            if column:
                upper.set_ylabel("")
                lower.set_ylabel("")
        style.legends(sheet, grid[1], width, labelspacing=0.25)
    return page.whole_figure(sheet)


def _column(upper: Axes, lower: Axes, result: Result, lines: Mapping[str, looks.Line]) -> None:
    best = result.world.best_arm(result.horizon, result.seed)
    draw_best_share(upper, result, best, lines)
    draw_regret(lower, result, lines)
    top = lower.get_ylim()[1]
    lower.set_ylim(0, top * (1.0 + 0.02 * min(len(result), style.ROWS)))
    lower.set_xlabel("round")
    for axes in (upper, lower):
        for number, (first, last, _) in enumerate(stretches(best)):
            if number % 2:
                axes.axvspan(first, last, color=looks.shade(), linewidth=0, zorder=0)


def draw_best_share(
    axes: Axes, result: Result, best: NDArray[np.int64], lines: Mapping[str, looks.Line]
) -> None:
    """Draw the share of plays of the best arm from checkpoint to checkpoint."""
    ends = from_zero(result.times)
    middles = 0.5 * (ends[1:] + ends[:-1])
    for label in result.labels:
        share = best_share(result[label], result.times, best)
        style.plain(axes, middles, share, lines[label], linewidth=1.2)
    style.rounds(axes, result.horizon)
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    axes.set_ylabel("plays of the best arm")


def best_share(
    outcome: Outcome, times: NDArray[np.int64], best: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the share of plays of the best arm from each checkpoint to the next.

    Where the best arm changes in between, it is that of the middle round.
    """
    starts = np.concatenate([[0], times[:-1]])
    plays = np.diff(outcome.play_share * times[:, np.newaxis], axis=0, prepend=0.0)
    arms = best[(starts + times) // 2]
    share: NDArray[np.float64] = plays[np.arange(len(times)), arms] / (times - starts)
    return share
