"""The figure of Garivier & Moulines 2008: one column per experiment, three rows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.patches import Patch

from driftbandit.core.arrays import listed
from driftbandit.core.errors import require
from driftbandit.core.files import path_of
from driftbandit.core.statistics import half_width
from driftbandit.figures import looks, page, style
from driftbandit.figures.regret import draw_regret, labels_of
from driftbandit.figures.world import draw_means, stretches

if TYPE_CHECKING:
    from driftbandit.engine import Result

TITLES = ("abrupt changes", "continuous changes")


def two_panels(
    results: Sequence[Result],
    path: str | os.PathLike[str] | None = None,
    titles: Sequence[str] = TITLES,
    *,
    figure: Figure | SubFigure | None = None,
    colors: Mapping[str, str] | None = None,
) -> Figure:
    """Draw one column per result: the arms' means, the share of plays of arm 1, the regret.

    Arms are numbered from 1 here, as in the paper. The rounds in which arm 1 is best are shaded.
    All bands are 95 % intervals of the mean over runs. With a path, a PNG and an SVG are written,
    whatever its suffix. `figure` draws on a figure or subfigure of yours, `colors` sets the colours
    of some labels.
    """
    columns = _columns(results, titles)
    lines = looks.lines(labels_of([result for result, _ in columns]), colors)
    with page.sheet(7.6, 7.4, *_paths(path), figure=figure) as sheet:
        grid = sheet.subplots(3, len(columns), sharex="col", squeeze=False)
        for place, (result, title) in enumerate(columns):
            _column([row[place] for row in grid], result, title, lines)
        for row in grid:
            for axes in row[1:]:
                axes.set_ylabel("")
        shade = Patch(color=looks.shade(), linewidth=0)
        style.below(sheet, {**style.entries(grid[1]), "arm 1 is best": shade}, 5.7)
    return page.whole_figure(sheet)


def _paths(path: str | os.PathLike[str] | None) -> list[Path]:
    if path is None:
        return []
    file = path_of("path", path, "name a file")
    require(file.name != "", "path", path, "name a file")
    return [file.with_suffix(kind) for kind in (".png", ".svg")]


def _columns(results: Sequence[Result], titles: Sequence[str]) -> list[tuple[Result, str]]:
    """Return each result with its title, or raise."""
    columns = listed("results", results, "be a list of results")
    texts = listed("titles", titles, "be a list of texts")
    require(len(columns) > 0, "results", columns, "hold at least one result")
    for result in columns:
        page.require_kind("results", result, *page.RESULT)
    fits = len(texts) >= len(columns) and all(isinstance(text, str) for text in texts)
    require(fits, "titles", texts, f"be one text per result: {len(columns)}")
    return list(zip(columns, texts, strict=False))


def _column(
    axes: Sequence[Axes], result: Result, title: str, lines: Mapping[str, looks.Line]
) -> None:
    top, middle, bottom = axes
    means = result.world.realise(result.horizon, result.seed).mean_rewards(1, result.horizon)
    draw_means(top, means, result.world.bound)
    for line, arm in zip(top.get_lines(), range(means.shape[1]), strict=True):
        line.set_label(f"arm {arm + 1}")
    top.set_title(style.legible(title))
    top.legend(loc="upper right", ncols=means.shape[1], columnspacing=1.2, handlelength=2.2)
    top.set_ylim(-0.02, 1.22 * result.world.bound)  # room for the legend
    top.set_yticks(np.linspace(0.0, result.world.bound, 6))
    _draw_share(middle, result, lines)
    draw_regret(bottom, result, lines)
    bottom.set_xlabel("round")
    for part in axes:
        for first, last, arm in stretches(means.argmax(axis=1)):
            if arm == 0:
                part.axvspan(first, last, color=looks.shade(), linewidth=0, zorder=0)


def _draw_share(axes: Axes, result: Result, lines: Mapping[str, looks.Line]) -> None:
    """Draw the cumulative share of plays of the first arm, from the first checkpoint on."""
    for label in result.labels:
        share = result[label].play_share[:, 0]
        half = half_width(result[label].share_error[:, 0], result.runs)
        style.curve(axes, result.times, share, (share - half, share + half), lines[label], label)
    style.rounds(axes, result.horizon)
    axes.set_ylim(0, 1)
    axes.set_ylabel("share of plays of arm 1")
