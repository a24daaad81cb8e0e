"""How every picture looks: texts, curves, axes and legends."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.ticker import Formatter, MaxNLocator
from numpy.typing import NDArray

from driftbandit.core.statistics import few_runs
from driftbandit.figures.looks import Line
from driftbandit.figures.page import Sheet

LETTERS = 44
"""The most letters of a name in a line."""
ROWS = 6
"""A legend with more rows stands beside its axes, so that it hides no curve."""
ROW_HEIGHT = 0.165
"""The height of a row of a legend, in inches."""
POINTS = 4000
"""The largest number of points per curve: no picture is wider."""


class Alike(Formatter):
    """Numbers with commas, and all with the same number of decimals.

    >>> Alike().format_ticks([0.0, 0.25, 0.5]), Alike().format_ticks([0.0, 1000.0])
    (['0.00', '0.25', '0.50'], ['0', '1,000'])
    """

    def __call__(self, value: float, pos: int | None = None) -> str:
        """Return one number as short as it can be."""
        return f"{value:,.10g}"

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        """Return all numbers alike."""
        texts = [f"{value:.10g}" for value in values]
        if any("e" in text for text in texts):
            return texts
        decimals = max((len(text.partition(".")[2]) for text in texts), default=0)
        return [f"{value:,.{decimals}f}" for value in values]


def curve(
    axes: Axes,
    times: NDArray[Any],
    mean: NDArray[np.float64],
    band: tuple[NDArray[np.float64], NDArray[np.float64]],
    line: Line,
    label: str,
) -> None:
    """Draw a mean over time with the band of its intervals, from low to high."""
    axes.fill_between(times, *band, color=line.color, alpha=0.22, linewidth=0, zorder=2)
    plain(axes, times, mean, line, label=legible(label), zorder=3)


def plain(
    axes: Axes, times: NDArray[Any], values: NDArray[np.float64], line: Line, **options: Any
) -> None:
    """Draw a line, with a few marks if it has any."""
    axes.plot(
        times,
        values,
        color=line.color,
        linestyle=line.dashes,
        marker=line.mark,
        markersize=4.5,
        markevery=(0.05, 0.12),
        **options,
    )


def legend(axes: Axes, **options: Any) -> None:
    """Add a legend on the upper left, or beside the axes if it has many rows."""
    _, texts = axes.get_legend_handles_labels()
    if rows(texts) > ROWS:
        options = {"bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0}
    axes.legend(loc="upper left", **options)


def legends(sheet: Sheet, panels: Iterable[Axes], width: float, **options: Any) -> None:
    """Add a legend to each panel, or one below them all if any has many rows."""
    if all(rows(entries([axes])) <= ROWS for axes in panels):
        for axes in panels:
            legend(axes, **options)
    else:
        below(sheet, entries(panels), width)


def entries(panels: Iterable[Axes]) -> dict[str, Artist]:
    """Return what a legend of these panels shows, by its text."""
    pairs = [zip(*axes.get_legend_handles_labels(), strict=True) for axes in panels]
    return {text: handle for panel in pairs for handle, text in panel}


def below(sheet: Sheet, entries: Mapping[str, Artist], width: float) -> None:
    """Add a legend below all panels, in as many columns as fit."""
    columns = _columns(list(entries), width)
    sheet.legend(entries.values(), entries, loc="outside lower center", ncols=columns)


def rows(texts: Iterable[str]) -> int:
    """Return how many rows these texts take in a legend.

    >>> rows(["UCB-1", legible("a long name " * 5)])
    3
    """
    return sum(text.count("\n") + 1 for text in texts)


def room_beside(names: Iterable[str]) -> tuple[float, float]:
    """Return how wide and high a legend beside the axes is, in inches; 0 if it is inside.

    >>> room_beside(["UCB-1", "D-UCB"])
    (0.0, 0.0)
    """
    texts = [legible(name) for name in names]
    if rows(texts) <= ROWS:
        return 0.0, 0.0
    return _entry_width(texts), 0.6 + ROW_HEIGHT * rows(texts)


def room_below(names: Iterable[str], width: float) -> float:
    """Return how high a legend below the panels is, in inches; 0 if it is inside.

    >>> room_below(["UCB-1", "D-UCB"], 6.4)
    0.0
    """
    texts = [legible(name) for name in names]
    if rows(texts) <= ROWS:
        return 0.0
    return 0.2 + ROW_HEIGHT * rows(texts) / _columns(texts, width)


def _columns(texts: Sequence[str], width: float) -> int:
    return min(len(texts), max(1, int(width / _entry_width(texts))))


def _entry_width(texts: Iterable[str]) -> float:
    letters = max(len(line) for text in texts for line in text.splitlines())
    return 0.6 + 0.068 * letters


def legible(name: str, letters: int = LETTERS) -> str:
    """Return a name as it is to be read in a picture.

    A dollar is a dollar and not a formula, a long name takes several lines, and one that begins
    with an underscore, which legends leave out, gets a space before it.

    >>> legible("5 $"), legible("_mine")
    ('5 \\\\$', ' _mine')
    """
    whole = name.encode("utf-8", "replace").decode("utf-8")  # half a letter is a ?
    text = textwrap.fill(whole.replace("$", r"\$"), letters)
    return f" {text}" if text.startswith("_") else text


def runs(number: int) -> str:
    """Write a number of runs.

    >>> runs(1), runs(2000)
    ('1 run', '2,000 runs')
    """
    return f"{number:,} run{'' if number == 1 else 's'}"


def bands(number: int, name: str) -> str:
    """Return what a title says of the bands: there are none from few runs.

    >>> bands(100, "95 % bands"), bands(9, "95 % bands")
    ('95 % bands', 'too few for bands')
    """
    return "too few for bands" if few_runs(number) else name


def places(rounds: int) -> NDArray[np.int64]:
    """Return the places, from 0, of the rounds to draw: all, or `POINTS` evenly spread.

    >>> places(5).tolist(), len(places(10**6))
    ([0, 1, 2, 3, 4], 4000)
    """
    spread = np.linspace(0, rounds - 1, min(rounds, POINTS)).round()
    return np.unique(spread.astype(np.int64))


def rounds(axes: Axes, horizon: int) -> None:
    """Let the horizontal axis run from 0 to the horizon, in whole rounds."""
    axes.set_xlim(0 if axes.get_xscale() != "log" else None, horizon)
    axes.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], integer=True))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    numbers(axes)


def numbers(axes: Axes) -> None:
    """Write the numbers of the vertical axis alike, and draw its grid."""
    axes.yaxis.set_major_formatter(Alike())
    axes.grid(visible=True, axis="y")
