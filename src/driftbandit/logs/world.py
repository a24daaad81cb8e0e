"""The world that a log shows: mean rewards of every arm over time, with bands."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from driftbandit.core.errors import real
from driftbandit.core.statistics import NORMAL_95
from driftbandit.core.table import form_of
from driftbandit.environments.piecewise import Piecewise
from driftbandit.logs.drift.moves import Moves, moves_of
from driftbandit.logs.drift.seasons import PERIODS, waves
from driftbandit.logs.evidence import Evidence, Tally
from driftbandit.logs.result import Answer, Section, moment
from driftbandit.logs.rows import Floats
from driftbandit.logs.streams import generator
from driftbandit.logs.trend.level import Series, filtered, jumps_at, smoothed_draws

DRAWS = 200
"""Worlds that the bands are made of."""

PER_CELL = 5
"""Rows per window and arm, on average: few, since neighbouring windows help each other."""

MOST_WINDOWS = 400

PER_PERIOD = 12
MOST_SEASONAL = 4_000
"""Windows per period of a season that stands out, and windows for its sake at most."""

MISS = 0.05
"""How likely a change or a season is found where there is none."""

RESTRICTED = "In the fitted world all arms are always eligible, which they were not in the log"
"""Why nothing is said there of policies where eligible arms differ from row to row."""

SHOWN = 12
"""Windows that a table shows."""


@dataclasses.dataclass(frozen=True, init=False)
class LoggedWorld(Piecewise):
    """Means that stay as they are within a window of a log; a round takes `seconds`.

    >>> LoggedWorld([3], [[0.5, 0.3], [0.5, 0.9]], horizon=4, seconds=60.0).seconds_per_round
    60.0
    """

    seconds: float = 1.0

    def __init__(
        self, breakpoints: Any, means: ArrayLike, *, horizon: int, seconds: float, **others: Any
    ) -> None:
        """Check and store breakpoints, means, and how long a round takes."""
        super().__init__(breakpoints, means, horizon=horizon, **others)
        self._set(seconds=real("seconds", seconds, "(0, inf)"))

    @property
    def seconds_per_round(self) -> float:
        """How long a round takes."""
        return self.seconds


@dataclasses.dataclass(frozen=True, repr=False)
class FittedWorld(Answer):
    """Mean rewards per window of time and arm, fitted to a log, and how well they fit.

    The mean of an arm is a level and the seasons that stand out (`drift.seasons`). The level walks
    at random from window to window, at a pace that is fitted per arm, jumps where `drift.steps`
    finds a change, and is seen through the mean reward of the arm's rows there. `draws` are
    possible worlds given the log, (draws, windows, arms); `means` their mean, `low` and `high` the
    95 % band. It assumes that within a window, who got which arm has nothing to do with the reward,
    and that a reward depends on the arm and the time alone. An arm that was not played for long has
    a wide band, rightly.
    """

    labels: list[Any]
    starts: Floats
    """When each window begins, in seconds since 1970."""
    draws: Floats
    tally: Tally
    size: int
    seconds: float
    bound: float
    restricted: bool = False
    """Whether some arms were not eligible in some rows of the log: here they always are."""

    @functools.cached_property
    def means(self) -> Floats:
        """The mean reward per window and arm."""
        return np.asarray(self.draws.mean(axis=0))

    @functools.cached_property
    def low(self) -> Floats:
        """The lower end of the band."""
        return np.asarray(np.quantile(self.draws, 0.025, axis=0))

    @functools.cached_property
    def high(self) -> Floats:
        """The upper end of the band."""
        return np.asarray(np.quantile(self.draws, 0.975, axis=0))

    @property
    def environment(self) -> LoggedWorld:
        """The world of the means, for `simulate`, with coins for rewards."""
        return self.environment_of(self.means)

    def environment_of(self, means: Floats) -> LoggedWorld:
        """Return the world of other means, one row per window: one of `draws`, for instance."""
        windows = len(means)
        first = [-(-place * self.size // windows) + 1 for place in range(1, windows)]
        return LoggedWorld(first, means, horizon=self.size, seconds=self.seconds, bound=self.bound)

    def check(self) -> dict[str, float]:
        """Return what the logging policy earned, and what it earns in this world with its band.

        The logging policy plays in every window what it played there. `fits` is 1 where the mean
        reward of the log lies in the interval that the worlds and the luck of the rows leave.
        """
        counts, total = self.tally.counts, self.tally.counts.sum()
        earned = float(self.tally.sums.sum() / total)
        played = (self.draws * counts).sum(axis=(1, 2)) / total
        noise = (self.means * (self.bound - self.means) * counts).sum() / total**2
        middle, spread = float(played.mean()), math.sqrt(float(played.var() + noise))
        low, high = middle - NORMAL_95 * spread, middle + NORMAL_95 * spread
        fits = float(low <= earned <= high)
        return {"earned": earned, "fitted": middle, "low": low, "high": high, "fits": fits}

    def sections(self) -> list[Section]:
        """Return some windows, and the check."""
        windows = len(self.starts)
        places = np.unique(np.linspace(0, windows - 1, min(windows, SHOWN)).astype(int))
        rows = [[moment(self.starts[place]), *self._cells(place)] for place in places.tolist()]
        check = self.check()
        names = ("earned", "fitted", "low", "high")
        form = form_of(check[name] for name in names)
        judged = [[name, format(check[name], form)] for name in names]
        return [
            Section(
                f"mean rewards in {windows} windows, 95 % bands",
                ["from (UTC)", *map(str, self.labels)], rows, len(self.labels),
            ),
            Section("the logging policy, in the log and here", ["what", "value"], judged, 1),
        ]  # fmt: skip

    def remarks(self) -> list[str]:
        """Say it where the world does not earn what the log earned."""
        notes = [f"{RESTRICTED}."] if self.restricted else []
        if not self.check()["fits"]:
            notes.append(
                "The logging policy does not earn here what it earned: do not trust this world."
            )
        return notes

    def _cells(self, place: int) -> list[str]:
        ends = zip(self.means[place], self.low[place], self.high[place], strict=True)
        form = ".3f" if form_of(self.means.ravel()) == ".4f" else ".3g"
        return [f"{mean:{form}} [{low:{form}}, {high:{form}}]" for mean, low, high in ends]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data for JSON."""
        return {
            "arms": list(self.labels),
            "starts": self.starts.tolist(),
            "means": self.means.tolist(),
            "low": self.low.tolist(),
            "high": self.high.tolist(),
            "seconds_per_round": self.seconds,
            "check": self.check(),
            "remarks": self.remarks(),
        }


