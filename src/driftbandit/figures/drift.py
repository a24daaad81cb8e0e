"""How the mean rewards of a log move: rates with bands, levels, and changes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from driftbandit.core.errors import require
from driftbandit.figures import looks, page, style

if TYPE_CHECKING:
    from driftbandit.logs.drift.result import ArmDrift, LogDrift, Season

Floats = NDArray[np.float64]

MOST_ARMS = 8
"""The largest number of arms that are drawn, one panel per arm."""

LETTERS = 24
"""The most letters in a line beside a panel."""

MOST_POINTS = 2_000
DAY, MONDAY = 86_400.0, 345_600.0


def drift(
    drift: LogDrift,
    path: str | os.PathLike[str] | None = None,
    *,
    arms: Sequence[Any] | None = None,
) -> Figure:
    """Draw how mean rewards move, one panel per arm, over the time of the log.

    Steps are the rates of stretches of time with their band, the line is the level with its
    seasons, and marks are changes, over the times at which they may have been. `arms` chooses some
    of them, by default those that were played most.
    """
    page.require_kind("drift", drift, "switches", "an answer of Log.drift")
    rows = _chosen(drift, arms)
    with page.sheet(6.4, 1.6 + 1.6 * len(rows), path) as sheet:
        panels = list(sheet.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0])
        for axes, arm in zip(panels, rows, strict=True):
            _draw(axes, arm, drift)
            axes.set_ylabel(style.legible(str(arm.arm), LETTERS))
            axes.set_title(arm.verdict, loc="right", color=looks.muted())
            style.numbers(axes)
            axes.margins(x=0.0)
        panels[0].set_title(
            f"{100.0 * drift.level:g} % band, all windows and arms at once",
            loc="left", color=looks.muted(),
        )  # fmt: skip
        entries = style.entries(panels)
        sheet.legend(entries.values(), entries, loc="outside lower center", ncols=4)
    return page.figure_of(panels[0])


def _chosen(drift: LogDrift, arms: Sequence[Any] | None) -> list[ArmDrift]:
    if arms is None:
        most = sorted(drift.arms, key=lambda arm: -arm.rows)[:MOST_ARMS]
        return [arm for arm in drift.arms if arm in most]
    labels = [arm.arm for arm in drift.arms]
    fits = 0 < len(arms) <= MOST_ARMS and all(arm in labels for arm in arms)
    require(fits, "arms", arms, f"be 1 to {MOST_ARMS} arms of the log")
    return [drift[arm] for arm in arms]


def _draw(axes: Axes, arm: ArmDrift, drift: LogDrift) -> None:
    edges = np.array([w.start for w in arm.windows] + [drift.end])
    rate, low, high = np.array([(w.rate, w.low, w.high) for w in arm.windows]).T
    times = _dates(edges)
    axes.fill_between(
        times, np.append(low, low[-1]), np.append(high, high[-1]), step="post",
        color=looks.BLUE, alpha=0.22, linewidth=0, label="band",
    )  # fmt: skip
    axes.stairs(rate, times, baseline=None, color=looks.BLUE, linewidth=1.2, label="rate")
    shown = np.linspace(drift.start, drift.end, MOST_POINTS)
    axes.plot(
        _dates(shown), _level(arm, shown), color=looks.VERMILION, linewidth=1.0, zorder=3,
        label="level and season",
    )  # fmt: skip
    for change in arm.changes:
        ends = _dates(np.array([change.earliest, change.at, change.latest]))
        axes.axvspan(ends[0], ends[2], color=looks.shade(), linewidth=0)
        axes.axvline(ends[1], color=looks.ink(), linestyle=looks.SHORT, linewidth=0.8,
                     label="change" if change is arm.changes[0] else None)  # fmt: skip


def _level(arm: ArmDrift, time: Floats) -> Floats:
    """Return the level between changes, and what the seasons add."""
    first = arm.changes[0].before if arm.changes else arm.rate
    levels = np.array([first, *(change.after for change in arm.changes)])
    at = [change.at for change in arm.changes]
    total = levels[np.searchsorted(at, time, side="right")]
    for season in arm.seasons:
        if season.profile:
            total = total + _season(season, time)
    return np.asarray(total)


def _season(season: Season, time: Floats) -> Floats:
    """Return what a season adds, on lines between the points of its profile."""
    period, start = (DAY, 0.0) if season.period == "day" else (7.0 * DAY, MONDAY)
    phase = (time - start) % period
    profile = [*season.profile, season.profile[0]]
    return np.interp(phase, np.linspace(0.0, period, len(profile)), profile)


def _dates(seconds: Floats) -> NDArray[np.datetime64]:
    return (1e6 * seconds).astype("datetime64[us]")
