"""Regret against the main parameter of a policy, with the best choice and the rule's."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from driftbandit.figures import looks, page, style

if TYPE_CHECKING:
    from driftbandit.studies.tune import Tuned

LETTERS = {"window": "window τ", "discount": "1 − γ", "exploration": "exploration γ", "xi": "ξ"}
MISJUDGED = {"breakpoints": "Υ", "horizon": "T"}
FACTORS = {0.25: "¼", 0.5: "½", 2.0: "2", 4.0: "4"}


def tuning(
    tuned: Tuned,
    path: str | os.PathLike[str] | None = None,
    *,
    ax: Axes | None = None,
    colors: Mapping[str, str] | None = None,
) -> Figure:
    """Draw the mean regret against the main parameter with a 95 % band, and write it to `path`.

    The shade marks where the parameter loses less than 5 %, or too little to be seen in the runs. A
    discount is drawn as 1 − γ. Ticks above the axis mark the choices of users who misjudge Υ. `ax`
    draws on axes of yours, `colors` sets the colour of the policy.

    >>> import driftbandit as db
    >>> world = db.environments.two_swaps(horizon=200)
    >>> tuned = db.tune("sw-ucb", world, runs=10, search={"window": (5, 200)})
    >>> tuning(tuned).axes[0].get_xlabel()
    'window τ'
    """
    page.require_kind("tuned", tuned, "policy", "a result of tune")
    label = tuned.policy.label.removesuffix(", tuned")
    with page.panel(*page.size(6.4, 4.4), path, ax=ax) as axes:
        draw_profile(axes, tuned, label, looks.lines([label], colors)[label])
        _draw_best(axes, tuned)
        _draw_rule(axes, tuned)
        _draw_misjudged(axes, tuned)
        bands = style.bands(tuned.runs, "95 % band")
        title = f"mean of {style.runs(tuned.runs)} of {tuned.horizon:,} rounds, {bands}"
        axes.set_title(title, loc="left", color=looks.muted())
        if ax is None:
            page.figure_of(axes).legend(loc="outside lower center", ncols=2, columnspacing=2.5)
        else:
            axes.legend()
    return page.figure_of(axes)


def draw_profile(axes: Axes, tuned: Tuned, label: str, line: looks.Line) -> None:
    """Draw the regret against the parameter, and shade the plateau around the best value."""
    rows = tuned.rows.profile
    places = np.array([_place(tuned, row[tuned.along]) for row in rows])
    mean, low, high = (np.array([row[key] for row in rows]) for key in ("regret", "low", "high"))
    others = {key: value for key, value in tuned.parameters.items() if key != tuned.along}
    style.curve(axes, places, mean, (low, high), line, f"{label}{_with(others)}")
    near, far = sorted(_place(tuned, end) for end in tuned.plateau)
    label = "within 5 % of the best, or not distinguishable"
    axes.axvspan(near, far, color=looks.shade(), linewidth=0, zorder=0, label=label)
    if min(places) > 0.0 and max(places) > 5.0 * min(places):
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,g}")
    axes.set_xlim(min(places), max(places))
    axes.set_ylim(0.0, 1.12 * float(mean.max()) or 1.0)
    style.numbers(axes)
    axes.set_xlabel(LETTERS.get(tuned.along, tuned.along))
    axes.set_ylabel("regret at the horizon")


def _draw_best(axes: Axes, tuned: Tuned) -> None:
    value = tuned.parameters[tuned.along]
    name = f"best: {_choice(tuned, value)}, regret {tuned.regret['mean']:,.0f}"
    _mark(axes, _place(tuned, value), tuned.regret, looks.ink(), "o", name)


def _draw_rule(axes: Axes, tuned: Tuned) -> None:
    """Mark the rule's choice, off the curve where its other parameters differ."""
    if tuned.rule_regret is None or tuned.rule_parameters is None:
        return
    value = tuned.rule_parameters[tuned.along]
    others = {
        key: value
        for key, value in tuned.rule_parameters.items()
        if key != tuned.along and value != tuned.parameters[key]
    }
    choice = f"{tuned.basis}: {_choice(tuned, value)}{_with(others)}"
    name = f"{choice}, regret {tuned.rule_regret['mean']:,.0f}"
    _mark(axes, _place(tuned, value), tuned.rule_regret, looks.VERMILION, "D", name)
    axes.set_ylim(0.0, max(axes.get_ylim()[1], 1.08 * tuned.rule_regret["high"]))


def _mark(
    axes: Axes, place: float, regret: dict[str, float], color: looks.Color, mark: str, label: str
) -> None:
    low, high = axes.get_xlim()
    axes.axvline(place, color=color, linewidth=0.8, linestyle=looks.SHORT, zorder=1)
    ends = [[regret["mean"] - regret["low"]], [regret["high"] - regret["mean"]]]
    axes.errorbar(
        [place],
        [regret["mean"]],
        yerr=ends,
        color=color,
        marker=mark,
        markersize=5.0,
        linestyle="none",
        elinewidth=1.2,
        label=style.legible(label),
        clip_on=not low <= place <= high,
        zorder=5,
    )


def _draw_misjudged(axes: Axes, tuned: Tuned) -> None:
    """Draw a tick at the choice for each wrong value of Υ, or of T if the rule knows no Υ."""
    about = next((row["about"] for row in tuned.rows.wrong), "")
    rows = [row for row in tuned.rows.wrong if row["about"] == about]
    places = [_place(tuned, row[tuned.along]) for row in rows]
    if len(set(places)) < len(FACTORS):
        return
    label = f"choice if {MISJUDGED[about]} is misjudged by this factor"
    for row, place in zip(rows, places, strict=True):
        where = axes.get_xaxis_transform()  # along the axis, at its foot
        axes.plot([place], [0.01], "|", color=looks.muted(), transform=where, label=label)
        axes.text(
            place,
            0.03,
            f"×{FACTORS[row['factor']]}",
            transform=where,
            ha="center",
            fontsize=7.5,
            color=looks.muted(),
            clip_on=True,
        )
        label = ""


def _place(tuned: Tuned, value: float) -> float:
    """Return the place of a value on the axis: a discount γ stands at 1 − γ."""
    return 1.0 - value if tuned.along == "discount" else value


def _choice(tuned: Tuned, value: float) -> str:
    letter = {"window": "τ", "discount": "γ", "exploration": "γ", "xi": "ξ"}
    return f"{letter.get(tuned.along, tuned.along)} = {_number(value)}"


def _with(parameters: dict[str, Any]) -> str:
    letters = {"xi": "ξ", "sharing": "α"}
    parts = [f"{letters.get(key, key)} = {_number(value)}" for key, value in parameters.items()]
    return "".join(f", {part}" for part in parts)


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
