"""What a simulation returns."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.errors import one_of
from driftbandit.core.files import filling
from driftbandit.engine.summary import Summary
from driftbandit.environments import World
from driftbandit.policies import Strategy

Array = NDArray[np.float64]

ROWS = 1024
"""Runs whose squares are added at once; for all of them it would copy every curve."""


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What one policy did: curves at the checkpoints, and totals of every run.

    - `regret` (runs, checkpoints): pseudo-regret up to each checkpoint;
    - `mean_regret`, `regret_error` (checkpoints,): its mean over runs, and the standard error;
    - `play_share`, `share_error` (checkpoints, arms): cumulative share of plays, mean over runs,
      and its standard error;
    - `plays`, `suboptimal_plays` (runs, arms): plays of each arm, and those in rounds where it was
      not a best arm, the paper's N~_T(i).
    """

    policy: Strategy
    regret: Array
    plays: Array
    suboptimal_plays: Array
    play_share: Array
    share_error: Array

    @property
    def label(self) -> str:
        """The policy's label."""
        return self.policy.label

    @property
    def final_regret(self) -> Array:
        """The pseudo-regret of each run at the horizon."""
        return self.regret[:, -1]

    @property
    def mean_regret(self) -> Array:
        """The mean of `regret` over runs, one number per checkpoint."""
        mean: Array = self.regret.mean(axis=0)
        return mean

    @property
    def regret_error(self) -> Array:
        """The standard error of `mean_regret`; zero for a single run."""
        runs, mean = len(self.regret), self.mean_regret
        squares = np.zeros_like(mean)
        for first in range(0, runs, ROWS):
            squares += np.square(self.regret[first : first + ROWS] - mean).sum(axis=0)
        return np.sqrt(squares / max(runs - 1, 1) / runs)


@dataclasses.dataclass(frozen=True, eq=False)
class Result(Mapping[str, Outcome]):
    """The outcomes of a comparison by policy label; differences between policies are paired.

    >>> import driftbandit as db
    >>> world = db.environments.Stationary(means=(0.2, 0.8))
    >>> result = db.simulate([db.UCB1(), db.Uniform()], world, horizon=100, runs=50)
    >>> list(result), result.times[-1]
    (['UCB-1', 'uniform'], np.int64(100))
    """

    world: World
    horizon: int
    runs: int
    seed: int
    times: NDArray[np.int64]
    outcomes: dict[str, Outcome]

    def __getitem__(self, label: str) -> Outcome:
        """Return the outcome of the policy with this label."""
        return self.outcomes[one_of("label", label, self.outcomes, exact=True)]

    def __contains__(self, label: object) -> bool:
        """Say whether there is a policy with this label."""
        return label in self.outcomes

    def __iter__(self) -> Iterator[str]:
        """Iterate over the labels, in the order of the policies."""
        return iter(self.outcomes)

    def __len__(self) -> int:
        """Return the number of policies."""
        return len(self.outcomes)

    @property
    def labels(self) -> list[str]:
        """The labels, in the order of the policies."""
        return list(self.outcomes)

    @property
    def policies(self) -> list[Strategy]:
        """The policies, in their order."""
        return [outcome.policy for outcome in self.outcomes.values()]

    def summary(self) -> Summary:
        """Return a table of final regrets and of their paired differences, with intervals."""
        return Summary({label: outcome.final_regret for label, outcome in self.outcomes.items()})

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw mean regret over time with 95 % bands; see `driftbandit.figures.regret`."""
        from driftbandit import figures  # noqa: PLC0415  # matplotlib loads only when drawing

        return figures.regret(self, path)

    def save(self, folder: str | Path) -> list[Path]:
        """Write summary.csv, curves.parquet, runs.parquet and result.json, all or none."""
        with filling(folder) as partial:
            self.summary().policies.write_csv(partial / "summary.csv")
            self._curves().write_parquet(partial / "curves.parquet")
            self._runs().write_parquet(partial / "runs.parquet")
            text = json.dumps(self.to_dict(), indent=2)
            (partial / "result.json").write_text(text, encoding="utf-8")
            names = sorted(path.name for path in partial.iterdir())
        return [Path(folder) / name for name in names]

    def to_dict(self) -> dict[str, Any]:
        """Return what was run and the summary as plain data, for JSON."""
        return {
            "world": json.loads(self.world.to_json()),
            "policies": [json.loads(policy.to_json()) for policy in self.policies],
            "horizon": self.horizon,
            "runs": self.runs,
            "seed": self.seed,
            "summary": self.summary().to_dict(),
        }

    def _curves(self) -> Any:
        """Return one row per policy, checkpoint and arm."""
        import polars  # noqa: PLC0415  # loads only where tables are made

        frames = []
        for label, outcome in self.outcomes.items():
            arms = outcome.plays.shape[1]
            frames.append(
                polars.DataFrame(
                    {
                        "policy": [label] * len(self.times) * arms,
                        "round": self.times.repeat(arms),
                        "arm": np.tile(np.arange(arms), len(self.times)),
                        "regret": outcome.mean_regret.repeat(arms),
                        "regret_error": outcome.regret_error.repeat(arms),
                        "play_share": outcome.play_share.ravel(),
                        "share_error": outcome.share_error.ravel(),
                    }
                )
            )
        return polars.concat(frames)

    def _runs(self) -> Any:
        """Return one row per policy and run."""
        import polars  # noqa: PLC0415  # loads only where tables are made

        frames = [
            polars.DataFrame(
                {
                    "policy": [label] * self.runs,
                    "run": np.arange(self.runs),
                    "regret": outcome.final_regret,
                    **{f"plays_{k}": plays for k, plays in enumerate(outcome.plays.T)},
                    **{f"suboptimal_{k}": bad for k, bad in enumerate(outcome.suboptimal_plays.T)},
                }
            )
            for label, outcome in self.outcomes.items()
        ]
        return polars.concat(frames)
