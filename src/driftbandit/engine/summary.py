"""The table of a comparison: means with intervals, and paired differences."""

from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from driftbandit.core.frames import frame, plain
from driftbandit.core.statistics import interval
from driftbandit.core.table import aligned

if TYPE_CHECKING:
    import polars


@dataclasses.dataclass(frozen=True)
class Summary:
    """Final regrets of policies that met the same luck: one array per policy, one number per run.

    Intervals are mean ± 1.96 standard errors. Differences are taken run by run, so the luck that
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
        return frame(rows)

    @property
    def differences(self) -> polars.DataFrame:
        """One row per pair of policies: the mean of (policy − against), run by run."""
        pairs = itertools.combinations(self.regrets, 2)
        return frame(
            [
                {"policy": one, "against": two, **interval(self.regrets[one] - self.regrets[two])}
                for one, two in pairs
            ]
        )

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """Return both tables as plain rows; the standard error of a single run is None."""
        return {
            "policies": plain(self.policies.to_dicts()),
            "differences": plain(self.differences.to_dicts()),
        }

    def __str__(self) -> str:
        """Return both tables as text."""
        parts = ["regret at the horizon, 95 % interval of the mean"]
        parts += _lines(self.policies.to_dicts())
        if len(self.regrets) > 1:
            parts += ["", "paired differences (policy − against)"]
            parts += _lines(self.differences.to_dicts())
        return "\n".join(parts)


def _lines(rows: list[dict[str, Any]]) -> list[str]:
    """Return rows as a table: texts come first, then numbers with one decimal."""
    cells = [
        [value if isinstance(value, str) else f"{value:.1f}" for value in row.values()]
        for row in rows
    ]
    numbers = sum(not isinstance(value, str) for value in rows[0].values())
    return aligned(list(rows[0]), cells, right=numbers)
