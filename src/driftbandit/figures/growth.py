"""How regret grows with the horizon, and the bounds above what is measured."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from driftbandit.core.numerics import NORMAL_95
from driftbandit.figures import style

if TYPE_CHECKING:
    from driftbandit.studies.paper.growth import Growth


def growth(found: Growth, *paths: str | os.PathLike[str]) -> Figure:
    """Draw bounds against measured plays, and regret with its slopes; write it to `paths`."""
    with style.styled():
        figure = style.blank(9.6, 4.4)
        left, right = figure.subplots(1, 2)
        for axes in (left, right):
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_xlabel("horizon T")
            axes.grid(visible=True, which="major")
        draw_bounds(left, found)
        draw_growth(right, found)
        figure.suptitle(
            f"two arms, {found.breakpoints} breakpoints, gap {found.gap:g}, ξ = {found.xi:g}, "
            f"{found.runs:,} runs, tuned by the paper's rules",
            x=0.01,
            ha="left",
            fontsize=10,
            color="#555555",
        )
        if paths:
            style.write(figure, *paths)
    return figure


def draw_bounds(axes: Axes, found: Growth) -> None:
    """Draw the bound on plays of an arm that is not the best, and the plays measured."""
    looks = style.lines(found.bounds)
    for label, bound in found.bounds.items():
        color = looks[label].color
        axes.plot(found.horizons, bound, color=color, linestyle="--", label=f"{label}, bound")
        mean, half = found.plays[label][:, 0], NORMAL_95 * found.plays[label][:, 1]
        axes.errorbar(
            found.horizons, mean, yerr=half, color=color, marker="o", markersize=3.5,
            label=f"{label}, measured",
        )  # fmt: skip  # one look
    top = 3.0 * max(10.0 * found.horizons[-1], *(row.max() for row in found.bounds.values()))
    axes.fill_between(found.horizons, found.horizons, top, color=style.SHADE, linewidth=0)
    axes.annotate(
        "vacuous: above T", (0.03, 0.96), xycoords="axes fraction", va="top", color="#555555"
    )
    axes.set_ylim(0.1 * min(rows[0, 0] for rows in found.plays.values()), top)
    axes.set_xlim(found.horizons[0], found.horizons[-1])
    axes.set_ylabel("plays of an arm that is not the best")
    axes.legend(loc="lower right")


def draw_growth(axes: Axes, found: Growth) -> None:
    """Draw the regret of every policy over the horizon, with its fitted slope and two guides."""
    looks = style.lines(found.regret)
    for label in sorted(found.regret, key=lambda name: -found.regret[name][-1, 0]):
        mean, half = found.regret[label][:, 0], NORMAL_95 * found.regret[label][:, 1]
        slope = f"{label}, slope {found.slope(label):.2f}"
        style.curve(axes, found.horizons, mean, half, looks[label], slope)
    low = 0.45 * min(rows[0, 0] for rows in found.regret.values())
    for power, name in ((0.5, "√T"), (1.0, "T")):
        guide = low * (found.horizons / found.horizons[0]) ** power
        axes.plot(found.horizons, guide, color=style.GREY, linewidth=0.8)
        axes.annotate(
            name, (found.horizons[-1], guide[-1]), xytext=(3, 0), textcoords="offset points",
            va="center", color=style.GREY,
        )  # fmt: skip  # one look
    axes.set_ylim(0.8 * low, 8.0 * max(rows[-1, 0] for rows in found.regret.values()))
    axes.set_ylabel("regret")
    axes.legend(loc="upper left")
    axes.set_xlim(found.horizons[0], found.horizons[-1])
