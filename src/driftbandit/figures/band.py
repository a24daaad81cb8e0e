"""A confidence band around a drifting rate."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from driftbandit.core.errors import require
from driftbandit.figures import style

if TYPE_CHECKING:
    from driftbandit.theory import Band

MOST_ARMS = 8
"""The largest number of arms that are drawn, one panel per arm."""


def band(
    band: Band, path: str | os.PathLike[str] | None = None, truth: ArrayLike | None = None
) -> Figure:
    """Draw the band and its mean over the rounds, one panel per arm; with the `truth` if known.

    >>> import driftbandit as db
    >>> figure = db.theory.confidence_band([0.0, 1.0, 1.0], discount=0.9).plot()
    >>> figure.axes[0].get_ylabel()
    'mean reward'
    """
    columns = [_columns(values) for values in (band.mean, band.low, band.high)]
    rounds, arms = columns[0].shape
    allowed = f"be at most {MOST_ARMS} to be drawn"
    require(arms <= MOST_ARMS, "the band's number of arms", arms, allowed)
    true = None if truth is None else _columns(np.asarray(truth, dtype=np.float64))
    if true is not None:
        require(true.shape == (rounds, arms), "the shape of truth", true.shape, "be the band's")
    with style.styled():
        figure = style.blank(6.4, 1.6 + max(1.6, 2.4 / arms) * arms)
        panels = figure.subplots(arms, 1, sharex=True, squeeze=False)[:, 0]
        for arm, axes in enumerate(panels):
            mean, low, high = (values[:, arm] for values in columns)
            informative = (low > 0.0) | (high < band.bound)
            mean = np.where(informative, mean, np.nan)  # a reward or two make no estimate
            draw_band(axes, mean, low, high, None if true is None else true[:, arm])
            axes.set_ylim(-0.02 * band.bound, 1.02 * band.bound)
            axes.set_ylabel("mean reward" if arms == 1 else f"arm {arm}")
        panels[-1].set_xlabel("round")
        panels[0].set_title(_promise(band), loc="left", color="#555555")
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
        if path is not None:
            style.write(figure, path)
    return figure


def draw_band(
    axes: Axes,
    mean: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    truth: NDArray[np.float64] | None,
) -> None:
    """Draw one arm: the band as a shade, its mean as a line, and the truth on top."""
    rounds = len(mean)
    shown = style.places(rounds)
    times, line = shown + 1, style.Line(style.BLUE, style.SOLID)
    axes.fill_between(
        times, low[shown], high[shown], color=line.color, alpha=0.22, linewidth=0, label="band"
    )
    axes.plot(times, mean[shown], color=line.color, linestyle=line.dashes, label="estimate")
    if truth is not None:
        axes.plot(times, truth[shown], color=style.BLACK, linestyle=style.SHORT, label="truth")
    style.rounds(axes, rounds)


def _columns(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return values if values.ndim == 2 else values.reshape(-1, 1)


def _promise(band: Band) -> str:
    """Return the title: what the band promises."""
    several = band.mean.ndim == 2 and band.mean.shape[1] > 1
    if band.simultaneous:
        scope = "all rounds and arms at once" if several else "all rounds at once"
    else:
        scope = "each round and arm alone" if several else "each round alone"
    what = "the mean" if band.drift else "the average of the means"
    return f"{100 * band.level:g} % band around {what}, {scope}"
