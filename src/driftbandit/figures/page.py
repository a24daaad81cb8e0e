"""What is drawn on: figures of our own in our style, or those of the user in theirs."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure, SubFigure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from driftbandit.core.errors import InputError, one_of, require, shown
from driftbandit.core.files import path_of, replacing

PathName = str | os.PathLike[str]
Sheet = Figure | SubFigure
"""A whole figure or a part of one, as `figure.subfigures` makes them."""

SCREEN, FILE = 110, 160
"""Dots per inch in a notebook, and in a file."""
SIZE = 9.0
"""The size of letters."""
SIZES: dict[Any, Any] = {
    "font.size": SIZE,
    "axes.titlesize": 10.0,
    "axes.labelsize": SIZE,
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
    "legend.fontsize": 8.5,
}
SETTINGS: dict[Any, Any] = {
    "figure.dpi": SCREEN,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.7,
    "axes.axisbelow": True,
    "date.converter": "concise",
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.5,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "lines.linewidth": 1.5,
    "legend.frameon": False,
    "legend.handlelength": 2.8,
    "svg.hashsalt": "driftbandit",  # the same picture gives the same bytes
}
_LOCK = threading.RLock()


def require_kind(name: str, value: Any, attribute: str, kind: str) -> None:
    """Raise unless a value has what its picture shows first; what makes it is not loaded here."""
    require(hasattr(value, attribute), name, value, f"be {kind}")


RESULT = ("outcomes", "a result of simulate")
"""What only a result has, and what it is."""


def require_results(results: Any) -> None:
    """Raise unless these are results by name, at least one."""
    require_kind("results", results, "items", "results by name")
    require(len(results) > 0, "results", dict(results), "hold at least one result")
    for name, result in results.items():
        require_kind(f"result {name!r}", result, *RESULT)


@contextlib.contextmanager
def styled() -> Iterator[None]:
    """Draw in the house style, except for what the user has set, and restore all settings.

    Whatever differs from matplotlib's default counts as set. Sizes of letters follow a `font.size`
    that is set. Names are plain text, so `text.usetex` is off. All threads share the settings, so
    pictures are drawn one at a time.
    """
    with _LOCK:
        scale = mpl.rcParams["font.size"] / SIZE if _is_set("font.size") else 1.0
        ours = {**SETTINGS, **{name: scale * size for name, size in SIZES.items()}}
        free = {name: value for name, value in ours.items() if not _is_set(name)}
        with mpl.rc_context({**free, "text.usetex": False}), _fonts_missed_once():
            yield


@contextlib.contextmanager
def _fonts_missed_once() -> Iterator[None]:
    """Let matplotlib say once that it has no such font, not for every word that it draws."""
    said: set[str] = set()

    def is_new(record: logging.LogRecord) -> bool:
        message = record.getMessage()
        new = message not in said
        said.add(message)
        return new

    logger = logging.getLogger("matplotlib.font_manager")
    logger.addFilter(is_new)
    try:
        yield
    finally:
        logger.removeFilter(is_new)


def _is_set(name: Any) -> bool:
    return bool(mpl.rcParams[name] != mpl.rcParamsDefault[name])


class Picture(Figure):
    """A figure that a notebook shows as a picture, whatever its backend.

    It has more dots in a file than on a screen, unless the user has set their number.
    """

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write the figure."""
        if self.dpi == SCREEN and not _is_set("savefig.dpi"):
            options.setdefault("dpi", FILE)
        super().savefig(fname, **options)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """Return the picture and, in pixels of a page, how large it is to be shown."""
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", bbox_inches=None)
        width, height = (round(self.dpi * inches) for inches in self.get_size_inches())
        return buffer.getvalue(), {"width": width, "height": height}


def size(width: float, height: float) -> tuple[float, float]:
    """Return this size, or the user's `figure.figsize` if it is set."""
    if _is_set("figure.figsize"):
        width, height = mpl.rcParams["figure.figsize"]
    return width, height


def blank(width: float, height: float) -> Figure:
    """Return an empty figure of this size in inches, with its own canvas and no global state."""
    positive = width > 0 and height > 0
    require(positive, "figure.figsize of matplotlib", (width, height), "be positive")
    figure = Picture(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


@contextlib.contextmanager
def sheet(
    width: float, height: float, *paths: PathName | None, figure: Sheet | None = None
) -> Iterator[Sheet]:
    """Yield the user's `figure`, or a new one of this size; write it to the paths in the end."""
    names = [path for path in paths if path is not None]
    if figure is not None:
        require(isinstance(figure, Sheet), "figure", figure, "be a figure or a subfigure")
        fits = isinstance(figure.get_layout_engine(), ConstrainedLayoutEngine)
        require(fits, "figure", figure, 'be made with layout="constrained"')
        yield figure
        write(whole_figure(figure), *names)
        return
    with styled():
        page = blank(width, height)
        yield page
        if not names:
            page.draw_without_rendering()  # ticks are made by the first drawing, in its style
        write(page, *names)


@contextlib.contextmanager
def panel(width: float, height: float, *paths: PathName | None, ax: Axes | None) -> Iterator[Axes]:
    """Yield the user's axes, or those of a new figure; write the figure to the paths in the end."""
    if ax is not None:
        require(is_flat(ax), "ax", ax, "be matplotlib axes of two dimensions")
        yield ax
        write(figure_of(ax), *(path for path in paths if path is not None))
        return
    with sheet(width, height, *paths) as page:
        yield page.subplots()


def is_flat(ax: Any) -> bool:
    """Say whether these are axes of two dimensions; there are some of three."""
    return isinstance(ax, Axes) and not hasattr(ax, "get_zlim")


def figure_of(axes: Axes) -> Figure:
    """Return the figure that the axes belong to."""
    parent: Any = axes.figure
    return whole_figure(parent)


def whole_figure(part: Sheet) -> Figure:
    """Return the figure that a part belongs to."""
    while not isinstance(part, Figure):
        part = part.figure
    return part


def ending_checked(path: Path) -> Path:
    """Return the path of a picture, or raise unless it ends in a format that can be drawn.

    >>> ending_checked(Path("drift.SVG")).name
    'drift.SVG'
    """
    kinds = FigureCanvasBase.get_supported_filetypes()
    one_of("the picture's suffix", path.suffix, [f".{kind}" for kind in kinds])
    return path


def write(figure: Figure, *paths: PathName) -> None:
    """Write the figure to every path, whole or not at all; the suffix sets the format."""
    for path in paths:
        file = ending_checked(path_of("path", path, "name a file"))
        with replacing(path) as partial:
            svg = file.suffix.lower() == ".svg"
            metadata = {"Date": None} if svg else None  # a date changes the bytes
            with _possible(file), _fonts_missed_once():
                figure.savefig(partial, metadata=metadata)


@contextlib.contextmanager
def _possible(file: Path) -> Iterator[None]:
    """Say in one line that a figure cannot be drawn, such as one without width or of gigabytes."""
    try:
        yield
    except InputError:
        raise
    except RuntimeError as error:
        if not isinstance(error.__cause__, FileNotFoundError):  # of a program that a format needs
            raise
        raise InputError(f"cannot draw {file}: {shown(str(error))}") from error
    except (TypeError, ValueError, OverflowError, MemoryError) as error:
        reason = shown(" ".join(str(error).split()))
        raise InputError(
            f"cannot draw {file}: {reason}; the size of a figure comes from matplotlib's settings "
            "figure.figsize, figure.dpi and savefig.*, or from the figure of ax"
        ) from error
