"""What a comparison prints."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from benchmarks.compare.compare import Row, geometric_mean
from driftbandit.cli import output

UNITS = {"simulate": ("ns per round", 1e9), "live agent": ("µs per round", 1e6)}
OTHERWISE = ("s", 1.0)


def show(rows: Sequence[Row]) -> None:
    """Print one table per group, and the geometric mean of its ratios."""
    for group, members in itertools.groupby(rows, key=lambda row: row.group):
        mine = list(members)
        unit, scale = UNITS.get(group, OTHERWISE)
        print(f"{group}, {unit}, smallest of {len(mine[0].before)} turns")
        output.table(
            ["", "before", "after", "ratio", "range"], [_cells(row, scale) for row in mine], right=4
        )
        worst = max(mine, key=lambda row: row.ratio)
        mean = geometric_mean([row.ratio for row in mine])
        print(f"geometric mean {mean:.3f}, largest {worst.ratio:.3f} ({worst.name})")
        print()


def _cells(row: Row, scale: float) -> list[str]:
    low, high = row.range
    times = (f"{scale * min(values):#.3g}" for values in (row.before, row.after))
    return [row.name, *times, f"{row.ratio:.3f}", f"{low:.2f}–{high:.2f}"]
