"""The result of an arena: a score for every policy on every problem, and the leaderboard."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import math
import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.files import filling
from driftbandit.core.frames import frame, plain
from driftbandit.core.statistics import interval
from driftbandit.core.table import html_table
from driftbandit.environments import World
from driftbandit.policies import Strategy
from driftbandit.studies.arena.report import STANDINGS, standings
from driftbandit.studies.arena.significance import holm, student

if TYPE_CHECKING:
    import polars
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
Players = dict[str, dict[str, Strategy]]
Regrets = dict[str, dict[str, Array]]
Row = dict[str, Any]

LEVEL = 0.05
"""Probability that chance alone makes any difference significant."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Arena:
    """The result of an arena; `players`, `regrets` and `cost` are by problem, then by label.

    `players` holds the policies, `regrets` the final regret of every run, and `cost` nanoseconds
    per round (empty if not timed).
    """

    problems: dict[str, World]
    players: Players
    regrets: Regrets
    cost: dict[str, dict[str, float]]
    runs: int
    seed: int

    def __repr__(self) -> str:
        """Return in one line what was played."""
        size = f"{len(self.labels)} policies, {len(self.problems)} problems"
        return f"<Arena: {size}, {self.runs:,} runs, seed {self.seed}>"

    def _repr_html_(self) -> str:
        """Return the leaderboard, for a notebook."""
        title = f"by average rank: {self.runs:,} runs on {len(self.problems)} problems"
        return "\n".join(html_table(title, *standings(self), right=len(STANDINGS) - 1))

    @property
    def labels(self) -> list[str]:
        """The labels of the policies, in the order of entry."""
        return list(next(iter(self.players.values())))

    @functools.cached_property
    def scores(self) -> polars.DataFrame:
        """One row per problem and policy.

        The columns are the mean regret with its 95 % interval; its rank and its ratio to the best
        mean; the paired difference to the best policy with its 95 % interval; `p`, from a paired
        t test of that difference, adjusted by Holm's method for all pairs of policies on all
        problems; and `worse`, whether p < 0.05.
        """
        adjusted = self._adjusted()
        return frame([row for name in self.regrets for row in self._rows(name, adjusted)])

    @functools.cached_property
    def leaderboard(self) -> polars.DataFrame:
        """One row per policy, by average rank.

        The other columns are the ratio to the best policy, its geometric mean and its worst; on how
        many problems the policy is not significantly worse than the best; and the median of the
        nanoseconds per round.
        """
        rows = [self._standing(label) for label in self.labels]
        return frame(sorted(rows, key=lambda row: row["average_rank"]))

    def plot(self, path: str | Path | None = None, *, ax: Axes | None = None) -> Figure:
        """Draw a heat map of the ratios to the best; see `driftbandit.figures.arena`."""
        from driftbandit import figures  # noqa: PLC0415  # matplotlib loads only when drawing

        return figures.arena(self, *([] if path is None else [path]), ax=ax)

    def save(self, folder: str | Path) -> list[Path]:
        """Write leaderboard.csv, scores.csv, arena.json and arena.png, all or none."""
        with filling(folder) as partial:
            self.leaderboard.write_csv(partial / "leaderboard.csv")
            self.scores.write_csv(partial / "scores.csv")
            document = json.dumps(self.to_dict(), indent=2)
            (partial / "arena.json").write_text(document, encoding="utf-8")
            self.plot(partial / "arena.png")
            names = sorted(path.name for path in partial.iterdir())
        return [Path(folder) / name for name in names]

    def to_dict(self) -> dict[str, Any]:
        """Return the policies, the problems and both tables as plain data, for JSON."""
        return {
            "runs": self.runs,
            "seed": self.seed,
            "problems": {name: _data(world) for name, world in self.problems.items()},
            "policies": {
                name: [_data(policy) for policy in policies.values()]
                for name, policies in self.players.items()
            },
            "leaderboard": plain(self.leaderboard.to_dicts()),
            "scores": plain(self.scores.to_dicts()),
            "cost": self.cost,
        }

    def _adjusted(self) -> dict[tuple[str, frozenset[str]], float]:
        """Return the p of every pair on every problem, adjusted for them all.

        The same runs decide which policy is best, so the adjustment is for all pairs and not only
        for those with the best.
        """
        pairs = [
            (name, one, two)
            for name, regrets in self.regrets.items()
            for one, two in itertools.combinations(regrets, 2)
        ]
        values = holm(
            [student(self.regrets[n][one] - self.regrets[n][two]) for n, one, two in pairs]
        )
        return {
            (n, frozenset((one, two))): p for (n, one, two), p in zip(pairs, values, strict=True)
        }

    def _rows(self, name: str, adjusted: dict[tuple[str, frozenset[str]], float]) -> list[Row]:
        regrets = self.regrets[name]
        means = {label: float(regret.mean()) for label, regret in regrets.items()}
        best = min(means, key=means.__getitem__)
        rows = []
        for label, regret in regrets.items():
            lag = interval(regret - regrets[best])
            p = adjusted.get((name, frozenset((label, best))), 1.0)
            rows.append(
                {
                    "problem": name,
                    "policy": label,
                    **interval(regret),
                    "rank": _rank(means[label], list(means.values())),
                    "ratio": _ratio(means[label], means[best]),
                    "difference": lag["mean"],
                    "difference_low": lag["low"],
                    "difference_high": lag["high"],
                    "p": p,
                    "worse": p < LEVEL,
                }
            )
        return rows

    def _standing(self, label: str) -> Row:
        rows = [row for row in self.scores.to_dicts() if row["policy"] == label]
        worst = max(rows, key=lambda row: row["ratio"])
        logs = [math.log(row["ratio"]) for row in rows]
        times = [by_label[label] for by_label in self.cost.values()]
        return {
            "policy": label,
            "average_rank": statistics.fmean(row["rank"] for row in rows),
            "mean_ratio": math.exp(statistics.fmean(logs)),
            "worst_ratio": worst["ratio"],
            "worst_problem": worst["problem"],
            "unbeaten": sum(not row["worse"] for row in rows),
            "ns": statistics.median(times) if times else None,
        }


def _rank(mean: float, means: list[float]) -> float:
    """Return the rank of a mean among all, 1 for the least; equal means share their mean rank.

    >>> [_rank(mean, [3.0, 1.0, 3.0]) for mean in (1.0, 3.0)]
    [1.0, 2.5]
    """
    below = sum(other < mean for other in means)
    return below + (means.count(mean) + 1) / 2


def _ratio(mean: float, best: float) -> float:
    """Return the ratio to the best; 1 or infinity if the best has no regret.

    >>> _ratio(3.0, 2.0), _ratio(0.0, 0.0), _ratio(1.0, 0.0)
    (1.5, 1.0, inf)
    """
    if best == 0.0:
        return 1.0 if mean == 0.0 else math.inf
    return mean / best


def _data(value: World | Strategy) -> Any:
    return json.loads(value.to_json())
