"""The numbers of the report as tables for other programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from driftbandit.core.numerics import NORMAL_95
from driftbandit.studies.paper.claims import Finding

if TYPE_CHECKING:
    from driftbandit.engine import Outcome, Result


def tables(results: Mapping[str, Result], findings: Sequence[Finding]) -> dict[str, pl.DataFrame]:
    """Return every table by the name of its file, without the suffix."""
    return {
        "regret": _stacked({title: r.summary().policies for title, r in results.items()}),
        "differences": _stacked({title: r.summary().differences for title, r in results.items()}),
        "curves": _stacked({title: _curves(result) for title, result in results.items()}),
        "claims": pl.DataFrame([row(finding) for finding in findings]),
    }


def row(finding: Finding) -> dict[str, str]:
    """Return a finding as a row of texts."""
    return {
        "claim": finding.claim.words,
        "criterion": finding.claim.criterion,
        "measured": finding.measured,
        "verdict": finding.verdict.value,
    }


def _stacked(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    named = [
        frame.select(pl.lit(title).alias("experiment"), pl.all()) for title, frame in frames.items()
    ]
    return pl.concat(named)


def _curves(result: Result) -> pl.DataFrame:
    return pl.concat([_curve(result[label], result.times) for label in result])


def _curve(outcome: Outcome, times: np.ndarray[Any, Any]) -> pl.DataFrame:
    """Return one row a checkpoint: mean regret and share of plays of arm 1, with 95 % intervals."""
    regret, error = outcome.mean_regret, outcome.regret_error
    share, share_error = outcome.play_share[:, 0], outcome.share_error[:, 0]
    return pl.DataFrame(
        {
            "policy": [outcome.label] * len(times),
            "round": times,
            "regret": regret,
            "regret_low": regret - NORMAL_95 * error,
            "regret_high": regret + NORMAL_95 * error,
            "share_of_arm_1": share,
            "share_low": share - NORMAL_95 * share_error,
            "share_high": share + NORMAL_95 * share_error,
        }
    )
