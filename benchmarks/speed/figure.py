"""Nanoseconds per round by library, on a logarithmic scale."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from driftbandit.figures import looks, page

Row = Mapping[str, Any]

MARKS = "osD^vP*"
"""One mark per policy, so that they differ in grey too."""


def speed(report: Mapping[str, Any], *paths: str | os.PathLike[str]) -> Figure:
    """Draw the rounds of a report with the fewest arms, and write the figure to `paths`.

    A dot is the median of a policy; a thin line is the range of its repetitions. Settings of
    matplotlib are its defaults here: SMPyBandits, one of the libraries measured, changes them all.
    """
    fewest = min(row["arms"] for row in report["rounds"])
    rows = [row for row in report["rounds"] if row["arms"] == fewest and row["ns"]]
    names = ranked(rows)
    height = 0.9 + 0.32 * len(names)
    defaults = matplotlib.rc_context(matplotlib.rcParamsDefault)
    with defaults, page.panel(7.2, height, *paths, ax=None) as axes:
        draw_speed(axes, rows, names)
        title = f"{fewest} arms, median and range of {report['repeats']}"
        axes.set_title(title, loc="left", color=looks.muted())
    return page.figure_of(axes)


def ranked(rows: Sequence[Row]) -> list[str]:
    """Return the names from the slowest to the fastest, each by its fastest policy.

    >>> slow, fast = ({"who": who, "threads": 1, "policy": "p", "ns": {"median": ns}}
    ...               for who, ns in (("a", 9.0), ("b", 2.0)))
    >>> ranked([fast, slow])
    ['a', 'b']
    """
    best: dict[str, float] = {}
    for row in rows:
        best[_name(row)] = min(best.get(_name(row), float("inf")), row["ns"]["median"])
    return sorted(best, key=lambda name: -best[name])


def draw_speed(axes: Axes, rows: Sequence[Row], names: Sequence[str]) -> None:
    """Draw one line of dots per name, the first on top."""
    policies = list(dict.fromkeys(row["policy"] for row in rows))
    lines = looks.lines(policies)
    for name in names:
        if name.startswith("driftbandit"):
            axes.axhspan(
                names.index(name) - 0.5, names.index(name) + 0.5, color=looks.shade(), lw=0
            )
    for place, policy in enumerate(policies):
        mine = [row for row in rows if row["policy"] == policy]
        heights = [names.index(_name(row)) + _offset(place, len(policies)) for row in mine]
        color, mark = lines[policy].color, MARKS[place % len(MARKS)]
        lows, highs = ([row["ns"][end] for row in mine] for end in ("low", "high"))
        axes.hlines(heights, lows, highs, color=color, linewidth=1.0, zorder=2)
        medians = [row["ns"]["median"] for row in mine]
        axes.plot(medians, heights, mark, color=color, markersize=4.5, label=policy, zorder=3)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: _time(value))
    axes.set_xlabel("time per round and run")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(visible=True, axis="x")
    axes.tick_params(axis="y", length=0)
    axes.legend(
        loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=4, handletextpad=0.0, columnspacing=1.2
    )


def _name(row: Row) -> str:
    if row["who"] != "driftbandit":
        return str(row["who"])
    return f"driftbandit, {row['threads']} thread{'s' if row['threads'] > 1 else ''}"


def _offset(place: int, count: int) -> float:
    """Return how far below the middle of its line a policy is drawn, so that no dot hides another.

    >>> [_offset(place, 3) for place in range(3)]
    [-0.2, 0.0, 0.2]
    """
    return 0.0 if count == 1 else round(0.4 * place / (count - 1) - 0.2, 3)


def _time(nanoseconds: float) -> str:
    """Write a time with its unit.

    >>> [_time(value) for value in (1.0, 100.0, 1e4, 1e6)]
    ['1 ns', '100 ns', '10 µs', '1 ms']
    """
    for unit, size in (("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:g} {unit}"
    return f"{nanoseconds:g} ns"
