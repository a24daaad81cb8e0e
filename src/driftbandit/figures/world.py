"""The means of a world's arms over time, and which arm is best."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba_array
from matplotlib.figure import Figure
from numpy.typing import NDArray

from driftbandit.errors import InputError, whole
from driftbandit.figures import style

if TYPE_CHECKING:
    from driftbandit.environments import World

NAMED = 8
"""So many arms are named one by one; more would make a legend nobody reads."""
POINTS = 4000
"""So many points a curve are drawn; a picture is not wider."""


def world(
    world: World,
    path: str | os.PathLike[str] | None = None,
    horizon: int | None = None,
    seed: int = 0,
    run: int = 0,
) -> Figure:
    """Draw the mean reward of every arm over time and, below, which arm is best.

    A random world is drawn as met by one run. `horizon` may be left out if the world has one.

    >>> import driftbandit as db
    >>> figure = db.environments.two_swaps().plot()
    >>> figure.axes[0].get_ylabel()
    'mean reward'
    """
    last = world.horizon if horizon is None else whole("horizon", horizon)
    if last is None:
        raise InputError("horizon must be given to draw a world that never ends")
    means = world.realise(last, seed, run).means(1, last)
    with style.styled():
        figure = style.blank(6.4, 4.0)
        upper, lower = figure.subplots(
            2, 1, sharex=True, gridspec_kw={"height_ratios": [9, 1], "hspace": 0.02}
        )
        draw_means(upper, means, world.bound)
        draw_best(lower, means)
        lower.set_xlabel("round")
        if means.shape[1] <= NAMED:
            figure.legend(*upper.get_legend_handles_labels(), loc="outside upper left", ncols=4)
        if path is not None:
            style.write(figure, path)
    return figure


def draw_means(axes: Axes, means: NDArray[np.float64], bound: float = 1.0) -> None:
    """Draw the means (rounds, arms), as steps where they jump."""
    horizon, arms = means.shape
    times = np.arange(1, horizon + 1)
    keep = np.unique(np.linspace(0, horizon - 1, min(horizon, POINTS)).round().astype(int))
    for arm in range(arms):
        line = style.ARMS[arm % len(style.ARMS)]
        axes.plot(
            times[keep],
            means[keep, arm],
            color=line.color,
            linestyle=line.dashes,
            drawstyle="steps-post",
            label=f"arm {arm}",
        )
    style.rounds(axes, horizon)
    axes.set_ylim(-0.02 * bound, 1.02 * bound)
    axes.set_ylabel("mean reward")


def draw_best(axes: Axes, means: NDArray[np.float64]) -> None:
    """Draw a strip that has the colour of the best arm of each round."""
    horizon, arms = means.shape
    best = means.argmax(axis=1)
    palette = to_rgba_array([style.ARMS[arm % len(style.ARMS)].color for arm in range(arms)])
    shown = palette[best[np.linspace(0, horizon - 1, min(horizon, POINTS)).astype(int)]]
    axes.imshow(shown[np.newaxis], aspect="auto", extent=(0, horizon, 0, 1), interpolation="none")
    for first, last, arm in stretches(best):
        if last - first > 0.06 * horizon and arms <= NAMED:
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
    for start, stop in zip(edges, edges[1:], strict=False):
        yield start + 1, stop + 1, int(best[start])
