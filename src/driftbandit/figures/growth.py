"""How regret grows with the horizon, and how far the bounds lie above the measured plays."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from driftbandit.core.statistics import half_width
from driftbandit.figures import style

if TYPE_CHECKING:
    from driftbandit.studies.paper.growth import Growth


def growth(measured: Growth, *paths: str | os.PathLike[str]) -> Figure:
    """Draw bounds and measured plays, and regret with its slopes; write the figure to `paths`."""
    with style.styled():
        figure = style.blank(9.6, 4.4)
        left, right = figure.subplots(1, 2)
        for axes in (left, right):
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_xlabel("horizon T")
            axes.grid(visible=True, which="major")
        draw_bounds(left, measured)
        draw_growth(right, measured)
        figure.suptitle(
            f"two arms, {measured.breakpoints} breakpoints, gap {measured.gap:g}, "
            f"ξ = {measured.xi:g}, {measured.runs:,} runs, tuned by the paper's rules",
            x=0.01,
            ha="left",
            fontsize=10,
            color="#555555",
        )
        if paths:
            style.write(figure, *paths)
    return figure


def draw_bounds(axes: Axes, measured: Growth) -> None:
    """Draw the bound on plays of an arm that is not the best, and the measured plays."""
    looks = style.lines(measured.bounds)
    for label, bound in measured.bounds.items():
        color = looks[label].color
        axes.plot(measured.horizons, bound, color=color, linestyle="--", label=f"{label}, bound")
        mean, half = (
            measured.plays[label][:, 0],
            half_width(measured.plays[label][:, 1], measured.runs),
        )
        axes.errorbar(
            measured.horizons, mean, yerr=half, color=color, marker="o", markersize=3.5,
            label=f"{label}, measured",
        )  # fmt: skip  # one look
    top = 3.0 * max(10.0 * measured.horizons[-1], *(row.max() for row in measured.bounds.values()))
    axes.fill_between(measured.horizons, measured.horizons, top, color=style.SHADE, linewidth=0)
    axes.annotate(
        "vacuous: above T", (0.03, 0.96), xycoords="axes fraction", va="top", color="#555555"
    )
    axes.set_ylim(0.1 * min(rows[0, 0] for rows in measured.plays.values()), top)
    axes.set_xlim(measured.horizons[0], measured.horizons[-1])
    axes.set_ylabel("plays of an arm that is not the best")
    axes.legend(loc="lower right")


def draw_growth(axes: Axes, measured: Growth) -> None:
    """Draw the regret of every policy against the horizon, with its slope and two guides."""
    looks = style.lines(measured.regret)
    for label in sorted(measured.regret, key=lambda name: -measured.regret[name][-1, 0]):
        mean, error = measured.regret[label].T
        half = half_width(error, measured.runs)
        slope = f"{label}, slope {measured.slope(label):.2f}"
        band = (mean - half, mean + half)
        style.curve(axes, measured.horizons, mean, band, looks[label], slope)
    low = 0.45 * min(rows[0, 0] for rows in measured.regret.values())
    for power, name in ((0.5, "√T"), (1.0, "T")):
        guide = low * (measured.horizons / measured.horizons[0]) ** power
        axes.plot(measured.horizons, guide, color=style.GREY, linewidth=0.8)
        axes.annotate(
            name, (measured.horizons[-1], guide[-1]), xytext=(3, 0), textcoords="offset points",
            va="center", color=style.GREY,
        )  # fmt: skip  # one look
    axes.set_ylim(0.8 * low, 8.0 * max(rows[-1, 0] for rows in measured.regret.values()))
    axes.set_ylabel("regret")
    axes.legend(loc="upper left")
    axes.set_xlim(measured.horizons[0], measured.horizons[-1])
