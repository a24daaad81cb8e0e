"""The cumulative regret of policies over time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from numpy.typing import NDArray

from driftbandit.core.statistics import Array, bounds
from driftbandit.environments import World
from driftbandit.figures import looks, page, style

if TYPE_CHECKING:
    from driftbandit.engine import Outcome, Result


BREAKPOINTS = 24
"""Up to this many are marked: more would hide the curves."""
NUMBERS = 2**24
"""Up to this many means are looked through for breakpoints."""


def regret(
    result: Result,
    path: str | os.PathLike[str] | None = None,
    *,
    ax: Axes | None = None,
    colors: Mapping[str, str] | None = None,
) -> Figure:
    """Draw the mean cumulative regret of every policy with 95 % bands; write it to `path`.

    Dotted lines mark the breakpoints of the world, unless they are many. `ax` draws on axes of
    yours, `colors` sets the colours of some labels.

    >>> import driftbandit as db
    >>> world = db.environments.two_swaps()
    >>> result = db.simulate([db.UCB1()], world, horizon=100, runs=10, seed=0)
    >>> regret(result).axes[0].get_ylabel()
    'cumulative regret'
    """
    page.require_kind("result", result, *page.RESULT)
    width, height = style.room_beside(result.labels)
    size = page.size(6.4 + 0.7 * width, max(4.0, height))
    with page.panel(*size, path, ax=ax) as axes:
        draw_regret(axes, result, looks.lines(result.labels, colors))
        mark_breakpoints(axes, result)
        axes.set_xlabel("round")
        title = f"mean of {style.runs(result.runs)}, {style.bands(result.runs, '95 % bands')}"
        axes.set_title(title, loc="left", color=looks.muted())
        style.legend(axes)
    return page.figure_of(axes)


def regrets(
    results: Mapping[str, Result],
    path: str | os.PathLike[str] | None = None,
    *,
    figure: Figure | SubFigure | None = None,
    colors: Mapping[str, str] | None = None,
) -> Figure:
    """Draw the regret of several comparisons side by side, each under its name.

    `figure` draws on a figure or subfigure of yours, `colors` sets the colours of some labels.

    >>> import driftbandit as db
    >>> world = db.environments.two_swaps()
    >>> result = db.simulate([db.UCB1()], world, horizon=100, runs=10, seed=0)
    >>> [axes.get_title("left") for axes in regrets({"one": result, "two": result}).axes]
    ['one', 'two']
    """
    page.require_results(results)
    lines = looks.lines(labels_of(results.values()), colors)
    width = 1.2 + 3.6 * len(results)
    with page.sheet(width, 3.4 + style.room_below(lines, width), path, figure=figure) as sheet:
        panels = sheet.subplots(1, len(results), squeeze=False)[0]
        for axes, (name, result) in zip(panels, results.items(), strict=True):
            draw_regret(axes, result, lines)
            mark_breakpoints(axes, result)
            axes.set_xlabel("round")
            axes.set_title(style.legible(name), loc="left")
        style.legends(sheet, panels, width)
    return page.whole_figure(sheet)


def labels_of(results: Iterable[Result]) -> list[str]:
    """Return the labels of all results, each once."""
    return list(dict.fromkeys(label for result in results for label in result.labels))


def draw_regret(axes: Axes, result: Result, lines: Mapping[str, looks.Line]) -> None:
    """Draw the regret of every policy of `result`, the largest first in the legend."""
    last = {label: float(result[label].regret[:, -1].mean()) for label in result.labels}
    for label in sorted(result.labels, key=lambda name: -last[name]):
        mean, band = regret_band(result[label])
        style.curve(axes, from_zero(result.times), mean, band, lines[label], label)
    style.rounds(axes, result.horizon)
    if axes.get_yscale() != "log":
        axes.set_ylim(bottom=0)
    axes.set_ylabel("cumulative regret")


def mark_breakpoints(axes: Axes, result: Result) -> None:
    """Mark the rounds in which means change, if they do so now and then and alike in all runs."""
    world, numbers = result.world, result.horizon * result.world.arms
    if not isinstance(world, World) or world.random or numbers > NUMBERS:
        return
    changes = world.find_breakpoints(result.horizon)
    for change in changes if len(changes) <= BREAKPOINTS else ():
        axes.axvline(change, color=looks.GREY, linewidth=0.7, linestyle=looks.DOTS, zorder=1)


def regret_band(outcome: Outcome) -> tuple[Array, tuple[Array, Array]]:
    """Return the mean regret at time 0 and the checkpoints, and the ends of its 95 % interval."""
    low, high = bounds(outcome.regret)
    return from_zero(outcome.mean_regret), (from_zero(low), from_zero(high))


def from_zero(values: NDArray[Any]) -> Array:
    """Put a zero before the values: there is no regret before the first round.

    >>> from_zero(np.array([1.0, 2.0]))
    array([0., 1., 2.])
    """
    return np.concatenate([np.zeros(1), values])
