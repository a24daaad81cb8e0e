"""The table of a comparison: means with intervals, and paired differences."""

from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.arrays import same_values
from driftbandit.core.errors import InputError, real
from driftbandit.core.frames import frame, plain
from driftbandit.core.statistics import LEVEL, few_runs, interval
from driftbandit.core.table import aligned, html_table, number

if TYPE_CHECKING:
    import polars


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Summary:
    """Final regrets of policies that met the same luck: one array per policy, one number per run.

    Intervals hold the mean with probability `level`, about: `core.statistics.bounds` says how, and
    that there are none for fewer than ten runs. Differences are taken run by run, so the luck that
    two policies share cancels.

    >>> regrets = {"a": np.array([1.0, 2.0, 3.0]), "b": np.array([2.0, 3.0, 4.5])}
    >>> Summary(regrets).policies["mean"].to_list()
    [2.0, 3.1666666666666665]
    """

    regrets: dict[str, NDArray[np.float64]]
    level: float = LEVEL

    def __post_init__(self) -> None:
        """Check the level."""
        object.__setattr__(self, "level", real("level", self.level, "(0, 1)"))

    def __eq__(self, other: object) -> bool:
        """Say whether the regrets and the level are the same."""
        return isinstance(other, Summary) and same_values(vars(self), vars(other))

    __hash__ = None  # type: ignore[assignment]  # arrays have none

    @property
    def policies(self) -> polars.DataFrame:
        """One row per policy: mean, standard error, interval of the mean, quantiles."""
        rows = []
        for label, regret in self.regrets.items():
            low, middle, high = np.quantile(regret, (0.05, 0.5, 0.95))
            quantiles = {"q05": float(low), "median": float(middle), "q95": float(high)}
            rows.append({"policy": label, **interval(regret, self.level), **quantiles})
        return frame(rows)

    @property
    def differences(self) -> polars.DataFrame:
        """One row per pair of policies: the mean of (policy − against), run by run."""
        pairs = itertools.combinations(self.regrets, 2)
        return frame(
            [
                {
                    "policy": one,
                    "against": two,
                    **interval(self.regrets[one] - self.regrets[two], self.level),
                }
                for one, two in pairs
            ]
        )

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """Return both tables as plain rows, with None for what is unknown."""
        return {
            "policies": plain(self.policies.to_dicts()),
            "differences": plain(self.differences.to_dicts()),
        }

    def to_pandas(self) -> dict[str, Any]:
        """Return both tables as pandas frames, by their names here; pandas must be installed."""
        try:
            import pandas  # noqa: PLC0415  # nothing else needs it
        except ImportError:
            raise InputError("to_pandas needs pandas: pip install pandas") from None
        tables = {"policies": self.policies, "differences": self.differences}
        return {name: pandas.DataFrame(each.to_dicts()) for name, each in tables.items()}

    def __repr__(self) -> str:
        """Return both tables as text."""
        parts = [
            "\n".join([title, *aligned(list(rows[0]), cells(rows), right=numbers(rows))])
            for title, rows in self._tables().items()
        ]
        return "\n\n".join([*parts, *self._notes()])

    def _repr_html_(self) -> str:
        """Return both tables for a notebook."""
        parts = [
            "\n".join(html_table(title, list(rows[0]), cells(rows), right=numbers(rows)))
            for title, rows in self._tables().items()
        ]
        return "\n".join([*parts, *(f"<p>{note}</p>" for note in self._notes())])

    def _tables(self) -> dict[str, list[dict[str, Any]]]:
        """Return the rows of both tables, by title."""
        title = f"regret at the horizon, {100 * self.level:g} % interval of the mean"
        tables = {title: self.policies.to_dicts()}
        if len(self.regrets) > 1:
            tables["paired differences (policy − against)"] = self.differences.to_dicts()
        return tables

    def _notes(self) -> list[str]:
        note = few_runs(len(next(iter(self.regrets.values()))))
        return [note] if note else []


def cells(rows: list[dict[str, Any]]) -> list[list[str]]:
    """Return the cells of rows: texts, and numbers with one decimal."""
    return [
        [value if isinstance(value, str) else number(value, ".1f") for value in row.values()]
        for row in rows
    ]


def numbers(rows: list[dict[str, Any]]) -> int:
    """Return how many columns are numbers; they come last."""
    return sum(not isinstance(value, str) for value in rows[0].values())
