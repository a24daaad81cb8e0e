"""A confidence band around a drifting rate."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from driftbandit.core.arrays import listed, real_array
from driftbandit.core.errors import InputError, require, shown
from driftbandit.figures import looks, page, style

if TYPE_CHECKING:
    from driftbandit.theory import Band

Floats = NDArray[np.float64]

MOST_ARMS = 8
"""The largest number of arms that are drawn, one panel per arm."""
LETTERS = 24
"""The most letters in a line beside one of several panels."""
START = 0.05
"""The share of rounds, from the first that say something, that may leave the vertical range."""


def band(
    band: Band,
    path: str | os.PathLike[str] | None = None,
    truth: ArrayLike | None = None,
    *,
    names: Sequence[str] | None = None,
    times: ArrayLike | None = None,
    ax: Axes | Sequence[Axes] | None = None,
) -> Figure:
    """Draw the band and its mean over the rounds, one panel per arm; with the `truth` if known.

    `names` are those of the arms, `times` the date or number of each round. All panels have one
    vertical range, that of the band after its start. `ax` draws on axes of yours, one per arm.

    >>> import driftbandit as db
    >>> figure = db.theory.confidence_band([0.0, 1.0, 1.0], discount=0.9).plot(names=["red"])
    >>> figure.axes[0].get_ylabel()
    'red'
    """
    page.require_kind("band", band, "low", "a band of theory.confidence_band")
    curves = _curves(band, truth)
    axis = _axis(times, len(curves[0].mean))
    captions = _captions(names, len(curves))
    with _panels(len(curves), path, ax) as panels:
        bottom, top = _range(curves, band.bound)
        for axes, arm, caption in zip(panels, curves, captions, strict=True):
            draw_band(axes, arm, axis)
            axes.set_ylim(bottom, top)
            axes.set_ylabel(style.legible(caption, LETTERS if len(curves) > 1 else style.LETTERS))
        panels[-1].set_xlabel(axis.label)
        panels[0].set_title(_promise(band), loc="left", color=looks.muted())
        _legend(panels[0], outside=ax is None)
    return page.figure_of(panels[0])


class Curves(NamedTuple):
    """What is drawn of one arm; the truth may be unknown."""

    mean: Floats
    low: Floats
    high: Floats
    truth: Floats | None


class Axis(NamedTuple):
    """Where the rounds stand: at their numbers, or at times."""

    places: NDArray[Any]
    label: str


def draw_band(axes: Axes, arm: Curves, axis: Axis) -> None:
    """Draw one arm: the band as a shade, its mean as a line, and the truth on top."""
    shown = style.places(len(arm.mean))
    times = axis.places[shown]
    axes.fill_between(
        times, arm.low[shown], arm.high[shown], color=looks.BLUE, alpha=0.22, linewidth=0,
        label="band",
    )  # fmt: skip  # one look
    axes.plot(times, arm.mean[shown], color=looks.BLUE, label="estimate")
    if arm.truth is not None:
        truth = arm.truth[shown]
        axes.plot(times, truth, color=looks.ink(), linestyle=looks.SHORT, label="truth")
    if axis.label == "round":
        style.rounds(axes, len(arm.mean))
        return
    style.numbers(axes)
    axes.margins(x=0.0)


@contextlib.contextmanager
def _panels(
    arms: int, path: str | os.PathLike[str] | None, ax: Axes | Sequence[Axes] | None
) -> Iterator[Sequence[Axes]]:
    """Yield one panel per arm: the user's, or those of a new figure."""
    if ax is not None:
        panels = [ax] if isinstance(ax, Axes) else list(np.ravel(np.asarray(ax, dtype=object)))
        fits = len(panels) == arms and all(map(page.is_flat, panels))
        allowed = f"be matplotlib axes of two dimensions, one per arm: {arms}"
        require(fits, "ax", ax, allowed)
        with page.panel(0.0, 0.0, path, ax=panels[0]):
            yield panels
        return
    size = page.size(6.4, 4.0) if arms == 1 else (6.4, 1.6 + 1.6 * arms)
    with page.sheet(*size, path) as sheet:
        yield list(sheet.subplots(arms, 1, sharex=True, squeeze=False)[:, 0])


