"""How every picture looks: one palette, one set of lines, one way to write files."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import textwrap
import threading
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from driftbandit.core.errors import one_of
from driftbandit.core.files import path_of, replacing

Dashes = str | tuple[int, tuple[float, ...]]


class Line(NamedTuple):
    """A colour and a dash pattern: together they distinguish curves in colour and in grey."""

    color: str
    dashes: Dashes


# Okabe & Ito's colours, which colour-blind eyes can distinguish; dashes serve a grey printout.
BLUE, GREEN, VERMILION, PURPLE = "#0072B2", "#009E73", "#D55E00", "#B5578A"
SKY, ORANGE, BLACK = "#56B4E9", "#E69F00", "#222222"
GREY, SHADE = "#8C8C8C", "#EFEFEF"

SOLID: Dashes = "solid"
LONG: Dashes = (0, (7.0, 2.0))
SHORT: Dashes = (0, (3.0, 1.6))
DOTS: Dashes = (0, (1.0, 1.4))
DASHDOT: Dashes = (0, (6.0, 1.6, 1.2, 1.6))

PAPER = {
    "UCB-1": Line(VERMILION, SHORT),
    "EXP3.S": Line(PURPLE, DASHDOT),
    "D-UCB": Line(BLUE, SOLID),
    "SW-UCB": Line(GREEN, LONG),
    "D-UCB (padding B)": Line(SKY, DOTS),
}
"""The lines of the paper's policies, the same in every picture."""

LINEAR = {"LinUCB": PAPER["UCB-1"], "D-LinUCB": PAPER["D-UCB"], "SW-LinUCB": PAPER["SW-UCB"]}
"""Linear policies have the lines of their cousins, with which they never share a picture."""

OTHERS = (ORANGE, BLACK, BLUE, VERMILION, GREEN, PURPLE, SKY)
DASHES = (SOLID, SHORT, DASHDOT, DOTS, LONG)
ARMS = [
    Line(BLACK, SOLID),
    Line(ORANGE, SHORT),
    Line(GREY, LONG),
    Line(SKY, DASHDOT),
    Line(VERMILION, SOLID),
    Line(GREEN, SHORT),
    Line(PURPLE, LONG),
    Line(BLUE, DASHDOT),
]
"""The lines of arms; the first colours are not those of the paper's policies."""

SETTINGS: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so it is the same everywhere
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.labelsize": 9.0,
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
    "legend.fontsize": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.7,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.5,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "lines.linewidth": 1.5,
    "legend.frameon": False,
    "legend.handlelength": 2.8,
    "svg.hashsalt": "driftbandit",  # the same picture gives the same bytes
    "svg.fonttype": "path",
}
DOTS_PER_INCH = 160
LETTERS = 44
"""The most letters of a name in a line."""
POINTS = 4000
"""The largest number of points per curve: no picture is wider."""
_LOCK = threading.RLock()


@contextlib.contextmanager
def styled() -> Iterator[None]:
    """Draw in the house style and leave matplotlib's settings as they were.

    All threads share the settings, so pictures are drawn one at a time.
    """
    with _LOCK, mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)
        yield


class Picture(Figure):
    """A figure that a notebook shows as a picture, whatever its backend."""

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png")
        return buffer.getvalue()


def blank(width: float, height: float) -> Figure:
    """Return an empty figure of this size in inches, with its own canvas and no global state."""
    figure = Picture(figsize=(width, height), dpi=DOTS_PER_INCH, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def lines(labels: Iterable[str]) -> dict[str, Line]:
    """Return the line of every label: the paper's policies have their own, others a free colour.

    >>> lines(["UCB-1", "mine"])["mine"]
    Line(color='#E69F00', dashes='solid')
    """
    names = list(labels)
    own = {**PAPER, **LINEAR}
    fixed = {name: own[name] for name in names if name in own}
    used = {line.color for line in fixed.values()}
    free = [color for color in OTHERS if color not in used] or list(OTHERS)
    pool = itertools.cycle(Line(color, dashes) for dashes in DASHES for color in free)
    return {name: fixed.get(name) or next(pool) for name in names}


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
    axes.plot(times, mean, color=line.color, linestyle=line.dashes, label=legible(label), zorder=3)


def legible(name: str) -> str:
    """Return a name as it is to be read in a picture.

    A dollar is a dollar and not a formula, a long name takes several lines, and one that begins
    with an underscore, which legends leave out, gets a space before it.

    >>> legible("5 $"), legible("_mine")
    ('5 \\\\$', ' _mine')
    """
    text = textwrap.fill(name.replace("$", r"\$"), LETTERS)
    return f" {text}" if text.startswith("_") else text


def places(rounds: int) -> NDArray[np.int64]:
    """Return the places, from 0, of the rounds to draw: all, or `POINTS` evenly spread.

    >>> places(5).tolist(), len(places(10**6))
    ([0, 1, 2, 3, 4], 4000)
    """
    spread = np.linspace(0, rounds - 1, min(rounds, POINTS)).round()
    return np.unique(spread.astype(np.int64))


def rounds(axes: Axes, horizon: int) -> None:
    """Let the horizontal axis run from 0 to the horizon, in whole rounds."""
    axes.set_xlim(0, horizon)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    axes.grid(visible=True, axis="y")


def write(figure: Figure, *paths: str | os.PathLike[str]) -> None:
    """Write the figure to every path, whole or not at all; the suffix sets the format."""
    suffixes = [f".{kind}" for kind in figure.canvas.get_supported_filetypes()]
    for path in paths:
        file = path_of("path", path, "name a file")
        suffix = one_of("the picture's suffix", file.suffix, suffixes)
        with replacing(path) as partial:
            metadata = {"Date": None} if suffix == ".svg" else None  # a date changes the bytes
            figure.savefig(partial, dpi=DOTS_PER_INCH, metadata=metadata)
