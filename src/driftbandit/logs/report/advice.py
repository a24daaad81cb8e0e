"""What to do, in words that need no knowledge of bandits, and why."""

from __future__ import annotations

import math
from typing import NamedTuple

from driftbandit.core.text import percent
from driftbandit.logs.drift.result import CANNOT_TELL, STILL, LogDrift
from driftbandit.logs.notes import CANNOT_FOLLOW
from driftbandit.logs.oddities import ODD
from driftbandit.logs.overlap import UNTRIED, Overlap
from driftbandit.logs.players import LOGGED
from driftbandit.logs.report.units import Units
from driftbandit.logs.tuning.result import Contender, Tuning, on_others
from driftbandit.logs.values import REPLAYED, Difference, Value, Values

MOST_SEASONS = 3
MOST_UNTRIED = 3


class Advice(NamedTuple):
    """What to do, why, and what to mind."""

    action: str
    reasons: list[str]
    warnings: list[str]


class Findings(NamedTuple):
    """All that was asked of a log."""

    overlap: Overlap
    drift: LogDrift
    values: Values
    now: Values
    tuning: Tuning | None


def advice_of(findings: Findings, units: Units) -> Advice:
    """Return what follows from the answers of a log."""
    known = [row for row in findings.values if not math.isnan(row.value)]
    others = [row for row in known if row.policy != LOGGED]
    if len(findings.overlap.arms) < 2:
        action = "Try a second option: the log shows one, so nothing was chosen."
        return Advice(action, [], [])
    if not others:
        why = sorted({row.why for row in findings.values if row.why})
        untried = [_quoted(arm.arm) for arm in findings.overlap.arms if not arm.rows]
        action = "Collect more decisions first: this log is too small to compare options."
        if untried and all(UNTRIED in text for text in why):
            action = (
                f"Try {', '.join(untried[:MOST_UNTRIED])} first, or compare policies without: the "
                "log does not show what comes of it."
            )
        return Advice(action, [f"{text[0].upper()}{text[1:]}." for text in why[:3]], [])
    action = _action(findings, known)
    tuned = _recommended(findings)
    gain = _on_gain(findings.values, known, units)
    reasons = [
        *(gain if tuned is None else _on_live(tuned, findings, units)),
        *_on_now(findings, units),
        *_on_drift(findings.drift),
    ]
    return Advice(action, reasons, _warnings(findings))


def _action(findings: Findings, known: list[Value]) -> str:
    """Return the one thing to do."""
    values, best, tuned = findings.values, known[0], _recommended(findings)
    if tuned is not None and tuned.live.low > values[LOGGED].value:
        return f"Let a policy decide that learns as rewards come in: {tuned.label}."
    now = _best_now(findings)
    if now is not None and best.of != REPLAYED and now.policy != best.policy:
        end = "rewards move, and it is best at the end of the log"
        return f"Choose {_option(now)} for now, and look again soon: {end}."
    against = _against_logged(values, best)
    if best.policy == LOGGED or (against is not None and against.tie):
        return "Keep what you do for now: no policy here is known to earn more."
    if best.of == REPLAYED:
        return f"Let a policy decide that learns as rewards come in: {best.policy} earned most."
    return _choose(best, findings)


def _choose(best: Value, findings: Findings) -> str:
    """Say which option to choose every time, and for how long that is known."""
    verdicts = {arm.verdict for arm in findings.drift.arms}
    if verdicts == {STILL}:
        return f"Choose {_option(best)} every time: it earned most, and nothing moves."
    if verdicts <= {STILL, CANNOT_TELL}:
        return f"Choose {_option(best)} for now, and look again: whether rewards move is unknown."
    return f"Choose {_option(best)} for now, and look again soon: rewards move."


def _best_now(findings: Findings) -> Value | None:
    """Return the option that is best at the end of the log, beyond doubt, if rewards move."""
    if {arm.verdict for arm in findings.drift.arms} <= {STILL, CANNOT_TELL}:
        return None
    rows = [row for row in findings.now if not math.isnan(row.low)]
    if len(rows) < 2 or rows[0].policy == LOGGED:
        return None
    return rows[0] if rows[0].low > max(row.high for row in rows[1:]) else None


def _recommended(findings: Findings) -> Contender | None:
    """Return the policy that tuning recommends."""
    tuning = findings.tuning
    if tuning is None or tuning.policy is None:
        return None
    return next(row for row in tuning if row.policy == tuning.policy)


