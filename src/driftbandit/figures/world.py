"""The means of a world's arms over time, and which arm is best."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba_array
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from driftbandit.core.errors import whole
from driftbandit.figures import looks, page, style

if TYPE_CHECKING:
    from driftbandit.environments import World

HORIZON = 10_000
"""Rounds to draw of a world that never ends, by default."""
MOST_ARMS = 8
"""The largest number of arms that are drawn as curves: nobody could read more."""
MOST_JUMPS = 60
"""The largest number of jumps that are drawn as curves: more would be a wall of lines."""


def world(
    world: World,
    path: str | os.PathLike[str] | None = None,
    horizon: int | None = None,
    seed: int = 0,
    run: int = 0,
    *,
    ax: Axes | None = None,
) -> Figure:
    """Draw the mean reward of every arm over time and, below, which arm is best.

    Of a random world, one run is drawn. The picture ends at the `horizon`, by default the world's
    last round, or round 10,000 of a world that never ends. A world with many arms or jumps is drawn
    as a map. `ax` draws the means alone, on axes of yours.

    >>> import driftbandit as db
    >>> figure = db.environments.two_swaps().plot()
    >>> figure.axes[0].get_ylabel()
    'mean reward'
    """
    page.require_kind("world", world, "realise", "a world of driftbandit.environments")
    last = world.horizon or HORIZON if horizon is None else whole("horizon", horizon)
    means = world.realise(last, seed, run).mean_rewards(1, last)
    size = page.size(6.4, 4.0)
    if ax is None and not _crowded(means, world.bound):
        with page.sheet(*size, path) as sheet:
            _draw_means_and_best(sheet, means, world.bound)
        return page.whole_figure(sheet)
    with page.panel(*size, path, ax=ax) as axes:
        if _crowded(means, world.bound):
            draw_map(axes, means, world.bound)
        else:
            draw_means(axes, means, world.bound)
            axes.legend()
        axes.set_xlabel("round")
    return page.figure_of(axes)


def _crowded(means: NDArray[np.float64], bound: float) -> bool:
    """Say whether curves would hide each other: too many arms, or too many jumps."""
    jumps = (np.abs(np.diff(means, axis=0)) > 0.1 * bound).sum()
    return bool(means.shape[1] > MOST_ARMS or jumps > MOST_JUMPS)


def _draw_means_and_best(sheet: page.Sheet, means: NDArray[np.float64], bound: float) -> None:
    upper, lower = sheet.subplots(
        2, 1, sharex=True, gridspec_kw={"height_ratios": [9, 1], "hspace": 0.02}
    )
    draw_means(upper, means, bound)
    draw_best(lower, means)
    lower.set_xlabel("round")
    sheet.legend(*upper.get_legend_handles_labels(), loc="outside upper left", ncols=4)


def draw_map(axes: Axes, means: NDArray[np.float64], bound: float) -> None:
    """Draw one row per arm, the darker the better, with a bar where the arm is the best."""
    horizon, arms = means.shape
    image = axes.imshow(
        means[style.places(horizon)].T,
        aspect="auto",
        cmap="Greys",
        vmin=0.0,
        vmax=bound,
        extent=(1, horizon + 1, arms - 0.5, -0.5),
        interpolation="none",
    )
    best = stretches(means.argmax(axis=1))
    bars = [[(first, arm + 0.4), (last, arm + 0.4)] for first, last, arm in best]
    width = max(1.0, 40.0 / arms)
    axes.add_collection(LineCollection(bars, colors=looks.ORANGE, linewidths=min(width, 4.0)))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=12))
    style.rounds(axes, horizon)
    axes.grid(visible=False)
    axes.set_ylabel("arm")
    axes.set_title("orange: the best arm (the lowest on ties)", loc="left", color=looks.muted())
    page.figure_of(axes).colorbar(image, ax=axes, label="mean reward", pad=0.02)


def draw_means(axes: Axes, means: NDArray[np.float64], bound: float = 1.0) -> None:
    """Draw the means (rounds, arms), as steps where they jump."""
    horizon, arms = means.shape
    times = np.arange(1, horizon + 1)
    shown = style.places(horizon)
    for arm in range(arms):
        line = looks.arm_line(arm)
        axes.plot(
            times[shown],
            means[shown, arm],
            color=line.color,
            linestyle=line.dashes,
            drawstyle="steps-post",
            label=f"arm {arm}",
        )
    style.rounds(axes, horizon)
    axes.set_ylim(-0.02 * bound, 1.02 * bound)
    axes.set_ylabel("mean reward")


def draw_best(axes: Axes, means: NDArray[np.float64]) -> None:
    """Draw a strip in the colour of the best arm of each round."""
    horizon, arms = means.shape
    best = means.argmax(axis=1)
    palette = to_rgba_array([looks.arm_line(arm).color for arm in range(arms)])
    colors = palette[best[style.places(horizon)]]
    axes.imshow(
        colors[np.newaxis], aspect="auto", extent=(1, horizon + 1, 0, 1), interpolation="none"
    )
    for first, last, arm in stretches(best):
        if last - first > 0.06 * horizon:
            dark = palette[arm, :3].mean() < 0.35
            ink = "white" if dark else "black"
            axes.text((first + last) / 2, 0.5, str(arm), ha="center", va="center", color=ink)
    axes.set_yticks([])
    axes.set_ylabel("best", rotation=0, ha="right", va="center")
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)


def stretches(best: NDArray[np.int64]) -> Iterator[tuple[int, int, int]]:
    """Yield (first round, first round after, arm) of every stretch with the same best arm.

    >>> list(stretches(np.array([0, 0, 2, 0])))
    [(1, 3, 0), (3, 4, 2), (4, 5, 0)]
    """
    changes = np.flatnonzero(np.diff(best)) + 1
    edges = [0, *(int(change) for change in changes), len(best)]
    for start, stop in itertools.pairwise(edges):
        yield start + 1, stop + 1, int(best[start])
