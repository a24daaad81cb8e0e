"""The answer to "does it drift": per arm rates, changes and seasons; of the log, the pace."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from driftbandit.core.frames import plain
from driftbandit.core.table import form_of, number
from driftbandit.core.text import percent
from driftbandit.logs.result import Answer, Section, duration, moment, rows_of
from driftbandit.rules.forget import HalfLife, TimeWindow

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STILL, DRIFT, SEASON, BOTH = "still", "drift", "season", "drift and season"
CANNOT_TELL = "cannot tell"

SHOWN = 20
"""Changes that a table shows."""


class Change(NamedTuple):
    """A change of an arm's mean reward: when, by how much, and how certain both are."""

    arm: Any
    at: float
    """Seconds since 1970, as are the ends of its interval."""
    earliest: float
    latest: float
    size: float
    """The mean after minus the mean before."""
    low: float
    high: float
    before: float
    after: float


class Season(NamedTuple):
    """What a day or a week explains of an arm's mean reward."""

    period: str
    """"day" or "week"."""
    p_value: float
    """How likely it is that a log without this season shows as much; NaN where none can be seen."""
    swing: float
    """Half the distance between the highest and the lowest mean within a period."""
    share: float
    """The share of what moves in the arm's mean reward that it explains, noise taken off."""
    profile: list[float]
    """What it adds, at 28 even times from midnight UTC, of a week from that of Monday; or empty."""


class Window(NamedTuple):
    """An arm's rate in a stretch of time, with a band that holds for all stretches and arms."""

    start: float
    end: float
    rows: int
    rate: float
    low: float
    high: float


@dataclasses.dataclass(frozen=True)
class ArmDrift:
    """How the mean reward of one arm moved."""

    arm: Any
    rows: int
    rate: float
    verdict: str
    """"still", "drift", "season", "drift and season", or "cannot tell"."""
    windows: list[Window]
    changes: list[Change]
    seasons: list[Season]
    drift_share: float
    """The share of what moves that changes explain, beside the shares of the seasons."""
    distance: float
    """Σ |size| over the changes that were found: what is too small or too short is not in it."""
    certain_distance: float
    """The least distance that the bands leave possible; they hold for all arms at once. Nothing can
    be said of the most: a mean may go and come back unseen."""
    smallest: float
    """The smallest change in the middle of the log that is found four times out of five."""
    alarms: list[float]
    """When a GLR test that reads the rewards one after the other raises an alarm."""


class Switches(NamedTuple):
    """How often the best arm changed."""

    certain: int
    """Switches that the bands prove: together with probability `level`, there were so many."""
    estimate: int
    """Switches of the levels that were found."""
    best: list[tuple[float, Any]]
    """Which arm was best from when on, by the levels that were found."""


@dataclasses.dataclass(frozen=True)
class Pace:
    """How often the means change, and the memory that follows by the paper's rules."""

    breakpoints: int
    """Times at which at least one mean changed."""
    per_day: float
    """Breakpoints per day; NaN for a log of one moment."""
    least_per_day: float
    """The least rate that explains so many, if they come at random. There is no largest: changes
    may be too small, or too close, to be found."""
    half_life: HalfLife | None
    """γ = 1 − √r/4 for r breakpoints per decision, by the clock; None where none was found."""
    window: TimeWindow | None
    """τ = 2 √(−log r / r), by the clock."""