def _on_live(best: Contender, findings: Findings, units: Units) -> list[str]:
    """Compare what the recommended policy earns live with what wrote the log."""
    assert findings.tuning is not None
    others, ties = len(findings.tuning) - 1, len(findings.tuning.ties) - 1
    text = (
        f"Live, {best.label} would earn about {units.say(best.live.value)} per decision "
        f"({units.between(best.live.low, best.live.high)}); your decisions earned "
        f"{units.say(findings.values[LOGGED].value)}."
    )
    same = f" Of what was tried, {on_others(ties, others)}."
    return [text + same * bool(ties)]


def _against_logged(values: Values, best: Value) -> Difference | None:
    """Return the difference between what wrote the log and the best policy."""
    pair = (LOGGED, best.policy)
    return next((row for row in values.differences if (row.policy, row.against) == pair), None)


def _on_gain(values: Values, known: list[Value], units: Units) -> list[str]:
    """Compare the best policy with what wrote the log."""
    logged, best = values[LOGGED], known[0]
    text = f"Your decisions earned {units.say(logged.value)} each"
    if best.policy == LOGGED:
        return [f"{text}, and no other policy here is known to earn more."]
    text += f"; {best.policy} would have earned {units.say(best.value)}"
    apart = _against_logged(values, best)
    if apart is None:
        return [f"{text}."]
    ends = units.gap(-apart.high, -apart.low)
    doubt = " That may be chance." if apart.tie else ""
    return [f"{text}: {units.more(-apart.difference)} ({percent(values.level)}: {ends}).{doubt}"]


def _on_now(findings: Findings, units: Units) -> list[str]:
    """Say which option is best at the end of the log, and whether it always was."""
    rows = [row for row in findings.now if row.policy != LOGGED and not math.isnan(row.value)]
    if len(rows) < 2:
        return []
    best, second = rows[:2]
    clear = best.low > second.high
    words = "is best" if clear else "looks best, not beyond doubt"
    reason = (
        f"At the end of the log the option {_option(best)} {words}, with {units.say(best.value)} "
        f"({units.between(best.low, best.high)}); {_option(second)} follows with "
        f"{units.say(second.value)} ({units.between(second.low, second.high)})."
    )
    whole = [row for row in findings.values if row.policy in {each.policy for each in rows}]
    if whole and whole[0].policy != best.policy:
        reason += f" Over the whole log it was {_option(whole[0])}."
    return [reason]


def _option(row: Value) -> str:
    return _quoted(row.policy.removeprefix("always "))


def _quoted(label: object) -> str:
    """Return an option so that it cannot be taken for words of the sentence."""
    return f"“{label}”"


def _on_drift(drift: LogDrift) -> list[str]:
    """Say whether rewards move, and how."""
    verdicts = {arm.verdict for arm in drift.arms}
    reasons = []
    if verdicts == {STILL}:
        return ["What an option earns did not move: no change and no season was found."]
    if changes := drift.changes:
        names = sorted({_quoted(change.arm) for change in changes})
        times = "once" if len(changes) == 1 else f"{len(changes)} times"
        reasons.append(f"What options earn moved {times} ({', '.join(names)}).")
    if certain := drift.switches.certain:
        often = "once" if certain == 1 else f"{certain} times"
        reasons.append(f"The best option changed at least {often}, beyond doubt.")
    elif estimate := drift.switches.estimate:
        often = "once" if estimate == 1 else f"{estimate} times"
        reasons.append(f"The best option seems to have changed {often}.")
    moving = [
        f"{_quoted(arm.arm)} by {season.period}"
        for arm in drift.arms for season in arm.seasons if season.p_value < 1.0 - drift.level
    ]  # fmt: skip
    if moving:
        more = ", …" if len(moving) > MOST_SEASONS else ""
        reasons.append(f"Rewards have seasons: {', '.join(moving[:MOST_SEASONS])}{more}.")
    return reasons


def _warnings(findings: Findings) -> list[str]:
    """Return what stands in the way of trusting all this."""
    warnings = [note for note in findings.values.notes if note.startswith(ODD)]
    warnings += [note for note in findings.overlap.remarks() if not note.startswith("Replay")]
    untold = [row.policy for row in findings.values if row.why]
    if untold:
        warnings.append(f"Nothing can be said of {', '.join(untold[:5])}: see below.")
    warnings += [note for note in findings.values.notes if "disagree" in note]
    return warnings + [note for note in findings.now.notes if note.startswith(CANNOT_FOLLOW)]
