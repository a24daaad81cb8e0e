"""The numbers of the report as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from driftbandit.core.statistics import bounds, half_width
from driftbandit.studies.paper.claims import Finding

if TYPE_CHECKING:
    from driftbandit.engine import Outcome, Result


def tables(results: Mapping[str, Result], findings: Sequence[Finding]) -> dict[str, pl.DataFrame]:
    """Return every table by its file name, without the suffix."""
    return {
        "regret": _stack({title: r.summary().policies for title, r in results.items()}),
        "differences": _stack({title: r.summary().differences for title, r in results.items()}),
        "curves": _stack({title: _curves(result) for title, result in results.items()}),
        "claims": pl.DataFrame([row(finding) for finding in findings]),
    }


def row(finding: Finding) -> dict[str, str]:
    """Return a finding as a row of texts."""
    return {
        "claim": finding.claim.text,
        "criterion": finding.claim.criterion,
        "measured": finding.measured,
        "verdict": finding.verdict.value,
    }


def _stack(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(
        [
            frame.select(pl.lit(title).alias("experiment"), pl.all())
            for title, frame in frames.items()
        ]
    )


def _curves(result: Result) -> pl.DataFrame:
    return pl.concat([_curve(result[label], result.times) for label in result])


def _curve(outcome: Outcome, times: np.ndarray[Any, Any]) -> pl.DataFrame:
    """Return one row per checkpoint: regret and share of plays of arm 1, with 95 % intervals."""
    low, high = bounds(outcome.regret)
    share, error = outcome.play_share[:, 0], outcome.share_error[:, 0]
    half = half_width(error, len(outcome.regret))
    return pl.DataFrame(
        {
            "policy": [outcome.label] * len(times),
            "round": times,
            "regret": outcome.mean_regret,
            "regret_low": low,
            "regret_high": high,
            "share_of_arm_1": share,
            "share_low": share - half,
            "share_high": share + half,
        }
    )
