"""What must be said beside values: assumptions, disagreement, and what a method cannot do here."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from driftbandit.logs.estimates import ESTIMATORS, WORLD
from driftbandit.logs.estimates.sums import Gathered
from driftbandit.logs.evidence import Evidence
from driftbandit.logs.intervals.scarce import is_scarce
from driftbandit.logs.overlap import contradicted
from driftbandit.logs.players import Replayed, Shares, arms_of
from driftbandit.logs.result import moment
from driftbandit.logs.trend.changes import Changes
from driftbandit.logs.trend.forecast import MOST_POINTS
from driftbandit.logs.trend.lag import lag_of
from driftbandit.logs.values import Value
from driftbandit.logs.world import fitted_world

if TYPE_CHECKING:
    from driftbandit.logs.valuing import Question

WORLD_ASSUMES = (
    "within a window of time, who got which arm has nothing to do with the reward, and rewards "
    "depend on the arm and the time alone"
)

TOO_GOOD = (
    "dm shows policies that learn a little too good, since they learn from the rewards that it "
    "averages: its intervals for them hold less often than they say."
)

TOO_SLOW = (
    "world has the changes and seasons that drift() finds, and smooths what is too small or too "
    "short to be found: a policy that follows that earns less there than live."
)

RARE = 0.8
"""A policy that learns from less than this share of the rows that replay could accept is told."""

NO_WIDTH = 1e-6
"""An interval that is narrower than this share of its end has no width but rounding."""

CANNOT_FOLLOW = "The log shows drift that this value cannot follow"
"""How warnings begin that a report repeats at its head."""

MOST_LATE = 3
"""Changes, or policies, that a warning names."""

LIKELY = 0.9
"""The probability from which on the log is said to drift."""


def notes_on(
    rows: Sequence[Value],
    results: Sequence[Gathered],
    evidence: Evidence,
    question: Question,
    drifts: float,
    changes: Changes,
) -> list[str]:
    """Return the notes, a sentence each."""
    notes = []
    for name in question.methods:
        words = WORLD_ASSUMES if name == WORLD else ESTIMATORS[name].assumes
        notes.append(f"{name} assumes: {words}.")
    if evidence.propensities == "estimated":
        notes.append(
            "Propensities are estimated by arm and window of time: all values assume that users "
            "got arms at random within a window, and no interval counts the error of this."
        )
    elif odd := contradicted(evidence):
        notes.append(f"{odd} What rests on propensities may be wrong.")
    notes += _on_width(rows, evidence.coins, evidence.bound)
    notes += _on_learning(results, evidence, question)
    notes += _on_disagreement(rows)
    notes += _on_time(question, drifts)
    if question.recent is not None:
        notes += _on_lags(rows, results, evidence, question)
    elif question.ahead is not None:
        notes += _on_late_changes(results, evidence, changes)
    return notes


def _on_width(rows: Sequence[Value], coins: bool, bound: float) -> list[str]:
    """Name policies without an interval, and those whose interval has no width."""
    notes = []
    odd = [row for row in rows if not row.why and math.isnan(row.low)]
    if odd:
        notes.append(f"There are too few blocks of time for an interval of {odd[0].policy}.")
    exact = sorted({row.policy for row in rows if row.high - row.low <= NO_WIDTH * row.high})
    if exact:
        notes.append(
            f"The interval of {_listed(exact)} has no width: rewards of its arms never varied, so "
            "the log shows no noise. That is no proof that there is none."
        )
    scarce = sorted({row.policy for row in rows if coins and _is_scarce(row, bound)})
    if scarce:
        notes.append(
            f"Nearly all rewards behind {_listed(scarce)} are alike: their noise is taken from "
            "their number, not from how they vary."
        )
    return notes


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")


def _is_scarce(row: Value, bound: float) -> bool:
    return not row.why and row.method != WORLD and is_scarce(row.value / bound, row.effective)


def _on_learning(results: Sequence[Gathered], evidence: Evidence, question: Question) -> list[str]:
    learners = [each for each in results if isinstance(each.player, Replayed)]
    notes = []
    if learners:
        notes.append(
            f"Policies that learn do so from about {evidence.thinning:.1%} of the rows: live they "
            "learn faster, and a window of rounds is shorter in time. An interval holds what they "
            "earn after learning from these rows; other rows would have taught them other things."
        )
        notes += [TOO_GOOD] if "dm" in question.methods else []
        notes += [TOO_SLOW] if WORLD in question.methods else []
    for each in learners:
        share = each.overview.accepted / (evidence.thinning * evidence.size)
        if share < RARE:
            notes.append(
                f"{each.player.label} learns from {share:.0%} of the rows that replay could accept:"
                " it waits for arms that the log shows rarely, or not at that time."
            )
    return notes


def _on_disagreement(rows: Sequence[Value]) -> list[str]:
    """Name the methods whose intervals for one quantity do not overlap."""
    notes = []
    known = [row for row in rows if not math.isnan(row.low)]
    for one, two in itertools.combinations(known, 2):
        same = (one.policy, one.of) == (two.policy, two.of)
        if same and (one.high < two.low or two.high < one.low):
            notes.append(
                f"{one.method} and {two.method} disagree about {one.policy} beyond their intervals:"
                " one of their assumptions does not hold."
            )
    return notes


def _on_time(question: Question, drifts: float) -> list[str]:
    if question.ahead is None:
        return []
    if question.recent is not None:
        return [
            "A window or a half-life averages over what was different then: its interval holds the "
            "average over its memory, and the value of now only as far as nothing moved."
        ]
    notes = [
        f"The log is read as {MOST_POINTS} points at most: what moves faster is taken for noise."
    ]
    if drifts > LIKELY:
        notes.append(
            "The log shows drift: the interval allows for a walk at the pace seen, for jumps as "
            "often as some are found, and for seasons of a day and a week; not for anything else."
        )
    return notes


def _on_late_changes(
    results: Sequence[Gathered], evidence: Evidence, changes: Changes
) -> list[str]:
    """Say which changes near the end are found, and warn of those that too few rows followed."""
    notes = []
    arms = sorted({arm for each in results for arm in arms_of(each.player, evidence)})
    if findable := changes.findable():
        arm, size = findable
        notes.append(
            f"Of {arm}, played most, a change in the last tenth of the log is found four times out "
            f"of five if it is {size:.2g} or more; after a smaller one intervals may be of before."
        )
    return notes + [
        f"{CANNOT_FOLLOW}: {each.arm} changed at {moment(each.at)}, and was played "
        f"{each.plays} times since. Intervals of what plays it hold less often than they say."
        for each in changes.late(arms)[:MOST_LATE]
    ]


def _on_lags(
    rows: Sequence[Value], results: Sequence[Gathered], evidence: Evidence, question: Question
) -> list[str]:
    """Warn of fixed policies whose value moved within the memory by more than intervals allow."""
    assert question.recent is not None
    world = fitted_world(evidence, question.seed)
    players = {each.player.label: each.player for each in results}
    lags = []
    for row in rows:
        player = players[row.policy]
        if isinstance(player, Shares) and not math.isnan(row.low):
            half = 0.5 * (row.high - row.low)
            law = evidence.offered @ player.law
            lags.append(lag_of(row.policy, law, half, question.recent, world, evidence))
    named = dict.fromkeys(
        f"{lag.policy} earned {lag.over:.3g} over it and {lag.now:.3g} at the end"
        for lag in lags if lag is not None
    )  # fmt: skip
    if not named:
        return []
    more = f", and {len(named) - MOST_LATE} more" if len(named) > MOST_LATE else ""
    return [
        f"{CANNOT_FOLLOW} with this memory: by the world fitted to it, "
        f"{'; '.join(list(named)[:MOST_LATE])}{more}. The intervals are of the former."
    ]
