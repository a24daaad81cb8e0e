"""A level that walks at random, with seasons, seen through noise; the pace of the walk is unknown.

y_g = m_g + β·z_g + noise, m_{g+1} = m_g + √(q Δ) · a normal number. The variance q per unit of time
is one of a grid of values, none of them certain: all are filtered at once, and weighed by how
likely they make the data.

Reference: Harvey, *Forecasting, structural time series models and the Kalman filter*, 1989.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from driftbandit.logs.rows import Floats

PACES = np.concatenate([[0.0], np.geomspace(0.003, 3.0, 24)])
"""How far the level walks over the whole log, a standard deviation in units of the bound."""

STILL = 0.3
"""The weight of a level that stands still, before the data speak; the others share the rest."""

SWINGS = (0.03, 0.2)
"""How large a season may be, a standard deviation in units of the bound, before the data speak."""


JUMP = 0.1
"""The variance of a jump, over the squared bound."""


@dataclasses.dataclass(frozen=True)
class Series:
    """Noisy means: when, of which variance (∞ where there is none), and the seasons then."""

    time: Floats
    """In units of the log's length, increasing."""
    value: Floats
    variance: Floats
    seasons: Floats
    """A row for each mean, a column for each harmonic."""
    bound: float
    swing: float = 0.0
    """How large a season may be, before the data speak."""
    jumps: Floats | None = None
    """The variance that the level gains before each mean beside its walk, where a change is."""

    def gained(self, place: int) -> float:
        """Return the variance that the level gains by a jump before a mean."""
        return 0.0 if self.jumps is None else float(self.jumps[place])


@dataclasses.dataclass(frozen=True)
class Filtered:
    """What the data say of the state, for every pace: level and seasons together."""

    walk: Floats
    """q per pace."""
    weight: Floats
    """How likely the data are, as logarithms, with the weight before the data."""
    means: Floats
    """Per time and pace: the mean of the state, given the data up to then."""
    covariances: Floats


def jumps_at(changes: Floats, time: Floats, bound: float) -> Floats:
    """Return how much more variance than that of a walk the level gains before each mean.

    A mean in which a change lies is between those beside it: the level jumps twice.
    """
    jumps = np.zeros(len(time))
    for after in np.searchsorted(time, changes).tolist():
        jumps[max(after - 1, 0) : after + 2] = JUMP * bound**2
    return jumps


def filtered(series: Series) -> Filtered:
    """Filter a series with every pace at once."""
    states, paces = 1 + series.seasons.shape[1], len(PACES)
    walk = (PACES * series.bound) ** 2
    mean = np.zeros((paces, states))
    mean[:, 0] = 0.5 * series.bound
    spread = np.eye(states) * (series.swing * series.bound) ** 2
    spread[0, 0] = series.bound**2
    covariance = np.repeat(spread[None], paces, axis=0)
    prior = np.full(paces, (1.0 - STILL) / (paces - 1))
    prior[0] = STILL
    weight, before = np.log(prior), series.time[0]
    means, covariances = [], []
    for place, (time, value, variance, season) in enumerate(
        zip(series.time, series.value, series.variance, series.seasons, strict=True)
    ):
        covariance = covariance.copy()
        covariance[:, 0, 0] += walk * (time - before) + series.gained(place)
        before = time
        if math.isfinite(variance):
            look = np.concatenate([[1.0], season])
            gain = covariance @ look
            total = gain @ look + variance
            apart = value - mean @ look
            weight = weight - 0.5 * (np.log(total) + apart**2 / total)
            mean = mean + gain * (apart / total)[:, None]
            covariance = covariance - gain[:, :, None] * gain[:, None, :] / total[:, None, None]
        means.append(mean)
        covariances.append(covariance)
    return Filtered(walk, weight, np.array(means), np.array(covariances))


def smoothed_draws(
    series: Series, result: Filtered, draws: int, rng: np.random.Generator
) -> Floats:
    """Return draws of the level at all times, given all data: a row per draw.

    Every draw has a pace of its own, drawn by its weight, and goes backwards in time from a draw of
    the end. For series without seasons.

    Reference: Frühwirth-Schnatter, *Data augmentation and dynamic linear models*, 1994.
    """
    chances = np.exp(result.weight - result.weight.max())
    pace = rng.choice(len(chances), size=draws, p=chances / chances.sum())
    means, variances = result.means[:, pace, 0], result.covariances[:, pace, 0, 0]
    walk = result.walk[pace]
    luck = rng.standard_normal((len(series.time), draws))
    levels = np.empty_like(means)
    levels[-1] = means[-1] + np.sqrt(variances[-1]) * luck[-1]
    for place in range(len(series.time) - 2, -1, -1):
        moved = walk * (series.time[place + 1] - series.time[place]) + series.gained(place + 1)
        total = np.maximum(variances[place] + moved, 1e-300)
        share = variances[place] / total
        mean = means[place] + share * (levels[place + 1] - means[place])
        levels[place] = mean + np.sqrt(np.maximum(share * moved, 0.0)) * luck[place]
    return levels.T
