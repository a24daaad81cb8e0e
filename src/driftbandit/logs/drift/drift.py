"""Does the log drift: every arm by itself, then all of them together."""

from __future__ import annotations

import math

import numpy as np

from driftbandit.core.numerics import normal_quantile
from driftbandit.logs.drift.bands import band, least_distance, windows_of
from driftbandit.logs.drift.moves import Moves, moves_of
from driftbandit.logs.drift.notes import notes_on
from driftbandit.logs.drift.online import alarms
from driftbandit.logs.drift.pace import pace_of
from driftbandit.logs.drift.result import (
    BOTH,
    CANNOT_TELL,
    DRIFT,
    SEASON,
    STILL,
    ArmDrift,
    Change,
    LogDrift,
    Season,
    Window,
)
from driftbandit.logs.drift.switches import switches_of
from driftbandit.logs.estimates.sums import Progress
from driftbandit.logs.evidence import Evidence, Tally
from driftbandit.logs.rows import Floats


def drift_of(evidence: Evidence, level: float, progress: Progress | None = None) -> LogDrift:
    """Return how a log drifts."""
    miss, steps = 1.0 - level, evidence.arms + 3
    done = 0

    def advance() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, steps)

    tally = windows_of(evidence)
    low, high = band(tally, evidence.coins, miss)
    starts = _starts(evidence, len(tally.counts))
    advance()
    online = alarms(evidence, miss)
    advance()
    moves: list[Moves | None] = []
    for arm in range(evidence.arms):
        moves.append(moves_of(evidence, arm, miss))
        advance()
    arms = [
        _arm(
            evidence,
            arm,
            each,
            _windows(evidence, tally, arm, starts, low, high),
            online[arm],
            miss,
        )
        for arm, each in enumerate(moves)
    ]
    changes = [change for arm in arms for change in arm.changes]
    switches = switches_of(evidence, moves, changes, low, high)
    pace = pace_of(changes, evidence, level)
    advance()
    notes = notes_on(arms, evidence, level)
    return LogDrift(
        arms, switches, pace, evidence.start, evidence.end, level, evidence.bound, notes
    )  # fmt: skip


def _starts(evidence: Evidence, windows: int) -> Floats:
    """Return when each window begins, and when the last one ends."""
    first = -(-np.arange(1, windows) * evidence.blocks // windows)
    inner = 0.5 * (evidence.times[first - 1] + evidence.times[first])
    return np.concatenate([[evidence.start], inner, [evidence.end]])


def _windows(
    evidence: Evidence, tally: Tally, arm: int, starts: Floats, low: Floats, high: Floats
) -> list[Window]:
    bound = evidence.bound
    rates = np.full(len(low), math.nan)
    counts = tally.counts[:, arm]
    np.divide(tally.sums[:, arm], counts, out=rates, where=counts > 0.0)
    return [
        Window(float(starts[w]), float(starts[w + 1]), int(counts[w]), bound * float(rates[w]),
               bound * float(low[w, arm]), bound * float(high[w, arm]))
        for w in range(len(low))
    ]  # fmt: skip


def _arm(
    evidence: Evidence,
    arm: int,
    moves: Moves | None,
    windows: list[Window],
    online: list[float],
    miss: float,
) -> ArmDrift:
    label, bound = evidence.labels[arm], evidence.bound
    ends = (np.array([getattr(each, end) for each in windows]) for end in ("low", "high"))
    certain = least_distance(*ends)
    rows = int(evidence.by_block.counts[:, arm].sum())
    if moves is None:
        nothing = math.nan
        rate = float(evidence.by_block.sums[:, arm].sum()) / rows if rows else nothing
        return ArmDrift(
            label, rows, rate, CANNOT_TELL, windows, [], [], nothing, nothing, certain, nothing, [],
        )  # fmt: skip
    changes = _changes(evidence, arm, moves, miss)
    seasons, drift_share = _seasons(moves, bound)
    smallest = bound * moves.findable(miss / evidence.arms, 0.5)
    distance = float(np.abs(np.diff(moves.means)).sum())
    mean = bound * moves.column.mean
    return ArmDrift(
        label, rows, mean, _verdict(changes, moves, smallest, mean, bound), windows, changes,
        seasons, drift_share, bound * distance, certain, smallest, online,
    )  # fmt: skip


def _verdict(
    changes: list[Change], moves: Moves, smallest: float, mean: float, bound: float
) -> str:
    """Return what is said of an arm; of one that might double unseen, that nobody can tell."""
    if changes:
        return BOTH if moves.periods else DRIFT
    if moves.periods:
        return SEASON
    return CANNOT_TELL if smallest > min(mean, bound - mean) else STILL


def _changes(evidence: Evidence, arm: int, moves: Moves, miss: float) -> list[Change]:
    """Return the changes with their intervals; a border lies between the middles of two cells."""
    time, means, bound = moves.cells.time, moves.means, evidence.bound
    z = normal_quantile(1.0 - 0.5 * miss)
    errors = _errors(moves)
    rows = []
    for place, (between, at) in enumerate(zip(moves.between(miss), moves.times, strict=True)):
        size = float(means[place + 1] - means[place])
        half = z * math.hypot(errors[place], errors[place + 1])
        rows.append(
            Change(
                evidence.labels[arm], float(at), float(time[between.first - 1]),
                float(time[between.last]), bound * size, bound * (size - half),
                bound * (size + half), bound * float(means[place]), bound * float(means[place + 1]),
            )
        )  # fmt: skip
    return rows


def _errors(moves: Moves) -> Floats:
    """Return the standard error of each level, with a reward of one half twice beside its own."""
    plays, means = moves.plays, moves.means
    safe = (plays * means + 1.0) / (plays + 2.0)
    return np.sqrt(moves.dispersion * safe * (1.0 - safe) / plays)


def _seasons(moves: Moves, bound: float) -> tuple[list[Season], float]:
    """Return the seasons, and the share of what moves that changes explain."""
    weight = moves.column.counts / moves.column.size
    noise = moves.variance / moves.column.size
    level, changes = moves.level(moves.column.time), len(moves.borders)
    steps = max(_spread(level, weight) - changes * noise, 0.0) if changes else 0.0
    parts = {name: moves.season.part(name) for name in moves.periods}
    spreads = {
        name: max(_spread(part.at(moves.column.time), weight) - len(part.coefficients) * noise, 0.0)
        for name, part in parts.items()
    }
    total = steps + sum(spreads.values())
    seasons = []
    for name, p in moves.p_values.items():
        if name in parts:
            profile = bound * parts[name].profile(name)
            swing, share = 0.5 * float(np.ptp(profile)), spreads[name] / max(total, 1e-300)
            seasons.append(Season(name, p, swing, share, profile.tolist()))
        else:
            unknown = math.nan if math.isnan(p) else 0.0
            seasons.append(Season(name, p, unknown, unknown, []))
    return seasons, steps / total if total > 0.0 else math.nan


def _spread(values: Floats, weight: Floats) -> float:
    """Return the weighted variance."""
    return float(weight @ (values - weight @ values) ** 2)
