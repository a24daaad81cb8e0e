"""What tuning found."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from driftbandit.core.files import filling
from driftbandit.environments import World
from driftbandit.policies import Strategy
from driftbandit.studies.tune.ranges import Choice, Range
from driftbandit.studies.tune.words import text

if TYPE_CHECKING:
    import polars

NEAR = 5.0
"""Percent of regret that do not matter: the plateau's height."""

EDGE = 0.02
"""Share of a range, at either end, that counts as its edge."""

Interval = dict[str, float]
Lines = list[dict[str, Any]]


@dataclasses.dataclass(frozen=True)
class Rows:
    """The tables as plain rows."""

    candidates: Lines
    wrong: Lines
    profile: Lines


@dataclasses.dataclass(frozen=True, eq=False)
class Tuned:
    """The best policy of a family, how good it is, and how much it matters.

    - `policy`, `parameters`, `regret`: the best, and its mean regret with standard error and 95 %
      interval (`mean`, `standard_error`, `low`, `high`), measured afresh;
    - `rule`, `rule_parameters`, `rule_regret`: the same of the papers' rule for `breakpoints`, or
      of the defaults where there is no rule, as `basis` says; None where there are neither;
    - `gain`: the regret of the rule less that of the best, run by run;
    - `wrong`: the best one set by who takes Υ (`breakpoints`) or T (`horizon`) for `factor` times
      as much, and what that loses;
    - `profile`: the regret against the parameter `along`, all others being the best;
    - `plateau`: from where to where that parameter loses less than 5 %, or nothing that the runs
      could tell;
    - `edges`: the parameters whose best value lies at an end of its range;
    - `candidates`: every candidate on every rung of the search.

    Tables are polars frames.
    """

    policy: Strategy
    rule: Strategy | None
    parameters: dict[str, Any]
    rule_parameters: dict[str, Any] | None
    regret: Interval
    rule_regret: Interval | None
    gain: Interval | None
    basis: str
    along: str
    worlds: tuple[World, ...]
    horizon: int
    runs: int
    seed: int
    breakpoints: int
    search: dict[str, Choice]
    rows: Rows = dataclasses.field(repr=False)

    @property
    def candidates(self) -> polars.DataFrame:
        """One row a candidate and rung: its parameters, the regret so far, whether it was kept."""
        return _frame(self.rows.candidates)

    @property
    def wrong(self) -> polars.DataFrame:
        """One row a mistake: about what, by which factor, the parameters, and the loss."""
        return _frame(self.rows.wrong)

    @property
    def profile(self) -> polars.DataFrame:
        """One row a value of `along`: regret and loss with 95 % intervals."""
        return _frame(self.rows.profile)

    @property
    def plateau(self) -> tuple[float, float]:
        """From where to where `along` is as good as its best value."""
        values = [row[self.along] for row in self.rows.profile]
        good = [row["loss_low"] <= 0.0 or row["percent"] < NEAR for row in self.rows.profile]
        first = last = values.index(self.parameters[self.along])
        while first > 0 and good[first - 1]:
            first -= 1
        while last + 1 < len(values) and good[last + 1]:
            last += 1
        return values[first], values[last]

    @property
    def edges(self) -> list[str]:
        """The parameters whose best value lies at an end of its range."""
        return [
            name
            for name, choice in self.search.items()
            if isinstance(choice, Range)
            and not EDGE < choice.place(self.parameters[name]) < 1.0 - EDGE
        ]

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw the profile, the best and the rule's choice; see `driftbandit.figures.tuning`."""
        from driftbandit import figures  # noqa: PLC0415  # matplotlib loads only when drawing

        return figures.tuning(self, path)

    def to_dict(self) -> dict[str, Any]:
        """Return all but the candidates as plain data, for JSON."""
        return {
            "policy": json.loads(self.policy.to_json()),
            "parameters": self.parameters,
            "regret": self.regret,
            "rule": None if self.rule is None else json.loads(self.rule.to_json()),
            "rule_parameters": self.rule_parameters,
            "rule_regret": self.rule_regret,
            "gain": self.gain,
            "basis": self.basis,
            "along": self.along,
            "plateau": list(self.plateau),
            "edges": self.edges,
            "wrong": [_strict(row) for row in self.rows.wrong],
            "profile": [_strict(row) for row in self.rows.profile],
            "worlds": [json.loads(world.to_json()) for world in self.worlds],
            "horizon": self.horizon,
            "runs": self.runs,
            "seed": self.seed,
            "breakpoints": self.breakpoints,
            "search": {name: json.loads(choice.to_json()) for name, choice in self.search.items()},
        }

    def save(self, folder: str | Path) -> list[Path]:
        """Write candidates.csv, profile.csv, wrong.csv and tuned.json, all or none."""
        with filling(folder) as partial:
            self.candidates.write_csv(partial / "candidates.csv")
            self.profile.write_csv(partial / "profile.csv")
            self.wrong.write_csv(partial / "wrong.csv")
            told = json.dumps(self.to_dict(), indent=2)
            (partial / "tuned.json").write_text(told, encoding="utf-8")
            names = sorted(path.name for path in partial.iterdir())
        return [Path(folder) / name for name in names]

    def __str__(self) -> str:
        """Return the tables as text."""
        return text(self)


def _strict(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with None for what is not a number: a share of no regret at all."""
    return {
        key: None if isinstance(value, float) and math.isnan(value) else value
        for key, value in row.items()
    }


def _frame(rows: Lines) -> polars.DataFrame:
    import polars  # noqa: PLC0415  # loads only where tables are made

    return polars.DataFrame(rows, infer_schema_length=None)
