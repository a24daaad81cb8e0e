"""The leaderboard of an arena as cells of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from driftbandit.studies.arena.result import Arena

STANDINGS = (
    "policy",
    "average rank",
    "mean ratio",
    "worst ratio",
    "on",
    "unbeaten",
    "ns per round",
)
"""The columns of the leaderboard; all but the first are aligned to the right."""


def standings(arena: Arena) -> tuple[list[str], list[list[str]]]:
    """Return the leaderboard: the names of its columns, and one row per policy."""
    rows = arena.leaderboard.to_dicts()
    return list(STANDINGS), [_standing(row, len(arena.problems)) for row in rows]


def _standing(row: dict[str, Any], problems: int) -> list[str]:
    return [
        row["policy"],
        *(f"{row[key]:.2f}" for key in ("average_rank", "mean_ratio", "worst_ratio")),
        row["worst_problem"],
        f"{row['unbeaten']} of {problems}",
        "" if row["ns"] is None else f"{row['ns']:.1f}",
    ]
