"""Ask a log everything, and put the answers together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from driftbandit.logs.evidence import Evidence
from driftbandit.logs.report.advice import Findings, advice_of
from driftbandit.logs.report.result import Report
from driftbandit.logs.report.units import Units
from driftbandit.policies import Uniform
from driftbandit.policies.procedures.auto import Auto

if TYPE_CHECKING:
    from driftbandit.logs.log import Log

Stages = Callable[[str, int, int], None]

PARTS = 48
"""Stretches of time in which shares are shown, at most."""

PER_PART = 20
"""Decisions per stretch, at least."""

MOST_ARMS = 12
"""Arms whose values are shown one by one: those played most."""


def report_of(
    log: Log, evidence: Evidence, title: str, policies: Any, tune: bool, level: float,
    seed: int, stages: Stages | None,
) -> Report:  # fmt: skip
    """Ask the questions one after the other.

    Without policies, those compared are every arm alone, equal shares, `Auto`, and the policy that
    `tune` recommends.
    """

    def of(what: str) -> Any:
        if stages is None:
            return None
        return lambda done, total: stages(what, done, total)

    overlap = log.overlap()
    drift = log.drift(level=level, progress=of("looking for changes"))
    tuning = log.tune(level=level, seed=seed, progress=of("tuning")) if tune else None
    tried = (arm for arm in evidence.most_played(MOST_ARMS) if not evidence.untried[arm])
    arms = [{evidence.labels[arm]: 1.0} for arm in tried]
    compared = policies
    if policies is None:
        auto = Auto(bound=evidence.bound)
        compared = [*arms, Uniform(), auto]
        labels = {each.label for each in compared[len(arms) :]}
        if tuning is not None and tuning.policy is not None and tuning.policy.label not in labels:
            compared.append(tuning.policy)
    values = log.value(compared, level=level, seed=seed, progress=of("valuing policies"))
    now = log.value(arms, at="now", level=level, seed=seed, progress=of("valuing the end"))
    findings = Findings(overlap, drift, values, now, tuning)
    units = Units(evidence.coins and evidence.bound == 1.0)
    ends, shares = _plays(evidence)
    return Report(title, log.check(), findings, advice_of(findings, units), units, ends, shares)


def _plays(evidence: Evidence) -> tuple[list[float], list[list[float]]]:
    """Return when stretches of time end, and the share of each arm in them."""
    parts = min(max(evidence.size // PER_PART, 1), PARTS, evidence.blocks)
    counts = evidence.tally(parts).counts
    last = (np.arange(1, parts + 1) * evidence.blocks) // parts - 1
    ends = [*evidence.times[last[:-1]].tolist(), evidence.end]
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
    return ends, shares.T.tolist()
