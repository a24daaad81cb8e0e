"""The table of a comparison: means with intervals, and paired differences."""

from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.statistics import interval
from driftbandit.core.table import aligned

if TYPE_CHECKING:
    import polars


@dataclasses.dataclass(frozen=True)
class Summary:
    """Final regrets of policies that met the same luck, one array of runs each.

    Intervals are mean ± 1.96 standard errors. A difference is taken run by run, so the luck that
    two policies share cancels.

    >>> regrets = {"a": np.array([1.0, 2.0, 3.0]), "b": np.array([2.0, 3.0, 4.5])}
    >>> Summary(regrets).policies["mean"].to_list()
    [2.0, 3.1666666666666665]
    """

    regrets: dict[str, NDArray[np.float64]]

    @property
    def policies(self) -> polars.DataFrame:
        """One row per policy: mean, standard error, 95 % interval of the mean, quantiles."""
        rows = []
        for label, regret in self.regrets.items():
            low, middle, high = np.quantile(regret, (0.05, 0.5, 0.95))
            quantiles = {"q05": float(low), "median": float(middle), "q95": float(high)}
            rows.append({"policy": label, **interval(regret), **quantiles})
        return _frame(rows)

    @property
    def differences(self) -> polars.DataFrame:
        """One row per pair of policies: the mean of (policy − against), run by run."""
        pairs = itertools.combinations(self.regrets, 2)
        return _frame(
            [
                {"policy": one, "against": two, **interval(self.regrets[one] - self.regrets[two])}
                for one, two in pairs
            ]
        )

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """Return both tables as plain rows; what one run cannot tell is None."""
        return {
            "policies": self.policies.fill_nan(None).to_dicts(),
            "differences": self.differences.fill_nan(None).to_dicts(),
        }

    def __str__(self) -> str:
        """Return both tables as text."""
        parts = ["regret at the horizon, 95 % interval of the mean"]
        parts += _lines(self.policies.to_dicts())
        if len(self.regrets) > 1:
            parts += ["", "paired differences (policy − against)"]
            parts += _lines(self.differences.to_dicts())
        return "\n".join(parts)


def _frame(rows: list[dict[str, Any]]) -> polars.DataFrame:
    import polars  # noqa: PLC0415  # loads only where tables are made

    return polars.DataFrame(rows)


def _lines(rows: list[dict[str, Any]]) -> list[str]:
    """Return rows as a table: texts come first, then numbers with one decimal."""
    cells = [
        [value if isinstance(value, str) else f"{value:.1f}" for value in row.values()]
        for row in rows
    ]
    numbers = sum(not isinstance(value, str) for value in rows[0].values())
    return aligned(list(rows[0]), cells, right=numbers)