@dataclasses.dataclass(frozen=True, repr=False)
class LogDrift(Answer):
    """How a log drifts: `arms` one by one, how often the best one switched, and the pace.

    All changes of a log that stands still are false; with probability `level` there is none. The
    bands of all windows and arms hold at once with that probability, each interval of a change
    alone.
    """

    arms: list[ArmDrift]
    switches: Switches
    pace: Pace
    start: float
    end: float
    level: float
    bound: float
    notes: list[str]

    def __getitem__(self, arm: Any) -> ArmDrift:
        """Return what is known of an arm, by its label."""
        try:
            return next(each for each in self.arms if each.arm == arm)
        except StopIteration:
            raise KeyError(arm) from None

    @property
    def changes(self) -> list[Change]:
        """All changes, in the order of time."""
        return sorted((c for arm in self.arms for c in arm.changes), key=lambda c: c.at)

    def plot(
        self, path: str | os.PathLike[str] | None = None, *, arms: Sequence[Any] | None = None
    ) -> Figure:
        """Draw rates, bands, levels and changes; see `driftbandit.figures.drift`."""
        from driftbandit import figures  # noqa: PLC0415  # matplotlib loads only when drawing

        return figures.drift(self, path, arms=arms)

    def sections(self) -> list[Section]:
        """Return the arms, the seasons, the changes, and the pace."""
        return [self._of_arms(), self._of_seasons(), self._of_changes(), self._of_pace()]

    def _of_arms(self) -> Section:
        form = form_of(each for arm in self.arms for each in (arm.rate, arm.distance))
        rows = [
            [str(arm.arm), arm.verdict, f"{arm.rows:,}", number(arm.rate, form),
             str(len(arm.changes)), number(arm.distance, form),
             number(arm.certain_distance, form)]
            for arm in self.arms
        ]  # fmt: skip
        head = ["arm", "verdict", "rows", "rate", "changes", "distance", "certain"]
        return Section("how mean rewards move", head, rows, 5)

    def _of_seasons(self) -> Section:
        form = form_of(season.swing for arm in self.arms for season in arm.seasons)
        rows = [
            [str(arm.arm), season.period, number(season.swing, form), number(season.share, ".0%"),
             number(arm.drift_share, ".0%"), number(season.p_value, ".2g")]
            for arm in self.arms for season in arm.seasons if season.swing > 0.0
        ]  # fmt: skip
        head = ["arm", "season", "swing", "explains", "changes explain", "p-value"]
        return Section("season against drift", head, rows, 4)

    def _of_changes(self) -> Section:
        form = form_of(change.size for change in self.changes)
        rows = [
            [str(c.arm), moment(c.at), moment(c.earliest), moment(c.latest),
             *(format(each, f"+{form}") for each in (c.size, c.low, c.high))]
            for c in self.changes[:SHOWN]
        ]  # fmt: skip
        title = f"changes, {percent(self.level)} intervals"
        if len(self.changes) > SHOWN:
            title += f"; the first {SHOWN} of {len(self.changes)}"
        head = ["arm", "at (UTC)", "earliest", "latest", "size", "low", "high"]
        return Section(title, head, rows, 3)

    def _of_pace(self) -> Section:
        pace, switches = self.pace, self.switches
        rows = [
            ["breakpoints", f"{pace.breakpoints}"],
            [
                "per day",
                f"{number(pace.per_day, '.3g')}, at least {number(pace.least_per_day, '.2g')}",
            ],
            ["switches of the best arm", f"{switches.estimate}, {switches.certain} certain"],
        ]
        if pace.half_life is not None and pace.window is not None:
            rows.append(["half-life by the paper's rule", duration(pace.half_life.numbers()[0])])
            rows.append(["window by the paper's rule", duration(pace.window.numbers()[0])])
        return Section("the pace", ["what", "value"], rows, 1)

    def remarks(self) -> list[str]:
        """Return what was assumed, and what cannot be told."""
        return self.notes

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data for JSON."""
        pace = self.pace
        memory = {
            "half_life": None if pace.half_life is None else pace.half_life.numbers()[0],
            "window": None if pace.window is None else pace.window.numbers()[0],
        }
        numbers = ("breakpoints", "per_day", "least_per_day")
        return {
            "arms": [
                {**plain([vars(arm)])[0], "windows": rows_of(arm.windows),
                 "changes": rows_of(arm.changes), "seasons": rows_of(arm.seasons)}
                for arm in self.arms
            ],
            "switches": rows_of([self.switches])[0],
            "pace": {**plain([{name: getattr(pace, name) for name in numbers}])[0], **memory},
            "start": self.start,
            "end": self.end,
            "level": self.level,
            "notes": self.notes,
        }  # fmt: skip
