"""From sums to values: which quantity, which interval, and what must be said beside them."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence
from typing import Any

from driftbandit.core.duration import seconds_of
from driftbandit.core.errors import InputError, one_of, real, require, shown, whole
from driftbandit.logs.estimates import ESTIMATORS, WORLD, method_of
from driftbandit.logs.estimates.sums import Gathered, Progress, gathered
from driftbandit.logs.estimates.weighting import Recent, recent_of
from driftbandit.logs.evidence import Evidence
from driftbandit.logs.intervals.bernstein import bernstein
from driftbandit.logs.intervals.blocks import (
    Estimate,
    bonferroni_quantile,
    estimate_of,
    half_width,
    joint_quantile,
    standard_error,
)
from driftbandit.logs.intervals.course import Course, course_of
from driftbandit.logs.intervals.scarce import binomial_interval, is_scarce, least_error
from driftbandit.logs.intervals.sequence import sequence
from driftbandit.logs.notes import notes_on
from driftbandit.logs.overlap import reason_against
from driftbandit.logs.players import LOGGED, arms_of, players_of
from driftbandit.logs.trend.changes import Changes
from driftbandit.logs.trend.forecast import forecast
from driftbandit.logs.values import NOW, PERIOD, REPLAYED, Difference, Value, Values
from driftbandit.logs.world_value import played_in_world

INTERVALS = ("blocks", "bernstein", "sequence")

MOST_PAIRED = 150
"""Policies of which all pairs are compared."""


@dataclasses.dataclass(frozen=True)
class Question:
    """What is asked: methods, which time, whose memory, and which interval."""

    methods: list[str]
    at: str
    ahead: float | None
    """Seconds from the end of the log that the value is of; None for the log's period."""
    recent: Recent | None
    interval: str
    level: float
    seed: int

    @classmethod
    def checked(
        cls, method: Any, at: Any, memory: Any, interval: str, level: float, seed: int, end: float
    ) -> Question:
        """Return the question, or raise where it makes no sense."""
        names = [method] if isinstance(method, str) else method
        fits = isinstance(names, Sequence) and len(names) > 0
        require(fits, "method", method, "be a name or a list of names")
        methods = [method_of(name) for name in names]
        require(len(set(methods)) == len(methods), "method", method, "name each method once")
        ahead, recent = ahead_of(at), recent_of(memory, end)
        kind = one_of("interval", interval, INTERVALS)
        require(
            recent is None or ahead == 0.0, "memory", memory, "come with at='now', which it is for"
        )
        plain = recent is None and ahead is None
        if kind != "blocks" and not plain:
            raise InputError(f"interval must be 'blocks' unless at is 'mean', got {shown(kind)}")
        odd = [name for name in methods if kind != "blocks" and not _by_row(name)]
        if odd:
            raise InputError(
                f"interval must be 'blocks' for the method {odd[0]}, got {kind!r}: only ips and dr "
                "are means over rows"
            )
        if WORLD in methods and not plain:
            raise InputError("method 'world' must come with at='mean'")
        share = real("level", level, "(0, 1)")
        return cls(methods, str(at), ahead, recent, kind, share, whole("seed", seed, least=0))


def _by_row(name: str) -> bool:
    return name in ESTIMATORS and ESTIMATORS[name].mean_of_rows


def ahead_of(at: Any) -> float | None:
    """Return how many seconds from the end of the log a value is of, None for the log's period.

    >>> ahead_of("mean"), ahead_of("now"), ahead_of("next 7d")
    (None, 0.0, 604800.0)
    """
    text = at if isinstance(at, str) else ""  # an array is equal to a text item by item
    if text == "mean":
        return None
    if text == "now":
        return 0.0
    words = text.split()
    if len(words) == 2 and words[0] == "next":
        return seconds_of("at", words[1])
    raise InputError(f"at must be 'mean', 'now' or such as 'next 7d', got {shown(at)}")


def valued(
    policies: Any, question: Question, evidence: Evidence, progress: Progress | None
) -> Values:
    """Answer a question about policies from the evidence."""
    if question.interval != "blocks" and evidence.propensities == "estimated":
        raise InputError(
            "interval must be 'blocks' where propensities are estimated, got "
            f"{question.interval!r}: no range of the weights is known"
        )
    players = players_of(policies, evidence, question.seed)
    names = [name for name in question.methods if name != WORLD]
    estimators = [ESTIMATORS[name] for name in names]
    results = gathered(players, estimators, evidence, question.recent, question.seed, progress)
    reasons = [reason_against(result, evidence) for result in results]
    rows: list[Value] = []
    estimates: list[dict[str, Estimate]] = []
    drifts, changes = 0.0, Changes(evidence)
    for result, reason in zip(results, reasons, strict=True):
        estimates.append({name: estimate_of(result.sums[name]) for name in names})
        for name in names:
            value, drift = _value(
                result, name, estimates[-1][name], reason, question, evidence, changes
            )
            rows.append(value)
            drifts = max(drifts, drift)
    if WORLD in question.methods:
        rows += played_in_world(results, reasons, evidence, question.level, question.seed)
    rows.sort(key=lambda row: (question.methods.index(row.method), _down(row.value)))
    fine = [place for place, reason in enumerate(reasons) if reason is None]
    floors = {
        results[place].player.label: _floor(
            results[place], next(iter(estimates[place].values())), evidence
        )
        for place in fine
        if estimates[place]
    }
    differences = _differences(
        {results[place].player.label: estimates[place] for place in fine}, floors, question
    )
    notes = notes_on(rows, results, evidence, question, drifts, changes)
    courses = _courses([results[place] for place in fine], question, evidence)
    return Values(
        rows, differences, notes, question.level, question.interval, evidence.propensities, courses
    )


