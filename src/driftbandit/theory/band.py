"""A confidence band around a drifting rate, from rewards that somebody chose to see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from driftbandit.core.arrays import real_array
from driftbandit.core.errors import InputError, flag, real, require, shown, whole
from driftbandit.theory.deviation import deviation_threshold, maximal_threshold
from driftbandit.theory.sums import trailing_sums

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

LEAST = 1e-6
"""A band for single rounds says nothing about an arm once its N_t(γ²) has fallen below this.

For an arm that was played once this takes 6.9 / (1 − γ) rounds. A tenth of this value would widen
all bands by less than 1 %.
"""


@dataclass(frozen=True, eq=False, repr=False)
class Band:
    """The result of `confidence_band`: arrays shaped like the rewards, and what they promise."""

    mean: Floats
    """The average of the observed rewards; NaN before the first."""

    low: Floats
    high: Floats

    count: Floats
    """The effective count: N_t(γ)² / N_t(γ²) equally weighted rewards would be as good."""

    level: float
    bound: float
    simultaneous: bool
    """Whether the band holds for all rounds and arms at once, or for each of them alone."""

    drift: float
    """The largest change of the true mean per round that the band allows for."""

    def __repr__(self) -> str:
        """Return in one line what the band covers."""
        rounds, *arms = self.mean.shape
        size = f"{rounds:,} rounds" + "".join(f", {number} arms" for number in arms)
        return f"<Band: {size}, level {self.level:g}, simultaneous={self.simultaneous}>"

    def plot(
        self,
        path: str | Path | None = None,
        truth: ArrayLike | None = None,
        *,
        names: Sequence[str] | None = None,
        times: ArrayLike | None = None,
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Figure:
        """Draw the band, and the true means if known; see `driftbandit.figures.band`."""
        from driftbandit import figures  # noqa: PLC0415  # matplotlib loads only when drawing

        return figures.band(self, path, truth, names=names, times=times, ax=ax)


def confidence_band(
    rewards: ArrayLike,
    *,
    discount: float | None = None,
    window: int | None = None,
    level: float = 0.95,
    bound: float = 1.0,
    played: ArrayLike | None = None,
    simultaneous: bool = True,
    drift: float = 0.0,
    horizon: int | None = None,
) -> Band:
    """Return a band around the average of the true means in the rounds that were played.

    `rewards` lie in [0, bound], one row per round, and may have one column per arm. A reward is NaN
    where its arm was not played; where `played` is false it may be anything. One column of rewards
    and one column per arm in `played` are enough. The average is discounted, or over a `window`;
    `discount=1` is the full history. The choice of what to play may depend on all earlier rewards.

    The band is mean ± δ / √count, cut to [0, bound], and [0, bound] before the first reward. With
    `simultaneous` it holds for all rounds and arms at once with probability `level`: δ is the
    `maximal_threshold` of (1 − level) / 2, divided by the number of arms. Otherwise it holds for
    each round and arm alone: δ is the `deviation_threshold` of (1 − level) / 2 with `least=LEAST`,
    for the round rounded up to a power of two.

    `simultaneous` covers the rounds of the log. If you look again and again at a log that grows,
    set `horizon` to its final length: then all looks together hold with probability `level`.

    If the mean moves by at most `drift` per round, the band is widened by drift × the mean age of
    the rewards, and so holds for the true mean of each round.

    >>> rewards = [1.0, 0.0, np.nan, 1.0] * 100
    >>> band = confidence_band(rewards, window=200)
    >>> [float(x[-1].round(3)) for x in (band.mean, band.low, band.high, band.count)]
    [0.667, 0.472, 0.861, 150.0]
    """
    bound, drift = real("bound", bound, "(0, inf)"), real("drift", drift, "[0, inf)")
    at_once = flag("simultaneous", simultaneous)
    miss = (1.0 - real("level", level, "(0, 1)")) / 2.0
    seen, mask = _observations(rewards, played, bound)
    gamma, window = _memory(discount, window)
    averages = _averages(seen, mask, gamma, window, aged=drift > 0.0)
    informed = averages.effective > 0.0
    if at_once:
        arms = seen[0].size
        delta: float | Floats = maximal_threshold(
            miss / arms, _reach(horizon, len(seen)), discount=gamma, window=window, bound=bound
        )
    else:
        informed &= averages.weight >= LEAST
        delta = _thresholds(miss, seen, gamma, window, bound)
    with np.errstate(divide="ignore", over="ignore"):  # a band is no wider than [0, bound]
        half = delta / np.sqrt(averages.effective) + drift * averages.age
    low = np.where(informed, np.maximum(averages.mean - half, 0.0), 0.0)
    high = np.where(informed, np.minimum(averages.mean + half, bound), bound)
    promise = (float(level), bound, at_once, drift)
    return Band(np.minimum(averages.mean, bound), low, high, averages.effective, *promise)


def _reach(horizon: int | None, rows: int) -> int:
    """Return the last round that the band must hold for."""
    return rows if horizon is None else whole("horizon", horizon, least=rows)


class _Averages(NamedTuple):
    mean: Floats
    effective: Floats
    weight: Floats
    """N_t(γ²)."""
    age: Floats


def _averages(
    seen: Floats, mask: Floats, gamma: float, window: int | None, aged: bool
) -> _Averages:
    """Return mean, effective count, weight and mean age of the remembered rewards per round.

    While an arm is not played, nothing but the age of its discounted average changes. So the
    average is that of its last play: the sums themselves fade away and would end as 0 / 0.
    """
    rounds = _column(np.arange(1, len(seen) + 1), seen)
    row = np.broadcast_to(rounds - 1, seen.shape)
    if window is None:
        row = np.maximum.accumulate(np.where(mask > 0.0, row, 0), axis=0)

    def total(values: Floats, weight: float = gamma) -> Floats:
        sums = trailing_sums(values, weight, window or len(seen))
        return sums if window else np.take_along_axis(sums, row, axis=0)

    count = total(mask)
    weight = count if gamma == 1.0 else total(mask, gamma * gamma)
    with np.errstate(invalid="ignore"):
        mean = total(seen) / count
        age = rounds - total(rounds * mask) / count if aged else np.zeros_like(count)
        effective = np.where(count > 0.0, count * count / weight, 0.0)
    return _Averages(mean, effective, weight * gamma ** (2.0 * (rounds - 1 - row)), age)


def _thresholds(
    miss: float, seen: Floats, gamma: float, window: int | None, bound: float
) -> Floats:
    """Return δ per round, that of the next power of two: about twenty are computed."""
    exponent = np.frexp(np.arange(len(seen), dtype=np.float64))[1]
    powers = [
        deviation_threshold(miss, 2**k, discount=gamma, window=window, bound=bound, least=LEAST)
        for k in range(int(exponent[-1]) + 1)
    ]
    return _column(np.array(powers)[exponent], seen)


def _column(values: NDArray[Any], like: Floats) -> NDArray[Any]:
    """Return one value per round, shaped to go with one column or many."""
    return values if like.ndim == 1 else values[:, np.newaxis]


def _memory(discount: float | None, window: int | None) -> tuple[float, int | None]:
    if (discount is None) == (window is None):
        raise InputError("either discount or window must be given; discount=1 is the full history")
    if window is not None:
        return 1.0, whole("window", window)
    return real("discount", discount, "(0, 1]"), None


def _observations(
    rewards: ArrayLike, played: ArrayLike | None, bound: float
) -> tuple[Floats, Floats]:
    """Return the rewards, 0 where the arm was not played, and a mask: 1 if played, else 0."""
    values = real_array(rewards)
    if values is None:
        raise InputError(f"rewards must be numbers, one row per round, got {shown(rewards)}")
    fits = values.ndim in {1, 2} and values.size > 0
    require(fits, "the shape of rewards", values.shape, "be (rounds,) or (rounds, arms), none 0")
    mask = ~np.isnan(values) if played is None else _mask(played, values)
    if mask.ndim > values.ndim:
        values = values[:, np.newaxis]
    seen = np.where(mask, values, 0.0)
    wrong = ~((seen >= 0.0) & (seen <= bound))
    if wrong.any():
        place = np.unravel_index(wrong.argmax(), wrong.shape)
        where = f"[0, {bound:g}] where played, got {seen[place]:g} in round {place[0] + 1}"
        raise InputError(f"rewards must lie in {where}")
    return seen, mask.astype(np.float64)


def _mask(played: ArrayLike, rewards: Floats) -> NDArray[np.bool_]:
    masked = isinstance(played, np.ma.MaskedArray)
    require(not masked, "played", played, "be a plain array, not a masked one")
    try:
        mask = np.asarray(played)
    except ValueError:  # rows of different lengths
        raise InputError(f"played must have rows of one length, got {shown(played)}") from None
    require(mask.dtype == np.bool_, "played", mask.dtype.name, "be an array of True and False")
    wider = rewards.ndim == 1 and mask.ndim == 2 and len(mask) == len(rewards) and mask.size > 0
    allowed = f"be that of rewards, {rewards.shape}, or have one column per arm beside it"
    require(wider or mask.shape == rewards.shape, "the shape of played", mask.shape, allowed)
    return mask
