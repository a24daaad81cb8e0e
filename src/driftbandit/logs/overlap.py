"""Overlap: how much a log can tell, before any estimate."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, NamedTuple

import numpy as np

from driftbandit.core.numerics import normal_cdf
from driftbandit.core.table import form_of, number
from driftbandit.logs.estimates.sums import Gathered
from driftbandit.logs.evidence import Calibration, Evidence
from driftbandit.logs.players import Player, Shares
from driftbandit.logs.result import Answer, Section, rows_of
from driftbandit.logs.rows import Floats

LEAST_EFFECTIVE = 30.0
"""From fewer effective rows nothing is said of a policy."""

LEAST_PLAYS = 100.0
"""A stretch has so many effective plays, or its variance is too uncertain: stretches are joined."""

SUSPICIOUS = 0.01
"""Calibrations are told whose p-value is below this, divided among the arms."""

UNTRIED = "which the log does not show"
"""Why nothing is said of a policy that may play an arm of no row."""

MOST_NAMED = 3
"""Arms that a sentence names; of more, it says how many."""


class ArmOverlap(NamedTuple):
    """One arm: how often it was played, and whether its propensities agree with that."""

    arm: Any
    rows: int
    share: float
    reward: float
    """The mean reward of its rows."""
    calibration: float
    """The mean of 1{arm} / p over the rows in which it was eligible: 1 where propensities are."""
    p_value: float
    """How likely shares as far from the propensities are, over all stretches of time together.

    NaN where the plays are too few to say: those with small propensities are what counts.
    """
    absent: float
    """The share of the windows of time in which it was not played."""


class PolicyOverlap(NamedTuple):
    """One policy: how much of the log it can use."""

    policy: str
    accepted: float
    """The share of the rows that replay keeps."""
    effective: float
    """The effective sample size (Σ w)² / Σ w²."""
    largest: float
    """The largest weight π / p."""
    verdict: str
    """"can tell", or why not."""


@dataclasses.dataclass(frozen=True, repr=False)
class Overlap(Answer):
    """How much a log can tell: about each arm, and about each policy."""

    rows: int
    propensities: str
    thinning: float
    least_propensity: float
    arms: list[ArmOverlap]
    policies: list[PolicyOverlap]
    notes: list[str] = dataclasses.field(default_factory=list)

    def sections(self) -> list[Section]:
        """Return a table of arms and one of policies."""
        form = form_of(arm.reward for arm in self.arms)
        arms = [
            [str(arm.arm), f"{arm.rows:,}", f"{arm.share:.4f}", number(arm.reward, form),
             number(arm.calibration, ".3f"), number(arm.p_value, ".3f"), f"{arm.absent:.0%}"]
            for arm in self.arms
        ]  # fmt: skip
        policies = [
            [each.policy, each.verdict, f"{each.accepted:.1%}", f"{each.effective:,.0f}",
             f"{each.largest:,.1f}"]
            for each in self.policies
        ]  # fmt: skip
        heads = ["arm", "rows", "share", "reward", "mean 1/p", "p-value", "absent"]
        return [
            Section(f"arms, propensities {self.propensities}", heads, arms, 6),
            Section(
                "policies", ["policy", "verdict", "accepted", "effective", "largest weight"],
                policies, 3,
            ),
        ]  # fmt: skip

    def remarks(self) -> list[str]:
        """Say what stands in the way."""
        notes = [f"Replay accepts a row with probability {self.thinning:.3g} / p."]
        if self.propensities == "estimated":
            notes.append(
                "The log does not say how likely each choice was (its propensity). This is "
                "estimated by arm and window of time, and everything that follows holds only if "
                "users got arms at random within a window."
            )
        never = [arm.arm for arm in self.arms if arm.rows == 0]
        if never:
            them = "it" if len(never) == 1 else "them"
            notes.append(f"{_names(never)} never played: nothing can be told of {them}.")
        odd = _on_odd([arm.arm for arm in self.arms], [arm.p_value for arm in self.arms])
        return notes + ([odd] if odd else []) + self.notes

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data for JSON."""
        content = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        tables = {"arms": rows_of(self.arms), "policies": rows_of(self.policies)}
        return {**content, **tables, "remarks": self.remarks()}


def contradicted(evidence: Evidence) -> str | None:
    """Return a sentence on the arms whose propensities do not agree with their plays, or None."""
    return _on_odd(evidence.labels, _p_values(evidence.calibration).tolist())


def _on_odd(labels: list[Any], p_values: list[float]) -> str | None:
    least = SUSPICIOUS / len(labels)
    odd = [label for label, p_value in zip(labels, p_values, strict=True) if p_value < least]
    return f"{_names(odd)} not played as often as the propensities say." if odd else None