def _courses(results: list[Gathered], question: Question, evidence: Evidence) -> list[Course]:
    """Return the values over time by the first method; a fitted world has none."""
    name = question.methods[0]
    if question.ahead is not None or name == WORLD:
        return []
    courses = (
        course_of(
            each.player.label, name, estimate_of(each.sums[name]), each.sums[name],
            each.overview.effective, evidence, question.level,
        )
        for each in results
    )  # fmt: skip
    return [course for course in courses if course is not None]


def _down(value: float) -> float:
    """Return a key that sorts large values first and unknown ones last."""
    return math.inf if math.isnan(value) else -value


def _value(
    result: Gathered,
    name: str,
    estimate: Estimate,
    reason: str | None,
    question: Question,
    evidence: Evidence,
    changes: Changes,
) -> tuple[Value, float]:
    """Return the value of one policy by one method, and how likely its drift is."""
    drift = 0.0
    if reason is None and not estimate.influence.any() and not estimate.value >= 0.0:
        reason = "cannot tell: replay accepts no row"
    value = low = high = math.nan
    if reason is None and question.ahead is not None and question.recent is None:
        floor = _floor(result, estimate, evidence)
        outlook = forecast(
            estimate, result.sums[name], evidence, question.ahead, question.level,
            changes.of(arms_of(result.player, evidence)), floor,
        )  # fmt: skip
        value, low, high, drift = outlook
    elif reason is None:
        value = estimate.value
        half = _half(result, name, estimate, question, evidence)
        ends = value - half, value, value + half  # a mean of weighted rewards may lie beyond
        low, value, high = (min(max(each, 0.0), evidence.bound) for each in ends)
        if math.isnan(half):
            low = high = math.nan
        elif _floor(result, estimate, evidence) > 0.0:
            share, rows = value / evidence.bound, result.overview.effective
            exact = binomial_interval(share, rows, question.level)
            low, high = min(low, evidence.bound * exact[0]), max(high, evidence.bound * exact[1])
    share = result.overview.accepted / evidence.size
    of = _of(result, question)
    effective = result.overview.effective
    return (
        Value(result.player.label, name, of, value, low, high, effective, share, reason or ""),
        drift,
    )


def _floor(result: Gathered, estimate: Estimate, evidence: Evidence) -> float:
    """Return the least standard error where rewards are coins of which nearly all are alike.

    It is 0 elsewhere: what rows show of their noise is then enough.
    """
    share, rows = estimate.value / evidence.bound, result.overview.effective
    if not evidence.coins or not is_scarce(share, rows):
        return 0.0
    return evidence.bound * least_error(share, rows)


def _half(
    result: Gathered, name: str, estimate: Estimate, question: Question, evidence: Evidence
) -> float:
    """Return half the width of an interval."""
    if question.interval == "blocks":
        return half_width(estimate, question.level)
    largest = 1.0 / evidence.least if result.player.label != LOGGED else 1.0
    kind = bernstein if question.interval == "bernstein" else sequence
    return kind(result.sums[name], largest * evidence.bound, question.level)


def _of(result: Gathered, question: Question) -> str:
    if question.ahead is None:
        return REPLAYED if result.player.learns else PERIOD
    when = NOW if question.ahead == 0.0 else question.at
    return f"{when}, learning at the replay's traffic" if result.player.learns else when


def _differences(
    estimates: dict[str, dict[str, Estimate]], floors: dict[str, float], question: Question
) -> list[Difference]:
    """Return paired differences by the first method, those from the best first.

    Of very many policies, those from the best and from what wrote the log. For a forecast there are
    none: what it says of two policies is not known row by row.
    """
    plain = question.ahead is None or question.recent is not None
    name = question.methods[0]
    if not plain or name == WORLD or len(estimates) < 2:
        return []
    by_label = {label: each[name] for label, each in estimates.items()}
    by_label = {label: each for label, each in by_label.items() if not math.isnan(each.value)}
    ranked = sorted(by_label, key=lambda label: -by_label[label].value)
    if len(ranked) < 2 or math.isnan(half_width(by_label[ranked[0]], question.level)):
        return []
    few = len(ranked) <= MOST_PAIRED
    influences = [by_label[label].influence for label in ranked]
    q = (
        joint_quantile(influences, question.level, question.seed)
        if few
        else bonferroni_quantile(len(ranked), question.level, by_label[ranked[0]])
    )
    rows = []
    for against, policy in itertools.combinations(ranked, 2) if few else _pairs(ranked):
        one, two = by_label[policy], by_label[against]
        noise = standard_error(one.influence - two.influence), floors[policy], floors[against]
        apart, half = one.value - two.value, q * math.hypot(*noise)
        rows.append(Difference(policy, against, name, apart, apart - half, apart + half))
    return rows


def _pairs(ranked: list[str]) -> list[tuple[str, str]]:
    """Return the pairs of the best and of what wrote the log with every other policy."""
    best = [(ranked[0], each) for each in ranked[1:]]
    if LOGGED not in ranked[1:]:
        return best
    place = ranked.index(LOGGED)
    above, below = ranked[1:place], ranked[place + 1 :]
    return [*best, *((each, LOGGED) for each in above), *((LOGGED, each) for each in below)]
