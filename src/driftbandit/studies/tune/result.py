"""The result of a tuning."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from driftbandit.core.files import filling
from driftbandit.core.frames import frame, plain
from driftbandit.environments import World
from driftbandit.policies import Strategy
from driftbandit.studies.tune.ranges import Domain, Range
from driftbandit.studies.tune.report import few_digits, html_report, text

if TYPE_CHECKING:
    import polars
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NEAR = 5.0
"""Percent of additional regret that do not matter: the height of the plateau."""

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


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Tuned:
    """The best policy, how good it is, and how much its parameters matter.

    - `policy`, `parameters`, `regret`: the best policy, and its regret with luck that the search
      has not met: `mean`, `standard_error`, and the 95 % interval from `low` to `high`;
    - `rule`, `rule_parameters`, `rule_regret`: the same for the papers' rule with `breakpoints`, or
      for the defaults where there is no rule, as `basis` says; None where there is neither;
    - `gain`: the regret of the rule minus that of the best, run by run;
    - `wrong`: the best parameters as set by a user who takes Υ (`breakpoints`) or T (`horizon`) to
      be `factor` times as large as it is, and the loss;
    - `profile`: the regret against the parameter `along`, with all others at their best values;
    - `plateau`: the range of that parameter around the best value with a loss below 5 %, or too
      small to be seen in the runs;
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
    search: dict[str, Domain]
    rows: Rows = dataclasses.field(repr=False)

    def __repr__(self) -> str:
        """Return in one line what was tuned, and the choice."""
        choice = ", ".join(f"{name}={few_digits(value)}" for name, value in self.parameters.items())
        size = f"{self.horizon:,} rounds, {self.runs:,} runs, seed {self.seed}"
        return f"<Tuned: {self.policy.label} ({choice}), {size}>"

    def _repr_html_(self) -> str:
        """Return the report, for a notebook."""
        return html_report(self)

    @property
    def candidates(self) -> polars.DataFrame:
        """One row per candidate and rung: parameters, regret so far, whether it was kept."""
        return frame(self.rows.candidates)

    @property
    def wrong(self) -> polars.DataFrame:
        """One row per wrong value of Υ or T: the factor, the parameters, and the loss."""
        return frame(self.rows.wrong)

    @property
    def profile(self) -> polars.DataFrame:
        """One row per value of `along`: regret and loss with 95 % intervals."""
        return frame(self.rows.profile)

    @property
    def plateau(self) -> tuple[float, float]:
        """The ends of the range in which `along` is as good as its best value."""
        values = [row[self.along] for row in self.rows.profile]
        good = [not row["loss_low"] > 0.0 or row["percent"] < NEAR for row in self.rows.profile]
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
            for name, domain in self.search.items()
            if isinstance(domain, Range)
            and not EDGE < domain.place(self.parameters[name]) < 1.0 - EDGE
        ]

    def plot(
        self,
        path: str | Path | None = None,
        *,
        ax: Axes | None = None,
        colors: Mapping[str, str] | None = None,
    ) -> Figure:
        """Draw the profile, the best choice and the rule's; see `driftbandit.figures.tuning`."""
        from driftbandit import figures  # noqa: PLC0415  # matplotlib loads only when drawing

        return figures.tuning(self, path, ax=ax, colors=colors)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the candidates as plain data, for JSON."""
        return {
            "policy": json.loads(self.policy.to_json()),
            "parameters": self.parameters,
            "regret": plain([self.regret])[0],
            "rule": None if self.rule is None else json.loads(self.rule.to_json()),
            "rule_parameters": self.rule_parameters,
            "rule_regret": None if self.rule_regret is None else plain([self.rule_regret])[0],
            "gain": None if self.gain is None else plain([self.gain])[0],
            "basis": self.basis,
            "along": self.along,
            "plateau": list(self.plateau),
            "edges": self.edges,
            "wrong": plain(self.rows.wrong),
            "profile": plain(self.rows.profile),
            "worlds": [json.loads(world.to_json()) for world in self.worlds],
            "horizon": self.horizon,
            "runs": self.runs,
            "seed": self.seed,
            "breakpoints": self.breakpoints,
            "search": {name: json.loads(domain.to_json()) for name, domain in self.search.items()},
        }

    def save(self, folder: str | Path) -> list[Path]:
        """Write candidates.csv, profile.csv, wrong.csv and tuned.json, all or none."""
        with filling(folder) as partial:
            self.candidates.write_csv(partial / "candidates.csv")
            self.profile.write_csv(partial / "profile.csv")
            self.wrong.write_csv(partial / "wrong.csv")
            document = json.dumps(self.to_dict(), indent=2)
            (partial / "tuned.json").write_text(document, encoding="utf-8")
            names = sorted(path.name for path in partial.iterdir())
        return [Path(folder) / name for name in names]

    def __str__(self) -> str:
        """Return the tables as text."""
        return text(self)
