"""A heat map of an arena: each policy's regret on each problem, relative to the best there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, LogNorm
from matplotlib.figure import Figure
from numpy.typing import NDArray

from driftbandit.figures import looks, page, style

if TYPE_CHECKING:
    from driftbandit.studies.arena import Arena

Array = NDArray[np.float64]

MOST = 20.0
"""The ratio from which on all cells are equally dark."""
SHADES = LinearSegmentedColormap.from_list("ratio", ["#F4F8FB", "#9CC7E0", looks.BLUE, "#0B2A4A"])
"""From light for the best to dark: the order survives a grey printout."""


def arena(result: Arena, *paths: str | os.PathLike[str], ax: Axes | None = None) -> Figure:
    """Draw policies by average rank × problems, and write the figure to `paths`.

    A cell holds the policy's mean regret divided by that of the best policy on the problem. It is
    bold where the policy is not significantly worse than the best. `ax` draws on axes of yours.
    """
    page.require_kind("result", result, "leaderboard", "a result of arena")
    labels, names = result.leaderboard["policy"].to_list(), list(result.problems)
    scores = {(row["policy"], row["problem"]): row for row in result.scores.to_dicts()}
    ratios = np.array([[scores[label, name]["ratio"] for name in names] for label in labels])
    close = [[not scores[label, name]["worse"] for name in names] for label in labels]
    finite = ratios[np.isfinite(ratios)]
    top = min(MOST, max(2.0, float(finite.max())))
    norm = LogNorm(1.0, top)
    with page.panel(*_size(labels, names), *paths, ax=ax) as axes:
        draw_ratios(axes, ratios, close, norm)
        titles = [style.legible(name) for name in names]
        axes.set_xticks(range(len(names)), titles, rotation=35, ha="left", rotation_mode="anchor")
        axes.set_yticks(range(len(labels)), [style.legible(label) for label in labels])
        draw_ranks(axes, result.leaderboard["average_rank"].to_list(), len(names))
        _bar(page.figure_of(axes), axes, norm, top)
    return page.figure_of(axes)


def _size(labels: list[str], names: list[str]) -> tuple[float, float]:
    """Return width and height in inches: all cells are alike, whatever the names."""
    cells = max(3.2, 0.48 * len(names))
    letters = min(style.LETTERS, max(map(len, labels)))
    rows = style.rows(map(style.legible, labels))
    titles = min(style.LETTERS, max(map(len, names)))
    height = 1.85 + 0.045 * max(0, titles - 22) + 0.3 * len(labels) + 0.12 * (rows - len(labels))
    return 1.3 + 0.08 * letters + cells, height


def draw_ratios(axes: Axes, ratios: Array, close: list[list[bool]], norm: LogNorm) -> None:
    """Draw the cells and their numbers."""
    shown = np.where(np.isfinite(ratios), ratios, MOST)
    axes.imshow(shown, cmap=SHADES, norm=norm, aspect="auto")
    for (row, column), ratio in np.ndenumerate(ratios):
        share = float(norm(shown[row, column]))
        weight = "bold" if close[row][column] else "normal"
        color = "white" if share > 0.45 else looks.BLACK
        axes.text(
            column, row, _text(float(ratio)), ha="center", va="center", fontsize=8,
            color=color, fontweight=weight,
        )  # fmt: skip  # one look
    rows, columns = ratios.shape
    axes.set_xticks(np.arange(columns + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(rows + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(
        which="both", length=0, top=True, labeltop=True, bottom=False, labelbottom=False
    )
    axes.spines[:].set_visible(False)


def draw_ranks(axes: Axes, ranks: list[float], columns: int) -> None:
    """Write each policy's average rank to the right of its cells."""
    place = columns - 0.5 + 0.15
    for row, rank in enumerate(ranks):
        axes.annotate(
            f"{rank:.1f}", (place, row), annotation_clip=False, va="center", fontsize=8,
        )  # fmt: skip  # one look
    axes.annotate(
        "average\nrank", (place, len(ranks) - 0.4), annotation_clip=False, va="top", fontsize=8,
        color=looks.muted(),
    )  # fmt: skip  # one look


def _bar(figure: Figure, axes: Axes, norm: LogNorm, top: float) -> None:
    marks = [mark for mark in (1, 2, 3, 5, 10, 20) if mark <= top]
    bar = figure.colorbar(
        ScalarMappable(norm, SHADES), ax=axes, location="bottom", aspect=40, pad=0.03, shrink=0.7,
        ticks=marks, format=lambda value, _: f"{value:g}",
    )  # fmt: skip  # one look
    bar.ax.minorticks_off()
    bar.outline.set_visible(False)
    bar.set_label("mean regret relative to the best policy\nbold: not significantly worse")


def _text(ratio: float) -> str:
    """Write a ratio in at most four characters.

    >>> [_text(ratio) for ratio in (1.0, 1.234, 12.34, 123.4, float("inf"))]
    ['1.00', '1.23', '12.3', '123', '∞']
    """
    if not np.isfinite(ratio):
        return "∞"
    return f"{ratio:.{max(0, 2 - int(np.log10(ratio)))}f}"
