"""What a simulation returns."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.arrays import same_values
from driftbandit.core.errors import one_of
from driftbandit.core.statistics import LEVEL, moments
from driftbandit.core.text import amount
from driftbandit.engine.summary import Summary
from driftbandit.environments import World
from driftbandit.policies import Strategy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

SHOWN = 4
"""Labels that the name of a result spells out."""


@dataclasses.dataclass(frozen=True, eq=False)
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
    regret: Array = dataclasses.field(repr=False)
    plays: Array = dataclasses.field(repr=False)
    suboptimal_plays: Array = dataclasses.field(repr=False)
    play_share: Array = dataclasses.field(repr=False)
    share_error: Array = dataclasses.field(repr=False)

    def __eq__(self, other: object) -> bool:
        """Say whether the same policy did the same, to the last bit."""
        return isinstance(other, Outcome) and same_values(vars(self), vars(other))

    __hash__ = None  # type: ignore[assignment]  # arrays have none

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
        return moments(self.regret)[1]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
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

    def __repr__(self) -> str:
        """Return in one line what was compared, and where."""
        labels, names = list(self.outcomes), ", ".join(list(self.outcomes)[:SHOWN])
        more = f" and {len(labels) - SHOWN} more" if len(labels) > SHOWN else ""
        where = type(self.world).__name__
        size = f"{amount(self.horizon, 'round')}, {amount(self.runs, 'run')}, seed {self.seed}"
        return f"<Result: {names}{more} in {where}, {size}>"

    def _repr_html_(self) -> str:
        """Return the table of final regrets, for a notebook."""
        return self.summary()._repr_html_()

    def __getitem__(self, label: str) -> Outcome:
        """Return the outcome of the policy with this label."""
        return self.outcomes[one_of("label", label, self.outcomes, exact=True)]

    def get(self, label: str, default: Any = None) -> Any:
        """Return the outcome of the policy with this label, or `default` if there is none."""
        return self.outcomes[label] if label in self else default

    def __contains__(self, label: object) -> bool:
        """Say whether there is a policy with this label."""
        return isinstance(label, str) and label in self.outcomes

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

    def summary(self, level: float = LEVEL) -> Summary:
        """Return a table of final regrets and of their paired differences, with intervals.

        `level` is how often an interval should hold the mean.
        """
        regrets = {label: outcome.final_regret for label, outcome in self.outcomes.items()}
        return Summary(regrets, level)

    def plot(
        self,
        path: str | Path | None = None,
        *,
        ax: Axes | None = None,
        colors: Mapping[str, str] | None = None,
    ) -> Figure:
        """Draw mean regret over time with 95 % bands; see `driftbandit.figures.regret`."""
        from driftbandit import figures  # noqa: PLC0415  # matplotlib loads only when drawing

        return figures.regret(self, path, ax=ax, colors=colors)

    def save(self, folder: str | Path) -> list[Path]:
        """Write summary.csv, curves.parquet, runs.parquet, arrays.npz and result.json.

        All of them are written, or none. `Result.load` reads them back.
        """
        from driftbandit.engine import storage  # noqa: PLC0415  # it knows results

        return storage.save(self, folder)

    @staticmethod
    def load(folder: str | Path) -> Result:
        """Read the result that `save` wrote into a folder, every array of it.

        Worlds and policies of your own must be defined before their results are read.

        >>> import tempfile
        >>> import driftbandit as db
        >>> world = db.environments.Stationary(means=(0.2, 0.8))
        >>> result = db.simulate(db.UCB1(), world, horizon=100, runs=50)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = result.save(folder)
        ...     again = db.Result.load(folder)
        >>> again
        <Result: UCB-1 in Stationary, 100 rounds, 50 runs, seed 0>
        """
        from driftbandit.engine import storage  # noqa: PLC0415  # it knows results

        return storage.load(folder)

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
