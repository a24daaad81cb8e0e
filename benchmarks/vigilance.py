"""What looking back costs and buys: the picture of docs/families/auto.md.

    python -m benchmarks.vigilance

plays two worlds, one still and one where the worse arm rises, which takes some minutes, writes the
regrets to docs/figures/vigilance.csv, and draws one against the other.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
import polars
from numpy.typing import NDArray

import driftbandit as db
from benchmarks.pages import FIGURES
from driftbandit.environments import Piecewise
from driftbandit.figures.looks import ink, lines, muted, shade
from driftbandit.figures.page import Sheet, sheet
from driftbandit.theory.divergence import kl_bernoulli
from driftbandit.theory.lower import after

if TYPE_CHECKING:
    from matplotlib.axes import Axes

REGRETS, PICTURE = FIGURES / "vigilance.csv", FIGURES / "vigilance.png"

RUNS, T, RISE = 1_000, 100_000, 80_000
BEST, LEFT, RISEN = 0.7, 0.4, 0.9
"""The means of the best arm, and of the arm that was left, before and after it rises."""
WORLDS = {
    "still": Piecewise([], [[BEST, LEFT]]),
    "rise": Piecewise([RISE + 1], [[BEST, LEFT], [BEST, RISEN]]),
}
DEFAULT = db.Auto().vigilance
AUTO = tuple(
    db.Auto(vigilance=vigilance, label=f"Auto, vigilance {vigilance:g}")
    for vigilance in (0.0, 0.05, 0.1, DEFAULT, 0.4, 0.8)
)
RIVALS: tuple[db.Strategy, ...] = (
    db.StationaryKLUCB(),
    db.GLRklUCB.tuned(horizon=T, arms=2),
    db.SlidingWindowThompson.tuned(horizon=T, breakpoints=1),
    db.SlidingWindowUCB.tuned(horizon=T, breakpoints=1),
    db.DiscountedUCB.tuned(horizon=T, breakpoints=1, padding=1.0, label="D-UCB (padding B)"),
)
"""Each plays both worlds with the same parameters: nobody knows whether the arm will rise."""

MARKS = (("s", (8, 1)), ("^", (8, -3)), ("D", (-8, 8)), ("v", (8, -6)), ("P", (8, -3)))
"""The mark of each rival, and where its name begins, in points from there."""
ACROSS, UP = (3.0, 2_000.0), (12.0, 6_000.0)
"""The ends of both axes."""


def regrets() -> polars.DataFrame:
    """Return a row per policy: the mean regret in both worlds with their intervals."""
    rows: dict[str, dict[str, Any]] = {
        **{policy.label: {"vigilance": policy.vigilance} for policy in AUTO},
        **{policy.label: {"vigilance": None} for policy in RIVALS},
    }
    for name, world in WORLDS.items():
        result = db.simulate([*AUTO, *RIVALS], world, T, RUNS, seed=0, workers=1, checkpoints=1)
        for row in result.summary().policies.to_dicts():
            rows[row["policy"]] |= {
                name: row["mean"], f"{name}_low": row["low"], f"{name}_high": row["high"],
            }  # fmt: skip  # one look
    return polars.DataFrame([{"policy": label, **row} for label, row in rows.items()])


def least(still: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the least regret with a rise of a policy that has this regret without one."""
    jump, divergence = RISEN - BEST, kl_bernoulli(LEFT, RISEN)
    plays = still / (BEST - LEFT)
    return np.array([after(float(each), T, jump, divergence).value for each in plays])


def draw(regrets: polars.DataFrame, path: str | os.PathLike[str] = PICTURE) -> Sheet:
    """Draw regret with a rise against regret without one, and what no policy can reach."""
    auto = regrets.filter(polars.col("vigilance").is_not_null()).sort("vigilance")
    rivals = regrets.filter(polars.col("vigilance").is_null())
    looks = lines(["Auto", *rivals["policy"]])
    with sheet(4.8, 4.4, path) as figure:
        axes = figure.subplots()
        draw_axes(axes)
        draw_bound(axes)
        draw_auto(axes, auto, looks["Auto"].color)
        for row, (mark, offset) in zip(rivals.to_dicts(), MARKS, strict=True):
            draw_rival(axes, row, looks[row["policy"]].color, mark, offset)
    return figure


def draw_axes(axes: Axes) -> None:
    """Draw both axes to the same scale, so that halving one regret for twice the other shows."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(ACROSS)
    axes.set_ylim(UP)
    axes.set_aspect("equal")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.grid(visible=True, which="major")
    axes.set_xlabel(f"regret where nothing changes: means {BEST:g}, {LEFT:g}")
    axes.set_ylabel(f"regret where the {LEFT:g} rises to {RISEN:g}")


def draw_auto(axes: Axes, auto: polars.DataFrame, color: str) -> None:
    """Draw Auto over its vigilance, with a ring around the default."""
    axes.errorbar(auto["still"], auto["rise"], ends(auto, "rise"), ends(auto, "still"),
                  color=color, marker="o", markersize=4, elinewidth=0.9)  # fmt: skip  # one look
    for row in auto.to_dicts():
        place, vigilance = (row["still"], row["rise"]), row["vigilance"]
        text = "vigilance 0" if vigilance == 0.0 else f"{vigilance:g}"
        if vigilance == DEFAULT:
            text = f"{text}, the default"
            axes.plot(*place, "o", markersize=10, markerfacecolor="none", color=color)
        beside = vigilance <= DEFAULT
        axes.annotate(text, place, xytext=(-9, -4) if beside else (0, -16), color=color,
                      ha="right" if beside else "center", textcoords="offset points")  # fmt: skip
    middle = auto.select("still", "rise").row(auto.height // 2 - 1)
    axes.annotate("Auto", middle, xytext=(10, 4), textcoords="offset points", color=color,
                  weight="bold", size="large")  # fmt: skip  # one look


def draw_rival(
    axes: Axes, row: dict[str, Any], color: str, mark: str, offset: tuple[int, int]
) -> None:
    """Draw a policy as a point with its name."""
    place, frame = (row["still"], row["rise"]), polars.DataFrame([row])
    axes.errorbar(*place, ends(frame, "rise"), ends(frame, "still"),
                  color=color, marker=mark, markersize=6, elinewidth=0.9)  # fmt: skip  # one look
    name = row["policy"].partition(" (")[0]
    axes.annotate(name, place, xytext=offset, textcoords="offset points", color=ink())


def draw_bound(axes: Axes) -> None:
    """Draw the lower bound, and shade what is below it."""
    still = np.geomspace(*ACROSS, 200)
    bound = least(still)
    axes.plot(still, bound, color=muted(), linewidth=1.0)
    axes.fill_between(still, UP[0], bound, where=bound > UP[0], color=shade(), linewidth=0)
    axes.annotate(
        "lower bound,\nrise at a random time", (0.03, 0.04), xycoords="axes fraction", color=muted()
    )


def ends(regrets: polars.DataFrame, world: str) -> NDArray[np.float64]:
    """Return how far the intervals reach below and above the means."""
    mean, low, high = (regrets[f"{world}{end}"].to_numpy() for end in ("", "_low", "_high"))
    return np.array([mean - low, high - mean])


def main() -> None:
    regrets().write_csv(REGRETS, float_precision=3)
    rows = polars.read_csv(REGRETS)
    draw(rows)
    print(rows)


if __name__ == "__main__":
    main()
