"""Which policy and which memory: replay in time, replay in rounds, and live."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from driftbandit.core.table import form_of
from driftbandit.core.text import percent
from driftbandit.logs.estimates import ESTIMATORS
from driftbandit.logs.estimates.sums import Gathered, Progress, gathered
from driftbandit.logs.evidence import Evidence
from driftbandit.logs.intervals.blocks import estimate_of, half_width
from driftbandit.logs.overlap import reason_against
from driftbandit.logs.players import LOGGED, players_of
from driftbandit.logs.tuning.candidates import Candidate
from driftbandit.logs.tuning.live import behind, played, worth
from driftbandit.logs.tuning.result import Contender, Memories, Tuning, Worth, on_others
from driftbandit.logs.world import RESTRICTED, fitted_world
from driftbandit.policies.strategy import Strategy

METHOD = "dr"
NOTHING = Worth(math.nan, math.nan, math.nan)

ON_TRAFFIC = (
    "Replay learns from one row in {rows:.3g}: its best memory is too long in time and too short "
    "in rounds, each by about the square root of that where means jump. The column live is "
    "corrected for it: policies play at full traffic in worlds that the log leaves possible."
)

ON_WORLDS = (
    "Live assumes that within a window of time, who got which arm has nothing to do with the "
    "reward, that rewards depend on the arm and the time alone, and that what comes is like what "
    "was."
)


def tuned(
    candidates: Sequence[Candidate],
    evidence: Evidence,
    level: float,
    seed: int,
    progress: Progress | None,
) -> Tuning:
    """Answer which of the candidates would serve best."""
    advance = _thirds(progress, 3 * evidence.size * (len(candidates) + 1))
    results = _replayed([each.policy for each in candidates], evidence, seed, advance(0))
    per_row = _per_row(results, evidence)
    reason = next(filter(None, (reason_against(each, evidence) for each in results)), None)
    reason = reason or _reason(evidence)
    if reason is not None:
        return _cannot_tell(candidates, reason, level, per_row)
    in_time = [_worth(each, level) for each in results[1:]]
    rounds = _replayed([each.in_rounds for each in candidates], evidence, seed, advance(1))
    in_rounds = [_worth(each, level) for each in rounds[1:]]
    world = fitted_world(evidence, seed)
    earned = played([each.policy for each in candidates], world, seed, advance(2))
    best = int(earned.mean(axis=0).argmax())
    apart = behind(earned, best, level)
    rows = [
        Contender(each.policy, each.policy.label, each.family, each.span,
                  worth(earned[:, place], level), in_time[place], in_rounds[place], apart[place],
                  place == best or apart[place].low <= 0.0)
        for place, each in enumerate(candidates)
    ]  # fmt: skip
    memories = _memories(rows, per_row)
    rows.sort(key=lambda row: -row.live.value)
    notes = [ON_TRAFFIC.format(rows=per_row), ON_WORLDS, *world.remarks()]
    logged = float(evidence.by_block.sums.sum()) / evidence.size
    return Tuning(
        rows, memories, rows[0].policy, _advice(rows, logged, level), notes, level, per_row
    )  # fmt: skip


def _reason(evidence: Evidence) -> str | None:
    """Return why there is nothing to tune in a log, or None."""
    if evidence.arms == 1:
        return "cannot tell: the log shows one arm, so nothing is chosen"
    if evidence.restricted:
        return f"cannot tell what policies earn live: {RESTRICTED[0].lower()}{RESTRICTED[1:]}"
    return None


def _thirds(progress: Progress | None, total: int) -> Callable[[int], Progress]:
    """Return how to tell, in each third of the work, how much of all is done."""

    def third(number: int) -> Progress:
        def tell(done: int, of: int) -> None:
            if progress is not None:
                progress((number * total + done * total // of) // 3, total)

        return tell

    return third


def _replayed(
    policies: Sequence[Strategy], evidence: Evidence, seed: int, advance: Progress
) -> list[Gathered]:
    """Return what replay says of policies, after what it says of the log itself."""
    players = players_of(list(policies), evidence, seed)
    return gathered(players, [ESTIMATORS[METHOD]], evidence, None, seed, advance)


def _worth(result: Gathered, level: float) -> Worth:
    """Return a value with its interval."""
    estimate = estimate_of(result.sums[METHOD])
    half = half_width(estimate, level)
    return Worth(estimate.value, estimate.value - half, estimate.value + half)


def _per_row(results: Sequence[Gathered], evidence: Evidence) -> float:
    """Return how many rows replay needs for one that it accepts."""
    accepted = [each.overview.accepted for each in results if each.player.label != LOGGED]
    return evidence.size / max(float(np.median(accepted)), 1.0)


def _memories(rows: Sequence[Contender], per_row: float) -> list[Memories]:
    """Return the best span of each family by every way of looking."""
    memories = []
    for family in dict.fromkeys(row.family for row in rows if not math.isnan(row.span)):
        members = [row for row in rows if row.family == family]
        in_time = max(members, key=lambda row: row.in_time.value).span
        in_rounds = max(members, key=lambda row: row.in_rounds.value).span
        live = max(members, key=lambda row: row.live.value).span
        memories.append(Memories(family, in_time, in_rounds, in_time / math.sqrt(per_row), live))
    return memories


def _advice(rows: Sequence[Contender], logged: float, level: float) -> str:
    """Say which policy to play, in one sentence."""
    best, ties = rows[0], sum(row.tie for row in rows) - 1
    gain = best.live.value - logged
    form = form_of((best.live.value, logged))
    rest = on_others(ties, len(rows) - 1)
    return (
        f"Play {best.label}: live it would have earned {best.live.value:{form}} per decision "
        f"[{best.live.low:{form}}, {best.live.high:{form}}], {gain:+{form}} against the log"
        f"; {rest}, at {percent(level)}."
    )


def _cannot_tell(
    candidates: Sequence[Candidate], reason: str, level: float, per_row: float
) -> Tuning:
    rows = [
        Contender(each.policy, each.policy.label, each.family, each.span, NOTHING, NOTHING, NOTHING,
                  NOTHING, True)
        for each in candidates
    ]  # fmt: skip
    return Tuning(rows, [], None, f"{reason[0].upper()}{reason[1:]}.", [], level, per_row)
