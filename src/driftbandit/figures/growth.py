"""How regret grows with the horizon, and how far the bounds lie above the measured plays."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from driftbandit.core.statistics import half_width
from driftbandit.core.text import amount
from driftbandit.figures import looks, page, style

if TYPE_CHECKING:
    from driftbandit.studies.paper.growth import Growth

Lines = Mapping[str, looks.Line]


def growth(
    measured: Growth,
    *paths: str | os.PathLike[str],
    figure: Figure | SubFigure | None = None,
    colors: Mapping[str, str] | None = None,
) -> Figure:
    """Draw bounds and measured plays, and regret with its slopes; write the figure to `paths`.

    `figure` draws on a figure or subfigure of yours, `colors` sets the colours of some labels.
    """
    page.require_kind("measured", measured, "bounds", "a result of growth")
    lines = looks.lines(dict.fromkeys([*measured.bounds, *measured.regret]), colors)
    with page.sheet(9.6, 4.4, *paths, figure=figure) as sheet:
        left, right = sheet.subplots(1, 2)
        for axes in (left, right):
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_xlabel("horizon T")
            axes.grid(visible=True, which="major")
        draw_bounds(left, measured, lines)
        draw_growth(right, measured, lines)
        sheet.suptitle(
            f"two arms, {amount(measured.breakpoints, 'breakpoint')}, gap {measured.gap:g}, "
            f"ξ = {measured.xi:g}, {amount(measured.runs, 'run')}, tuned by the paper's rules",
            x=0.01,
            ha="left",
            fontsize=mpl.rcParams["axes.titlesize"],
            color=looks.muted(),
        )
    return page.whole_figure(sheet)


def draw_bounds(axes: Axes, measured: Growth, lines: Lines) -> None:
    """Draw the bound on plays of an arm that is not the best, and the measured plays."""
    for label, bound in measured.bounds.items():
        color = lines[label].color
        axes.plot(
            measured.horizons,
            bound,
            color=color,
            linestyle="--",
            label=style.legible(f"{label}, bound"),
        )
        mean, half = (
            measured.plays[label][:, 0],
            half_width(measured.plays[label][:, 1], measured.runs),
        )
        axes.errorbar(
            measured.horizons, mean, yerr=half, color=color, marker="o", markersize=3.5,
            label=style.legible(f"{label}, measured"),
        )  # fmt: skip  # one look
    top = 3.0 * max(10.0 * measured.horizons[-1], *(row.max() for row in measured.bounds.values()))
    axes.fill_between(measured.horizons, measured.horizons, top, color=looks.shade(), linewidth=0)
    axes.annotate(
        "vacuous: above T", (0.03, 0.96), xycoords="axes fraction", va="top", color=looks.muted()
    )
    axes.set_ylim(0.1 * min(rows[0, 0] for rows in measured.plays.values()), top)
    axes.set_xlim(measured.horizons[0], measured.horizons[-1])
    axes.set_ylabel("plays of an arm that is not the best")
    axes.legend(loc="lower right")


def draw_growth(axes: Axes, measured: Growth, lines: Lines) -> None:
    """Draw the regret of every policy against the horizon, with its slope and two guides."""
    for label in sorted(measured.regret, key=lambda name: -measured.regret[name][-1, 0]):
        mean, error = measured.regret[label].T
        half = half_width(error, measured.runs)
        slope = f"{label}, slope {measured.slope(label):.2f}"
        band = (mean - half, mean + half)
        style.curve(axes, measured.horizons, mean, band, lines[label], slope)
    low = 0.45 * min(rows[0, 0] for rows in measured.regret.values())
    for power, name in ((0.5, "√T"), (1.0, "T")):
        guide = low * (measured.horizons / measured.horizons[0]) ** power
        axes.plot(measured.horizons, guide, color=looks.GREY, linewidth=0.8)
        axes.annotate(
            name, (measured.horizons[-1], guide[-1]), xytext=(3, 0), textcoords="offset points",
            va="center", color=looks.GREY,
        )  # fmt: skip  # one look
    axes.set_ylim(0.8 * low, 8.0 * max(rows[-1, 0] for rows in measured.regret.values()))
    axes.set_ylabel("regret")
    axes.legend(loc="upper left")
    axes.set_xlim(measured.horizons[0], measured.horizons[-1])