def fitted_world(evidence: Evidence, seed: int) -> FittedWorld:
    """Fit the mean rewards of every arm."""
    moves = [moves_of(evidence, arm, MISS) for arm in range(evidence.arms)]
    tally = evidence.tally(_windows(evidence, moves))
    windows = len(tally.counts)
    rng = generator(seed, "worlds")
    draws = np.empty((DRAWS, windows, evidence.arms))
    blocks = (np.arange(evidence.blocks) + 0.5) / evidence.blocks
    time = np.interp((np.arange(windows) + 0.5) / windows, blocks, evidence.times)
    for arm, each in enumerate(moves):
        seasons = _seasons(each, time, evidence.bound, rng)
        series = _series(tally, arm, evidence, seasons.mean(axis=0))
        draws[:, :, arm] = _levels(series, each, time, rng) + seasons
    np.clip(draws, 0.0, evidence.bound, out=draws)
    first = np.arange(windows) * evidence.blocks // windows
    seconds = max((evidence.end - evidence.start) / evidence.size, 1e-9)
    return FittedWorld(
        evidence.labels, evidence.times[first], draws, tally, evidence.size, seconds,
        evidence.bound, evidence.restricted,
    )  # fmt: skip


def _windows(evidence: Evidence, moves: Sequence[Moves | None]) -> int:
    """Return how many windows a world has: enough for its shortest season."""
    most, span = MOST_WINDOWS, evidence.end - evidence.start
    for period in {PERIODS[name] for each in moves if each for name in each.periods}:
        most = max(most, min(int(PER_PERIOD * span / period), MOST_SEASONAL))
    return min(max(evidence.size // (PER_CELL * evidence.arms), 1), most, evidence.blocks)


def _seasons(moves: Moves | None, time: Floats, bound: float, rng: np.random.Generator) -> Floats:
    """Return draws of what the seasons of an arm add, given the log: a row per draw."""
    if moves is None or not moves.periods:
        return np.zeros((DRAWS, len(time)))
    season = moves.season
    root = np.linalg.svd(season.covariance)
    luck = rng.standard_normal((DRAWS, len(season.coefficients)))
    coefficients = season.coefficients + (luck * np.sqrt(root.S)) @ root.U.T
    return np.asarray(bound * coefficients @ waves(time, season.frequencies).T)


def _levels(series: Series, moves: Moves | None, time: Floats, rng: np.random.Generator) -> Floats:
    """Return draws of the level: it walks, or it walks and jumps, as the log makes likely.

    Where a jump is was looked for in all windows: each costs the logarithm of their number.
    """
    if moves is None or not len(moves.borders):
        return smoothed_draws(series, filtered(series), DRAWS, rng)
    jumping = dataclasses.replace(series, jumps=jumps_at(moves.times, time, series.bound))
    models = [(series, filtered(series)), (jumping, filtered(jumping))]
    likely = [float(np.logaddexp.reduce(result.weight)) for _, result in models]
    likely[1] -= len(moves.borders) * math.log(len(time))
    share = 1.0 / (1.0 + math.exp(min(likely[0] - likely[1], 700.0)))
    jumps = int(rng.binomial(DRAWS, share))
    parts = [
        smoothed_draws(*model, draws, rng)
        for model, draws in zip(models, (DRAWS - jumps, jumps), strict=True)
    ]
    return np.asarray(rng.permutation(np.concatenate(parts)))


def _series(tally: Tally, arm: int, evidence: Evidence, season: Floats) -> Series:
    """Return the mean rewards of an arm, with the variance that its rewards have over all rows."""
    counts, sums, bound = tally.counts[:, arm], tally.sums[:, arm], evidence.bound
    spread = _spread(counts.sum(), sums.sum(), tally.squares[:, arm].sum(), evidence)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where(counts > 0.0, sums / counts - season, 0.0)
        variance = np.where(counts > 0.0, spread / counts, math.inf)
    time = (np.arange(len(counts)) + 0.5) / len(counts)
    return Series(time, value, variance, np.empty((len(counts), 0)), bound)


def _spread(rows: float, total: float, squares: float, evidence: Evidence) -> float:
    """Return the variance of a reward, also where rows are few and alike.

    A coin gets two heads and two tails more (Agresti & Coull 1998): one click in one row does not
    make clicks certain. Of other rewards a single one says nothing: they vary as much as they may.
    """
    bound = evidence.bound
    if evidence.coins:
        rate = (total / bound + 2.0) / (rows + 4.0)
        return bound**2 * rate * (1.0 - rate)
    if rows < 2.0:
        return bound**2 / 4.0
    return float(max((squares - total**2 / rows) / (rows - 1.0), 1e-4 * bound**2))
