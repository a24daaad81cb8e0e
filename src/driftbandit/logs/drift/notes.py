"""What must be said beside drift: error rates, what cannot be seen, and what is too small."""

from __future__ import annotations

import math

from driftbandit.logs.drift.result import BOTH, CANNOT_TELL, SEASON, STILL, ArmDrift
from driftbandit.logs.drift.seasons import LEAST_PERIODS, PER_PERIOD, PERIODS
from driftbandit.logs.evidence import Evidence
from driftbandit.logs.result import duration


def notes_on(arms: list[ArmDrift], evidence: Evidence, level: float) -> list[str]:
    """Return the notes, a sentence each."""
    miss = 1.0 - level
    notes = [
        f"In a log that stands still, all of this finds a change with probability {miss:.2g} at "
        f"most, and a season with {miss:.2g}. The bands hold for all windows and arms at once. "
        "Slow drift is told as several changes of one sign. Distances and changes are those found; "
        "certain is the least that there are, since a mean may go and come back unseen.",
    ]
    unsure = [arm for arm in arms if arm.verdict == CANNOT_TELL]
    if unsure:
        names = ", ".join(str(arm.arm) for arm in unsure[:3]) + (", …" if len(unsure) > 3 else "")
        notes.append(f"Cannot tell of {names}: rows are too few to see whether a rate doubles.")
    still = [arm for arm in arms if arm.verdict == STILL]
    if still:
        worst = max(still, key=lambda arm: arm.smallest)
        notes.append(
            f"Still means: a change of {worst.smallest:.2g} of {worst.arm} in the middle of the "
            "log would be found four times out of five, a smaller or shorter one less often."
        )
    if not any(arm.verdict in (SEASON, BOTH) for arm in arms):
        seen = [s.p_value for arm in arms for s in arm.seasons if not math.isnan(s.p_value)]
        if seen:
            notes.append(
                f"No season of a day or a week stands out: the smallest of {len(seen)} p-values is "
                f"{min(seen):.2g}."
            )
    hidden = sorted({s.period for arm in arms for s in arm.seasons if math.isnan(s.p_value)})
    if hidden:
        notes.append(_on_hidden(hidden, evidence))
    if evidence.propensities == "estimated":
        notes.append("A change in who gets an arm looks like a change of the arm.")
    return notes


def _on_hidden(hidden: list[str], evidence: Evidence) -> str:
    """Say why seasons cannot be seen: the log is too short, or too long to be read finely."""
    span = evidence.end - evidence.start
    finest = PER_PERIOD * span / evidence.blocks
    coarse = [name for name in hidden if LEAST_PERIODS * PERIODS[name] <= span]
    coarse = [name for name in coarse if PERIODS[name] < finest]
    shorter = (
        f" The log is read in {evidence.blocks:,} stretches: a shorter part of it may show a "
        f"season of a {' or a '.join(coarse)}."
    )
    return (
        f"A season of a {' or a '.join(hidden)} cannot be seen in {duration(span)}: it needs four "
        f"periods in the log, and rows in five stretches of each.{shorter * bool(coarse)}"
    )