def _legend(axes: Axes, outside: bool) -> None:
    handles, texts = axes.get_legend_handles_labels()
    if outside:
        page.figure_of(axes).legend(handles, texts, loc="outside lower center", ncols=3)
    else:
        axes.legend()


def _curves(band: Band, truth: ArrayLike | None) -> list[Curves]:
    """Return what is drawn of each arm; a reward or two make no estimate."""
    low, high = _columns(band.low), _columns(band.high)
    mean = np.where((low > 0.0) | (high < band.bound), _columns(band.mean), np.nan)
    arms = mean.shape[1]
    allowed = f"be at most {MOST_ARMS} to be drawn"
    require(arms <= MOST_ARMS, "the band's number of arms", arms, allowed)
    if truth is None:
        return [Curves(mean[:, k], low[:, k], high[:, k], None) for k in range(arms)]
    numbers = real_array(truth)
    if numbers is None:
        raise InputError(f"truth must hold numbers, one per round and arm, got {shown(truth)}")
    true = _columns(numbers)
    require(true.shape == mean.shape, "the shape of truth", true.shape, "be the band's")
    return [Curves(mean[:, k], low[:, k], high[:, k], true[:, k]) for k in range(arms)]


def _captions(names: Sequence[str] | None, arms: int) -> list[str]:
    """Return what stands beside each panel."""
    if names is None:
        return ["mean reward"] if arms == 1 else [f"arm {arm}" for arm in range(arms)]
    captions = [names] if isinstance(names, str) else listed("names", names, "be a list of texts")
    require(len(captions) == arms, "names", names, f"be one per arm: {arms}")
    for name in captions:
        require(isinstance(name, str | int), "names", name, "hold texts, or numbers of arms")
    return [str(name) for name in captions]


def _axis(times: ArrayLike | None, rounds: int) -> Axis:
    """Return where the rounds stand, from left to right."""
    if times is None:
        return Axis(np.arange(1.0, rounds + 1.0), "round")
    values = _stamps(times)
    require(values.shape == (rounds,), "the shape of times", values.shape, f"be ({rounds},)")
    ordered = bool((values[1:] >= values[:-1]).all() and (values[-1:] == values[-1:]).all())
    require(ordered, "times", times, "never go back, and none may be missing")
    return Axis(values, "time" if values.dtype.kind in "iuf" else "")


def _stamps(times: ArrayLike) -> NDArray[Any]:
    """Return times as numbers or dates; a date may be a text such as 2024-05-01 12:00."""
    try:
        values = np.asarray(times)
    except ValueError:  # lists of different lengths
        values = np.array(None)
    if values.dtype.kind in "US":
        with contextlib.suppress(ValueError):
            values = values.astype("datetime64[us]")
    dates = values.dtype.kind in "iufM" or all(isinstance(one, date) for one in values.flat)
    require(dates, "times", times, "be dates or numbers, one per round")
    return values


def _range(curves: Sequence[Curves], bound: float) -> tuple[float, float]:
    """Return the ends of the vertical axis: where the band lies once it has begun to say much.

    At first a band is as wide as [0, bound], and a range that held it would always be the same.
    """
    ends = [0.0, bound]
    lows, highs = [], []
    for arm in curves:
        informative = np.flatnonzero(~np.isnan(arm.mean))
        later = informative[int(START * len(informative)) :]
        lows += [arm.low[later], *([] if arm.truth is None else [arm.truth])]
        highs += [arm.high[later], *([] if arm.truth is None else [arm.truth])]
    low, high = np.concatenate(lows), np.concatenate(highs)
    if len(low):
        ends = [float(np.nanmin(low)), float(np.nanmax(high))]
    margin = 0.05 * (ends[1] - ends[0])
    return max(ends[0] - margin, -0.02 * bound), min(ends[1] + margin, 1.02 * bound)


def _columns(values: Floats) -> Floats:
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