def _names(arms: list[Any]) -> str:
    """Return the subject of a sentence.

    >>> _names(["a"]), _names(list("abcde"))
    ('a was', 'a, b, c and 2 more were')
    """
    if len(arms) == 1:
        return f"{arms[0]} was"
    first = ", ".join(map(str, arms[:MOST_NAMED]))
    more = len(arms) - MOST_NAMED
    return f"{first} and {more:,} more were" if more > 0 else f"{first} were"


def overlap_of(evidence: Evidence, results: list[Gathered], notes: list[str]) -> Overlap:
    """Return the overlap of the log, and that of these policies."""
    policies = [
        PolicyOverlap(
            each.player.label,
            each.overview.accepted / evidence.size,
            each.overview.effective,
            each.overview.largest,
            reason_against(each, evidence) or "can tell",
        )
        for each in results
    ]
    return Overlap(
        evidence.size, evidence.propensities, evidence.thinning, evidence.least,
        _arms(evidence), policies, notes,
    )  # fmt: skip


def reason_against(result: Gathered, evidence: Evidence) -> str | None:
    """Return why nothing can be told of a policy, or None."""
    lacking = [evidence.labels[arm] for arm in np.flatnonzero(_played(result.player, evidence))]
    if lacking:
        names = ", ".join(map(str, lacking[:3])) + (", …" if len(lacking) > 3 else "")
        never = evidence.untried[_played(result.player, evidence)].any()
        which = UNTRIED if never else "absent from the log for long"
        return f"cannot tell: it may play {names}, {which}"
    if result.overview.effective < LEAST_EFFECTIVE:
        return f"cannot tell: {result.overview.effective:.1f} effective rows are too few"
    return None


def _played(player: Player, evidence: Evidence) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return which arms a policy may play without the log showing them."""
    lacking = evidence.untried.copy()
    if evidence.propensities == "estimated":
        lacking |= evidence.absent_for_long
    if isinstance(player, Shares):
        lacking &= evidence.offered @ player.law > 0.0  # which has others where its own are not
        return lacking
    return lacking if player.learns else np.zeros_like(lacking)


def _arms(evidence: Evidence) -> list[ArmOverlap]:
    """Return per arm how its plays agree with its propensities."""
    inverse, eligible = evidence.calibration.inverse, evidence.calibration.eligible
    counts, rewards = evidence.by_window.counts, evidence.by_window.sums.sum(axis=0)
    plays, absent = counts.sum(axis=0), (counts == 0.0).mean(axis=0)
    calibration = inverse.sum(axis=0) / np.maximum(eligible.sum(axis=0), 1.0)
    p_values = _p_values(evidence.calibration)
    return [
        ArmOverlap(
            label,
            int(plays[arm]),
            float(plays[arm] / evidence.size),
            float(rewards[arm] / plays[arm]) if plays[arm] else math.nan,
            float(calibration[arm]),
            float(p_values[arm]),
            float(absent[arm]),
        )
        for arm, label in enumerate(evidence.labels)
    ]


def _p_values(calibration: Calibration) -> Floats:
    """Return the p-value of each arm, in as many stretches of time as its variance is known in.

    A variance that was estimated from few plays is too small as often as not, and the plays that
    are missing are the ones it lacks: then a log that is right would look wrong. An arm that was
    certain whenever it was played, and not played in other rows, has no propensity there.
    """
    inverse, eligible, variance, square = calibration
    apart = inverse - eligible
    p_values = np.full(apart.shape[1], math.nan)
    certain = inverse.any(axis=0) & ~variance.any(axis=0) & (-apart.sum(axis=0) >= LEAST_PLAYS)
    p_values[certain] = 0.0
    for step in range(len(apart), 0, -1):  # the finest is the last to be written
        starts = np.arange(0, len(apart), step)
        gaps, spreads, squares = (
            np.add.reduceat(each, starts, axis=0) for each in (apart, variance, square)
        )
        enough = ((spreads**2 >= LEAST_PLAYS * squares) & (squares > 0.0)).all(axis=0)
        for arm in np.flatnonzero(enough).tolist():
            statistic = float((gaps[:, arm] ** 2 / spreads[:, arm]).sum())
            p_values[arm] = _chi_square_tail(statistic, len(starts))
    return p_values


def _chi_square_tail(statistic: float, freedom: int) -> float:
    """Return P(χ² ≥ statistic), by the cube root that is nearly normal (Wilson & Hilferty 1931).

    >>> round(_chi_square_tail(31.41, 20), 3)
    0.05
    """
    if freedom == 0:
        return math.nan
    spread = 2.0 / (9.0 * freedom)
    return normal_cdf(-((statistic / freedom) ** (1.0 / 3.0) - 1.0 + spread) / math.sqrt(spread))
